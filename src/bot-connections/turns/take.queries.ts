import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { sqlIsOfExisting } from '../../organizations/organization-deletion.queries.js';
import { type IsOf, queryEverywhere, queryOrganizations } from '../../platform/database/citus/per-organization.js';
import type { ConnectionKind, FailureSettings } from '../model/connection.js';
import type { FailureCode, TurnStatus, Usage } from '../model/turn.js';

/** Seconds that a run may go without renewing its lease, by the database's clock. */
const LEASE_SECONDS = 15;
/** The most turns that a statement finds. */
export const PAGE = 100;
/** The most turns of a chat in this many seconds. */
const MAX_TURNS = 30;
const TURNS_SECONDS = 600;
/** Seconds that a turn may wait for a free run. */
export const MAX_WAIT_SECONDS = 60;
/** The latest turns of a chat among which is the one that kept the next from beginning. */
const LATEST = 10;

/** A turn with its organization. */
export interface TurnKey {
  organizationId: string;
  id: string;
}

/** A turn that may begin. */
export interface DueTurn extends TurnKey {
  botId: string;
}

// A turn waits for the one that runs in its chat, and for those before it.
const isBlocked = (t: string, organizationId = `${t}.organization_id`) => `
  EXISTS (SELECT FROM bot_turns o WHERE o.organization_id = ${organizationId} AND o.chat_id = ${t}.chat_id AND o.id <> ${t}.id
    AND (o.status = 'RUNNING' OR (o.status = 'WAITING' AND o.first_seq < ${t}.first_seq)))`;
const due = (isOf: IsOf) => `
  SELECT organization_id AS "organizationId", id, bot_id AS "botId" FROM (
    (SELECT t.organization_id, t.id, t.bot_id, t.due_at, false AS is_lost FROM bot_turns t
      WHERE t.status = 'WAITING' AND t.due_at <= statement_timestamp() AND t.bot_id <> ALL ($1::text[])
        AND ${isOf('t')} AND ${sqlIsOfExisting('t')} AND NOT ${isBlocked('t')}
      ORDER BY t.due_at LIMIT ${PAGE})
    UNION ALL
    (SELECT l.organization_id, l.id, l.bot_id, l.due_at, true FROM bot_turns l
      WHERE l.status = 'RUNNING' AND l.leased_until < statement_timestamp() AND l.bot_id <> ALL ($1::text[])
        AND ${isOf('l')} AND ${sqlIsOfExisting('l')}
      ORDER BY l.leased_until LIMIT ${PAGE})
  ) f ORDER BY is_lost DESC, due_at`;

/** The turns whose node stopped renewing the lease, then the turns that may begin, longest due first. Leaves out the bots in `except`. */
export function findDueTurns(pool: Pool, except: readonly string[]): Promise<DueTurn[]> {
  return queryEverywhere<DueTurn>(pool, { name: 'find-due-turns', text: due, values: [except] });
}

/** A turn, and what decides whether it may begin. */
export interface LockedTurn extends TurnKey {
  botId: string;
  chatId: string | null;
  status: TurnStatus;
  firstSeq: number;
  lastSeq: number;
  step: number;
  tries: number;
  runId: string | null;
  messageIds: string[];
  failure: FailureSettings | null;
  usage: Usage | null;
  /** The turns that it repeats. */
  replaces: string[];
  traceparent: string | null;
  createdAt: Date;
  beganAt: Date | null;
  firstTokenMs: number | null;
  /** Null: the connection was deleted. */
  kind: ConnectionKind | null;
  isDue: boolean;
  isLost: boolean;
  /** Whether the visitor stopped it. */
  isStopped: boolean;
  /** Whether at least one of its messages wasn't deleted. */
  hasQuestion: boolean;
  isBlocked: boolean;
  /** Whether it has waited too long for a free run, without the time when it waited for another turn of its chat. */
  isLate: boolean;
}

/** SQL: whether at least one of the visitor's messages in the turn `t` wasn't deleted. */
export const hasQuestion = (t: string) => `
  EXISTS (SELECT FROM messages q WHERE q.organization_id = $1 AND q.chat_id = ${t}.chat_id AND q.seq BETWEEN ${t}.first_seq AND ${t}.last_seq
    AND q.sender_type = 'VISITOR' AND q.deleted_at IS NULL)`;

const COLUMNS = `
  t.organization_id AS "organizationId", t.id, t.bot_id AS "botId", t.chat_id AS "chatId", t.status, t.first_seq AS "firstSeq",
  t.last_seq AS "lastSeq", t.step, t.tries, t.run_id AS "runId", t.message_ids AS "messageIds", t.failure, t.usage, t.replaces, t.traceparent,
  (SELECT k.kind FROM bot_connections k WHERE k.organization_id = $1 AND k.bot_id = t.bot_id) AS kind, t.created_at AS "createdAt", t.began_at AS "beganAt", t.first_token_ms AS "firstTokenMs",
  t.status = 'WAITING' AND t.due_at <= statement_timestamp() AS "isDue", t.stopped_at IS NOT NULL AS "isStopped",
  (t.status = 'RUNNING' AND t.leased_until < statement_timestamp()) IS TRUE AS "isLost",
  greatest(t.due_at, (SELECT max(l.ended_at) FROM (SELECT o.ended_at FROM bot_turns o WHERE o.organization_id = $1
    AND o.chat_id = t.chat_id ORDER BY o.id DESC LIMIT ${LATEST}) l)) < statement_timestamp() - interval '${MAX_WAIT_SECONDS} s' AS "isLate"`;
const FIND = `
  SELECT bot_id AS "botId", chat_id AS "chatId", failure, traceparent FROM bot_turns WHERE organization_id = $1 AND id = $2`;
const LOCK = `
  SELECT ${COLUMNS}, ${isBlocked('t', '$1')} AS "isBlocked", ${hasQuestion('t')} AS "hasQuestion" FROM bot_turns t
  WHERE t.organization_id = $1 AND t.id = $2 FOR UPDATE OF t`;

/** What's needed of a turn before it's locked; null if it was removed. Erasing the chat or deleting the connection may still change it. */
export async function findTurn(
  tx: EntityManager,
  { organizationId, id }: TurnKey,
): Promise<Pick<LockedTurn, 'botId' | 'chatId' | 'failure' | 'traceparent'> | null> {
  const rows: Pick<LockedTurn, 'botId' | 'chatId' | 'failure' | 'traceparent'>[] = await tx.query(FIND, [
    organizationId,
    id,
  ]);
  return rows[0] ?? null;
}

export async function lockTurn(tx: EntityManager, { organizationId, id }: TurnKey): Promise<LockedTurn | null> {
  const [row]: LockedTurn[] = await tx.query(LOCK, [organizationId, id]);
  return row ?? null;
}

const IS_OF_BOT = `
  SELECT c.status = 'ACTIVE' AND c.agent_id IS NULL AND c.erased_at IS NULL AND (g.bot_id IS NULL OR g.bot_id = $3) AS "isOfBot",
    EXISTS (SELECT FROM person_requests p WHERE p.organization_id = $1 AND p.chat_id = c.id) AS "isAskedFor",
    (SELECT count(*)::integer FROM bot_turns r WHERE r.organization_id = $1 AND r.bot_id = $3 AND r.status = 'RUNNING') AS "running",
    (SELECT count(*)::integer FROM bot_turns r WHERE r.organization_id = $1 AND r.chat_id = c.id AND r.began_at IS NOT NULL
      AND r.created_at > statement_timestamp() - interval '${TURNS_SECONDS} s') >= ${MAX_TURNS} AS "hasTooMany"
  FROM chats c JOIN groups g ON g.organization_id = $1 AND g.id = c.group_id
  WHERE c.organization_id = $1 AND c.id = $2`;

/** The chat of a turn. */
export interface ChatOfTurn {
  isOfBot: boolean;
  /** Whether the visitor has asked for a person. */
  isAskedFor: boolean;
  /** How many runs the bot has, in all chats. */
  running: number;
  /** Whether the chat had 30 turns in the last 10 minutes. */
  hasTooMany: boolean;
}

export async function findChatOfTurn(
  tx: EntityManager,
  { organizationId, chatId, botId }: Pick<LockedTurn, 'organizationId' | 'chatId' | 'botId'>,
): Promise<ChatOfTurn | null> {
  const [row]: ChatOfTurn[] = await tx.query(IS_OF_BOT, [organizationId, chatId, botId]);
  return row ?? null;
}

const LEASE = `statement_timestamp() + interval '${LEASE_SECONDS} s'`;
const BEGIN = `
  UPDATE bot_turns SET status = 'RUNNING', run_id = $3, leased_until = ${LEASE}, began_at = COALESCE(began_at, $6),
    step = $4, tries = $5
  WHERE organization_id = $1 AND id = $2`;
const INSERT_RUN = `
  INSERT INTO bot_runs (organization_id, id, turn_id, step, try, started_at)
  VALUES ($1, $2, $3, $4, $5, statement_timestamp())`;

/** Begins a run of a locked turn. */
export async function beginRun(
  tx: EntityManager,
  { organizationId, id }: TurnKey,
  { runId, step, tries }: { runId: string; step: number; tries: number },
): Promise<void> {
  await tx.query(BEGIN, [organizationId, id, runId, step, tries, new Date()]);
  await tx.query(INSERT_RUN, [organizationId, runId, id, step, tries]);
}

const WAIT = `
  UPDATE bot_turns SET status = 'WAITING', run_id = NULL, leased_until = NULL, tries = $3,
    due_at = statement_timestamp() + make_interval(secs => $4)
  WHERE organization_id = $1 AND id = $2`;

/** Lets a locked turn wait for its next run. */
export async function waitForRun(
  tx: EntityManager,
  { organizationId, id }: TurnKey,
  { tries, seconds }: { tries: number; seconds: number },
): Promise<void> {
  await tx.query(WAIT, [organizationId, id, tries, seconds]);
}

const END = `
  UPDATE bot_turns SET status = $3, code = $4, run_id = NULL, leased_until = NULL, ended_at = statement_timestamp()
  WHERE organization_id = $1 AND id = $2`;

/** Ends a locked turn. */
export async function endTurn(
  tx: EntityManager,
  { organizationId, id }: TurnKey,
  status: TurnStatus,
  code: FailureCode | null = null,
): Promise<void> {
  await tx.query(END, [organizationId, id, status, code]);
}

const FORGET_CHAT = 'UPDATE bot_turns SET chat_id = NULL WHERE organization_id = $1 AND id = $2';

export async function forgetChat(tx: EntityManager, { organizationId, id }: TurnKey): Promise<void> {
  await tx.query(FORGET_CHAT, [organizationId, id]);
}

/** A run of this node. */
export interface RunKey {
  organizationId: string;
  turnId: string;
  runId: string;
  chatId: string;
}

/** Whether a run may go on. */
export interface RunState {
  /** Whether the turn is still its own. */
  isOwn: boolean;
  /** Whether the bot has the chat, and no one asked for a person. */
  isOfBot: boolean;
  /** Whether the visitor stopped the turn. */
  isStopped: boolean;
  isEnabled: boolean;
}

const WATCH = `
  SELECT i.ordinal::integer, COALESCE(t.status = 'RUNNING' AND t.run_id = i.run_id, false) AS "isOwn",
    COALESCE(c.status = 'ACTIVE' AND c.agent_id IS NULL AND c.erased_at IS NULL AND (g.bot_id IS NULL OR g.bot_id = t.bot_id) AND NOT EXISTS (
      SELECT FROM person_requests p WHERE p.organization_id = i.organization_id AND p.chat_id = c.id), false) AS "isOfBot",
    t.stopped_at IS NOT NULL AS "isStopped", COALESCE(k.is_enabled, false) AS "isEnabled"
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS i (organization_id, turn_id, run_id, ordinal)
  LEFT JOIN bot_turns t ON t.organization_id = i.organization_id AND t.id = i.turn_id
  LEFT JOIN chats c ON c.organization_id = i.organization_id AND c.id = t.chat_id
  LEFT JOIN groups g ON g.organization_id = i.organization_id AND g.id = c.group_id
  LEFT JOIN bot_connections k ON k.organization_id = i.organization_id AND k.bot_id = t.bot_id`;

/** The states of the runs, in the order of `runs`; undefined for one whose worker of a Citus cluster didn't answer. */
export async function watchRuns(pool: Pool, runs: readonly RunKey[]): Promise<(RunState | undefined)[]> {
  const query = { name: 'watch-runs', text: WATCH, values: columnsOf(runs), failures: new Map() };
  const rows = await queryOrganizations<RunState & { ordinal: number }>(pool, query);
  const states = Array.from<RunState | undefined>({ length: runs.length });
  for (const { ordinal, ...state } of rows) states[ordinal - 1] = state;
  return states;
}

const RENEW = `
  UPDATE bot_turns t SET leased_until = ${LEASE}
  FROM unnest($1::text[], $2::text[], $3::text[]) AS i (organization_id, turn_id, run_id)
  WHERE t.organization_id = i.organization_id AND t.id = i.turn_id AND t.run_id = i.run_id AND t.status = 'RUNNING'`;

/** Renews the leases of runs. */
export async function renewRuns(pool: Pool, runs: readonly RunKey[]): Promise<void> {
  await queryOrganizations(pool, { name: 'renew-runs', text: RENEW, values: columnsOf(runs), failures: new Map() });
}

function columnsOf(runs: readonly RunKey[]): string[][] {
  return [
    runs.map(({ organizationId }) => organizationId),
    runs.map(({ turnId }) => turnId),
    runs.map(({ runId }) => runId),
  ];
}
