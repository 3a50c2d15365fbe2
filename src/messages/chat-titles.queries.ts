import type { Pool } from 'pg';

/** The most characters of a title. */
const MAX_TITLE = 80;
/** Only the first messages are searched for a title, which limits the cost of chats where the visitor never writes. */
const MAX_SEQ = 20;

const FIND = `
  SELECT c.id, said.title FROM unnest($2::text[]) AS c (id) CROSS JOIN LATERAL (
    SELECT left(m.content, ${MAX_TITLE}) AS title FROM messages m
    WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.seq <= ${MAX_SEQ}
      AND m.sender_type = 'VISITOR' AND m.deleted_at IS NULL AND m.content <> ''
    ORDER BY m.seq LIMIT 1
  ) said`;

/** The visitor's first words in each chat, by the chat's id. A chat without any is missing. */
export async function findTitles(
  pool: Pool,
  organizationId: string,
  chatIds: readonly string[],
): Promise<Map<string, string>> {
  if (chatIds.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; title: string }>(FIND, [organizationId, chatIds]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}
