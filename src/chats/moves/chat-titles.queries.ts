import type { Pool } from 'pg';
import type { StoredAttributes } from '../../visitors/visitors.queries.js';

/** The most characters of a title. */
export const MAX_TITLE = 80;

// A chat that already has the title isn't written.
const SET = `
  WITH chat AS (
    SELECT id, title, attributes FROM chats WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL
  ), changed AS (
    UPDATE chats c SET title = $3::text, rev = c.rev + 1 FROM chat
    WHERE $4::boolean AND c.organization_id = $1 AND c.id = chat.id AND c.title IS DISTINCT FROM $3::text AND c.erased_at IS NULL
    RETURNING c.id
  )
  SELECT EXISTS (SELECT FROM changed) AS "isChanged", CASE WHEN $4::boolean THEN $3::text ELSE title END AS title, attributes FROM chat`;

export interface SetTitle {
  isChanged: boolean;
  title: string | null;
  attributes: StoredAttributes;
}

/** Sets a chat's title, unless it's undefined. Null for an unknown chat, and for one whose visitor was erased. */
export async function setTitle(
  pool: Pool,
  organizationId: string,
  chatId: string,
  title: string | null | undefined,
): Promise<SetTitle | null> {
  const values = [organizationId, chatId, title ?? null, title !== undefined];
  const { rows } = await pool.query<SetTitle>({ name: 'set-title', text: SET, values });
  return rows[0] ?? null;
}
