import type { EntityManager } from 'typeorm';
import { newId } from '../../platform/lib/ids.js';
import { RETURNS } from '../../receivers/event-type.js';
import type { ConnectionRow } from '../connections/connections.queries.js';
import type { TurnStatus } from '../model/turn.js';
import { hasQuestion, type TurnKey } from '../turns/take.queries.js';

const FIND_BEGUN = `
  SELECT id FROM bot_turns
  WHERE organization_id = $1 AND chat_id = $2 AND status IN ('WAITING', 'RUNNING') AND began_at IS NOT NULL
  ORDER BY status, first_seq LIMIT 1`;

/** The turn that has begun in a chat, and hasn't ended. */
export async function findBegun(tx: EntityManager, organizationId: string, chatId: string): Promise<TurnKey | null> {
  const [row]: { id: string }[] = await tx.query(FIND_BEGUN, [organizationId, chatId]);
  return row ? { organizationId, id: row.id } : null;
}

const STOP = 'UPDATE bot_turns SET stopped_at = $3 WHERE organization_id = $1 AND id = $2';

/** Asks the run of a locked turn to end, on any node. */
export async function stopTurn(tx: EntityManager, { organizationId, id }: TurnKey): Promise<void> {
  await tx.query(STOP, [organizationId, id, new Date()]);
}

const STOP_ANSWERS = `
  UPDATE chats SET stopped_seq = COALESCE($3::integer, message_count), stopped_at = $4 WHERE organization_id = $1 AND id = $2`;

/** Records in a locked chat that its visitor waits for no answer to the messages up to `seq`, or to any message if it's null. */
export async function stopAnswers(
  tx: EntityManager,
  { organizationId, chatId, seq }: { organizationId: string; chatId: string; seq: number | null },
): Promise<void> {
  await tx.query(STOP_ANSWERS, [organizationId, chatId, seq, new Date()]);
}

/** The newest turn of a chat, and what decides whether it may be repeated. */
export interface LastTurn extends TurnKey {
  botId: string;
  chatId: string;
  status: TurnStatus;
  firstSeq: number;
  lastSeq: number;
  replaces: string[];
  /** Whether at least one of its messages wasn't deleted. */
  hasQuestion: boolean;
  /** Whether the visitor or an agent has written since. */
  isPassed: boolean;
}

const FIND_LAST = `
  SELECT t.organization_id AS "organizationId", t.id, t.bot_id AS "botId", t.chat_id AS "chatId", t.status, t.first_seq AS "firstSeq",
    t.last_seq AS "lastSeq", t.replaces, ${hasQuestion('t')} AS "hasQuestion",
    EXISTS (SELECT FROM messages m WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq > t.last_seq
      AND m.sender_type IN ('VISITOR', 'AGENT') AND m.deleted_at IS NULL) AS "isPassed"
  FROM bot_turns t WHERE t.organization_id = $1 AND t.chat_id = $2 ORDER BY t.id DESC LIMIT 1`;

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

const REMOVE_RETURNS = `
  DELETE FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND chat_id = $3 AND event_type = ANY ($4::text[])
    AND outcome IS NULL AND due_at IS NULL`;

/** Removes the events of a locked connection that would make another turn for what the visitor wrote last. */
export async function removeReturns(
  tx: EntityManager,
  { organizationId, id }: ConnectionRow,
  chatId: string,
): Promise<void> {
  await tx.query(REMOVE_RETURNS, [organizationId, id, chatId, RETURNS]);
}
