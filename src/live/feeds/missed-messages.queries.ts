import type { Pool } from 'pg';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';

/** A chat and the highest `seq` that was sent to its listeners. */
export interface SentSeq {
  organizationId: string;
  chatId: string;
  seq: number;
}

// Reads row by row, in a form that PostgreSQL can't turn into a scan of the whole table.
const FIND_AHEAD = `
  SELECT * FROM (
    SELECT k.organization_id AS "organizationId", k.chat_id AS "chatId", k.seq, (
      SELECT c.message_count FROM chats c WHERE c.organization_id = k.organization_id AND c.id = k.chat_id
    ) AS "latestSeq"
    FROM unnest($1::text[], $2::text[], $3::integer[]) AS k (organization_id, chat_id, seq)
    OFFSET 0
  ) AS known
  WHERE "latestSeq" > seq`;

/** A chat with messages that weren't sent to its listeners. */
export interface Ahead extends SentSeq {
  latestSeq: number;
}

export async function findAhead(pool: Pool, known: readonly SentSeq[]): Promise<Ahead[]> {
  const values = [
    known.map(({ organizationId }) => organizationId),
    known.map(({ chatId }) => chatId),
    known.map(({ seq }) => seq),
  ];
  const query = { name: 'find-ahead', text: FIND_AHEAD, values, failures: new Map(), sharesShards: true };
  return queryOrganizations<Ahead>(pool, query);
}
