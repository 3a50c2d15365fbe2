import type { Pool } from 'pg';
import { isSeen, seenAs, type Viewer } from '../../chats/model/chat-rights.js';
import { rowsOf, type StoredRow } from './rows.queries.js';

/** The most chats that a search returns. */
export const MAX_FOUND = 20;
/** The most visitors whose chats a search reads. */
export const MAX_VISITORS = 100;
/** The most chats of each visitor. */
const MAX_OF_VISITOR = 3;

const OF_VISITORS = rowsOf(`
  SELECT k.id, row_number() OVER (ORDER BY k.ordinal, k.id DESC) AS ordinal FROM (
    SELECT e.id, f.ordinal FROM unnest($3::text[]) WITH ORDINALITY AS f (visitor_id, ordinal)
    CROSS JOIN LATERAL (
      SELECT id FROM chats e
      WHERE e.organization_id = $1 AND e.visitor_id = f.visitor_id AND ${isSeen('e')}
      ORDER BY e.id DESC LIMIT ${MAX_OF_VISITOR}
    ) e
  ) k ORDER BY ordinal LIMIT ${MAX_FOUND}`);

/** The latest chats of each of these visitors that the viewer may see, in the order of the visitors. */
export async function findChatsOf(pool: Pool, viewer: Viewer, visitorIds: readonly string[]): Promise<StoredRow[]> {
  const values = [viewer.organizationId, seenAs(viewer), visitorIds];
  const { rows } = await pool.query<StoredRow>({ name: 'inbox-find', text: OF_VISITORS, values });
  return rows;
}

const ONE = rowsOf(`
  SELECT c.id, 1 AS ordinal FROM chats c WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}`);

/** The chat with this id, if the viewer may see it. */
export async function findChat(pool: Pool, viewer: Viewer, id: string): Promise<StoredRow[]> {
  const values = [viewer.organizationId, seenAs(viewer), id];
  const { rows } = await pool.query<StoredRow>({ name: 'inbox-find-one', text: ONE, values });
  return rows;
}

const OF_VISITOR = rowsOf(`
  SELECT e.id, row_number() OVER (ORDER BY e.id DESC) AS ordinal FROM chats e
  WHERE e.organization_id = $1 AND e.visitor_id = $3 AND ($4::text IS NULL OR e.id < $4) AND ${isSeen('e')}
  ORDER BY e.id DESC LIMIT $5`);

/** The chats of a visitor that the viewer may see, latest first. @param after only chats before this one */
export async function findOfVisitor(
  pool: Pool,
  viewer: Viewer,
  visitorId: string,
  { after, limit }: { after?: string; limit: number },
): Promise<StoredRow[]> {
  const values = [viewer.organizationId, seenAs(viewer), visitorId, after ?? null, limit];
  const { rows } = await pool.query<StoredRow>({ name: 'inbox-of-visitor', text: OF_VISITOR, values });
  return rows;
}
