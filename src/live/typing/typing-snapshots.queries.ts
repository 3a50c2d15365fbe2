import type { Pool } from 'pg';
import type { ChatStatus } from '../../chats/model/chat-status.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';

/** A chat where a sender types. */
export interface ChatKey {
  organizationId: string;
  chatId: string;
}

/** A chat when a typing report is accepted. */
export interface TypingSnapshot {
  status: ChatStatus;
  agentId: string | null;
  /** The only bot that gets the chat; null: every bot does. */
  botId: string | null;
  /** The highest `seq` of the chat. */
  afterSeq: number;
  /** Whether the visitor has stopped what a bot writes after that `seq`. */
  isStopped: boolean;
  /** The database's time, which all nodes share, in milliseconds since 1970. */
  at: number;
  /** Whether agents of the organization see what visitors are writing. */
  typingPreview: boolean;
}

/** How long a stop counts: a bot that writes again after a break isn't stopped. */
const STOPPED_SECONDS = 60;

const FIND = `
  SELECT k.ordinal::integer, c.status, c.agent_id AS "agentId", c.message_count AS "afterSeq",
    (c.stopped_seq = c.message_count AND c.stopped_at > clock_timestamp() - interval '${STOPPED_SECONDS} s') IS TRUE AS "isStopped",
    floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
    (SELECT g.bot_id FROM groups g WHERE g.organization_id = c.organization_id AND g.id = c.group_id) AS "botId",
    (SELECT o.typing_preview FROM organizations o WHERE o.id = k.organization_id) AS "typingPreview"
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (organization_id, chat_id, ordinal)
  LEFT JOIN chats c ON c.organization_id = k.organization_id AND c.id = k.chat_id AND c.erased_at IS NULL`;

/**
 * Returns the chats in the order of their keys; null for an unknown chat and for one whose visitor was erased. An Error if the worker of
 * a Citus cluster couldn't be asked.
 */
export async function findTypingSnapshots(
  pool: Pool,
  keys: readonly ChatKey[],
): Promise<(TypingSnapshot | null | Error)[]> {
  const values = [keys.map(({ organizationId }) => organizationId), keys.map(({ chatId }) => chatId)];
  const failures = new Map<number, Error>();
  const query = { name: 'find-typed-chats', text: FIND, values, failures };
  const rows = await queryOrganizations<TypingSnapshot & { ordinal: number }>(pool, query);
  const snapshots = Array.from<TypingSnapshot | null>({ length: keys.length }).fill(null);
  for (const { ordinal, ...row } of rows) if (row.status !== null) snapshots[ordinal - 1] = row;
  return snapshots.map((snapshot, place) => failures.get(place) ?? snapshot);
}
