import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { newId } from '../../platform/lib/ids.js';
import type { ConnectionKind } from '../model/connection.js';
import type { TurnStatus } from '../model/turn.js';
import type { TurnKey } from '../turns/take.queries.js';
import { FIRST } from './intake.queries.js';

const IS_CONNECTED = `
  SELECT EXISTS (SELECT FROM bot_connections k WHERE k.organization_id = $1 AND k.is_enabled AND k.kind <> 'script'
    AND k.bot_id = COALESCE(g.bot_id, ${FIRST})) AS "isConnected"
  FROM chats c JOIN groups g ON g.organization_id = $1 AND g.id = c.group_id
  WHERE c.organization_id = $1 AND c.id = $2`;

/** Whether an endpoint answers in a chat while the bots have it. */
export async function isConnected(pool: Pool, organizationId: string, chatId: string): Promise<boolean> {
  const query = { name: 'is-chat-connected', text: IS_CONNECTED, values: [organizationId, chatId] };
  return (await pool.query<{ isConnected: boolean }>(query)).rows[0]?.isConnected ?? false;
}

const FIND_BEGUN = `
  SELECT id FROM bot_turns
  WHERE organization_id = $1 AND chat_id = $2 AND status IN ('WAITING', 'RUNNING') AND began_at IS NOT NULL
  ORDER BY status, first_seq LIMIT 1`;

/** The turn of a chat that has begun, and hasn't ended. */
export async function findBegun(tx: EntityManager, organizationId: string, chatId: string): Promise<TurnKey | null> {
  const [row]: { id: string }[] = await tx.query(FIND_BEGUN, [organizationId, chatId]);
  return row ? { organizationId, id: row.id } : null;
}

const STOP = 'UPDATE bot_turns SET stopped_at = $3 WHERE organization_id = $1 AND id = $2';

/** Asks the run of a locked turn to end, on any node. */
export async function stopTurn(tx: EntityManager, { organizationId, id }: TurnKey): Promise<void> {
  await tx.query(STOP, [organizationId, id, new Date()]);
}

/** The newest turn of a chat, and what decides whether it may be repeated. */
export interface LastTurn extends TurnKey {
  botId: string;
  chatId: string;
  status: TurnStatus;
  firstSeq: number;
  lastSeq: number;
  replaces: string[];
  /** Null: the connection was deleted. */
  kind: ConnectionKind | null;
  isEnabled: boolean | null;
  /** Whether the visitor or an agent has written since. */
  isPassed: boolean;
}

const FIND_LAST = `
  SELECT t.organization_id AS "organizationId", t.id, t.bot_id AS "botId", t.chat_id AS "chatId", t.status, t.first_seq AS "firstSeq",
    t.last_seq AS "lastSeq", t.replaces, k.kind, k.is_enabled AS "isEnabled",
    EXISTS (SELECT FROM messages m WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq > t.last_seq
      AND m.sender_type IN ('VISITOR', 'AGENT') AND m.deleted_at IS NULL) AS "isPassed"
  FROM bot_turns t LEFT JOIN bot_connections k ON k.organization_id = $1 AND k.bot_id = t.bot_id
  WHERE t.organization_id = $1 AND t.chat_id = $2 ORDER BY t.id DESC LIMIT 1`;

export async function findLastTurn(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<LastTurn | null> {
  const [row]: LastTurn[] = await tx.query(FIND_LAST, [organizationId, chatId]);
  return row ?? null;
}

const REPEAT = `
  INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, traceparent, created_at, replaces)
  VALUES ($1, $2, $3, $4, 'WAITING', $5, $6, statement_timestamp(), $7, statement_timestamp(), $8::text[])`;

/** Makes a turn for the messages of one that has ended. */
export async function repeatTurn(
  tx: EntityManager,
  { organizationId, id, botId, chatId, firstSeq, lastSeq, replaces }: LastTurn,
  traceparent: string | null,
): Promise<void> {
  const values = [newId('trn'), botId, chatId, firstSeq, lastSeq, traceparent, [...replaces, id]];
  await tx.query(REPEAT, [organizationId, ...values]);
}
