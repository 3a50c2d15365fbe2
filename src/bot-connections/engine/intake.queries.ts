import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { FIRST_CONNECTED } from '../../live/visitors/connected-chats.queries.js';
import { sqlIsOfExisting } from '../../organizations/organization-deletion.queries.js';
import { type Lane, laneOf } from '../../receivers/lane.js';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';
import { newId } from '../../platform/lib/ids.js';
import type { ConnectionKind, OnNewMessage } from '../model/connection.js';

/** The most events that a transaction takes. */
export const BATCH = 50;

// One index lookup per connection.
const waiting = (isOf: IsOf) => `
  SELECT c.organization_id AS "organizationId", c.id FROM bot_connections c
  WHERE ${isOf('c')} AND ${sqlIsOfExisting('c')} AND EXISTS (SELECT FROM deliveries d
    WHERE d.organization_id = c.organization_id AND d.receiver_id = c.id AND d.outcome IS NULL AND d.due_at IS NULL)`;

/** The lanes of connections with events that no node has taken. */
export async function findWaitingLanes(pool: Pool): Promise<Lane[]> {
  const query = { name: 'find-waiting-connections', text: waiting, values: [] };
  const rows = await queryEverywhere<{ organizationId: string; id: string }>(pool, query);
  return rows.map(({ organizationId, id }) => laneOf(organizationId, id));
}

/** An event of a connection. */
export interface QueuedEvent {
  id: string;
  eventType: string;
  chatId: string;
  payload: string;
  traceparent: string | null;
}

const TAKE = `
  SELECT d.id, d.event_type AS "eventType", d.chat_id AS "chatId", d.payload, d.traceparent FROM deliveries d
  WHERE d.organization_id = $1 AND d.receiver_id = $2 AND d.outcome IS NULL AND d.due_at IS NULL
  ORDER BY d.position LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;

/** The oldest events of a connection, locked. */
export function takeEvents(tx: EntityManager, { organizationId, id }: Lane): Promise<QueuedEvent[]> {
  return tx.query(TAKE, [organizationId, id]);
}

const REMOVE = 'DELETE FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND id = ANY ($3)';

export async function removeEvents(tx: EntityManager, { organizationId, id }: Lane, ids: readonly string[]) {
  await tx.query(REMOVE, [organizationId, id, ids]);
}

const LOCK = `
  SELECT c.bot_id AS "botId", c.kind, c.settings->>'onNewMessage' AS "onNewMessage", (c.settings->>'collectFor')::integer AS "collectFor",
    c.bot_id = ${FIRST_CONNECTED} AS "isFirst"
  FROM bot_connections c WHERE c.organization_id = $1 AND c.id = $2 FOR NO KEY UPDATE`;

/** How a connection makes turns. */
export interface TurnRules {
  botId: string;
  kind: ConnectionKind;
  onNewMessage: OnNewMessage;
  collectFor: number;
  /** Whether it answers in groups that name no bot. */
  isFirst: boolean;
}

/** Locks a connection, so that one transaction at a time makes its turns. */
export async function lockRules(tx: EntityManager, { organizationId, id }: Lane): Promise<TurnRules | null> {
  const [rules]: TurnRules[] = await tx.query(LOCK, [organizationId, id]);
  return rules ?? null;
}

const FIND_CHATS = `
  SELECT c.id, g.bot_id AS "botId", c.status = 'ACTIVE' AND c.agent_id IS NULL AND c.erased_at IS NULL AS "isOfBots",
    (SELECT CASE WHEN m.sender_type = 'VISITOR' THEN m.seq END FROM messages m
      WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.sender_type <> 'SYSTEM' AND m.deleted_at IS NULL
      ORDER BY m.seq DESC LIMIT 1) AS "unansweredSeq"
  FROM chats c JOIN groups g ON g.organization_id = $1 AND g.id = c.group_id
  WHERE c.organization_id = $1 AND c.id = ANY ($2::text[])`;

export interface ChatOfEvent {
  id: string;
  /** The bot that the chat's group names. */
  botId: string | null;
  isOfBots: boolean;
  /** The visitor's last message, if no bot or agent has written since. */
  unansweredSeq: number | null;
}

export async function findChatsOfEvents(
  tx: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, ChatOfEvent>> {
  const rows: ChatOfEvent[] = await tx.query(FIND_CHATS, [organizationId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A visitor's message that a turn is to answer. */
export interface ToAnswer {
  organizationId: string;
  botId: string;
  chatId: string;
  seq: number;
  traceparent: string | null;
}

const IS_UNBEGUN = `organization_id = $1 AND chat_id = $2 AND bot_id = $3 AND status = 'WAITING' AND began_at IS NULL`;
const SECONDS = (ms: string) => `make_interval(secs => ${ms}::integer / 1000.0)`;
const FIND_UNBEGUN = `
  SELECT id, created_at AS "createdAt", statement_timestamp() AS now FROM bot_turns WHERE ${IS_UNBEGUN} FOR UPDATE`;
const EXTEND = `
  UPDATE bot_turns SET first_seq = least(first_seq, $3::integer), last_seq = greatest(last_seq, $3::integer), due_at = $4
  WHERE organization_id = $1 AND id = $2`;

/**
 * Adds a message to the chat's turn that hasn't begun. Returns whether there's one.
 * @param collectFor milliseconds from now until the turn begins. It begins at most five times as long after it was made
 */
export async function extendTurn(tx: EntityManager, to: ToAnswer, collectFor: number): Promise<boolean> {
  type Unbegun = { id: string; createdAt: Date; now: Date };
  const turns: Unbegun[] = await tx.query(FIND_UNBEGUN, [to.organizationId, to.chatId, to.botId]);
  for (const { id, createdAt, now } of turns) {
    const due = new Date(Math.min(now.getTime() + collectFor, createdAt.getTime() + 5 * collectFor));
    await tx.query(EXTEND, [to.organizationId, id, to.seq, due]);
  }
  return turns.length > 0;
}

const IS_WAITING = `
  SELECT EXISTS (SELECT FROM bot_turns WHERE organization_id = $1 AND chat_id = $2 AND bot_id = $3 AND status = 'WAITING'
    AND $4::integer BETWEEN first_seq AND last_seq) AS "isWaiting"`;

/** Whether a turn for the message waits already. */
export async function hasWaitingTurn(
  tx: EntityManager,
  { organizationId, chatId, botId, seq }: ToAnswer,
): Promise<boolean> {
  const [row]: { isWaiting: boolean }[] = await tx.query(IS_WAITING, [organizationId, chatId, botId, seq]);
  return row!.isWaiting;
}

const HAS_ENDED = `
  SELECT EXISTS (SELECT FROM bot_turns WHERE organization_id = $1 AND chat_id = $2 AND bot_id = $3 AND status <> 'ABORTED'
    AND last_seq >= $4::integer) AS "hasEnded"`;

/** Whether a turn for the message has ended, other than by a move of the chat. */
export async function hasEndedTurn(
  tx: EntityManager,
  { organizationId, chatId, botId, seq }: ToAnswer,
): Promise<boolean> {
  const [row]: { hasEnded: boolean }[] = await tx.query(HAS_ENDED, [organizationId, chatId, botId, seq]);
  return row!.hasEnded;
}

const INSERT = `
  INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, traceparent, created_at)
  VALUES ($1, $2, $3, $4, 'WAITING', $5, $6, statement_timestamp() + ${SECONDS('$7')}, $8, statement_timestamp())`;

export async function insertTurn(tx: EntityManager, to: ToAnswer, firstSeq: number, delay: number): Promise<void> {
  const { organizationId, botId, chatId, seq, traceparent } = to;
  await tx.query(INSERT, [organizationId, newId('trn'), botId, chatId, firstSeq, seq, delay, traceparent]);
}

const IS_ANSWERED = `
  SELECT EXISTS (SELECT FROM messages WHERE organization_id = $1 AND chat_id = $2 AND seq > $3
    AND sender_type IN ('AGENT', 'BOT') AND deleted_at IS NULL) AS "isAnswered"`;

/** Whether an agent or a bot has written since a message. */
export async function isAnswered(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  seq: number,
): Promise<boolean> {
  const [row]: { isAnswered: boolean }[] = await tx.query(IS_ANSWERED, [organizationId, chatId, seq]);
  return row!.isAnswered;
}

// The run notices that the turn isn't its own anymore.
const ABORT = `
  UPDATE bot_turns SET status = 'ABORTED', ended_at = statement_timestamp(), leased_until = NULL
  WHERE organization_id = $1 AND chat_id = $2 AND bot_id = $3 AND status IN ('WAITING', 'RUNNING')
  RETURNING first_seq AS "firstSeq", run_id AS "runId"`;
const ABORT_RUNS = `
  UPDATE bot_runs SET outcome = 'ABORTED', duration_ms = extract(epoch FROM statement_timestamp() - started_at) * 1000
  WHERE organization_id = $1 AND id = ANY ($2::text[]) AND outcome IS NULL`;

/** How many turns and runs were aborted. */
export interface Aborted {
  /** The first message that they were to answer. */
  firstSeq: number;
  turns: number;
  runs: number;
}

/** Aborts the turns of a chat. Null if it has none. */
export async function abortTurns(
  tx: EntityManager,
  to: Omit<ToAnswer, 'seq' | 'traceparent'>,
): Promise<Aborted | null> {
  const values = [to.organizationId, to.chatId, to.botId];
  const [turns] = (await tx.query(ABORT, values)) as [{ firstSeq: number; runId: string | null }[], number];
  const runs = turns.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  if (runs.length > 0) await tx.query(ABORT_RUNS, [to.organizationId, runs]);
  if (turns.length === 0) return null;
  return { firstSeq: Math.min(...turns.map(({ firstSeq }) => firstSeq)), turns: turns.length, runs: runs.length };
}
