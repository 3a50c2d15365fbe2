import type { Pool } from 'pg';
import type { ChatStatus } from '../model/chat-status.js';

/** A chat in which a sender types. */
export interface ChatKey {
  organizationId: string;
  chatId: string;
}

/** A chat at the moment at which what a sender types was taken. */
export interface TypedChat {
  status: ChatStatus;
  agentId: string | null;
  /** The highest `seq` of the chat. */
  afterSeq: number;
  /** The time of the database, which all nodes share, in milliseconds since 1970. */
  at: number;
  /** Whether agents see what visitors of the organization are writing. */
  typingPreview: boolean;
}

const FIND = `
  SELECT c.status, c.agent_id AS "agentId", c.message_count AS "afterSeq",
    floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
    (SELECT o.typing_preview FROM organizations o WHERE o.id = k.organization_id) AS "typingPreview"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (organization_id, chat_id, place)
  LEFT JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.chat_id AND c.erased_at IS NULL
  ORDER BY k.place`;

/** The chats in the order of their keys; null for one that does not exist, also because its visitor was erased. */
export async function findTypedChats(pool: Pool, keys: readonly ChatKey[]): Promise<(TypedChat | null)[]> {
  const values = [keys.map(({ organizationId }) => organizationId), keys.map(({ chatId }) => chatId)];
  const { rows } = await pool.query<TypedChat>({ name: 'find-typed-chats', text: FIND, values });
  return rows.map((row) => (row.status === null ? null : row));
}
