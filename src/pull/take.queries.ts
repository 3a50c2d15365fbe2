import type { Pool } from 'pg';
import { eventIdOf } from '../outbox/event-type.js';
import { queryOrganizations } from '../platform/database/citus/per-organization.js';

/** The bot that polls, and the token it uses. */
export interface PollingBot {
  organizationId: string;
  botId: string;
  tokenId: string;
}

/** The dropped events: how many (null: unknown), and the time of the oldest. */
export interface Gap {
  droppedEvents: number | null;
  since: Date;
}

/** The events that a poll has taken. */
export interface Taken {
  /** The subscription's id. */
  id: string;
  generation: bigint;
  /** The bodies of the events, the same text that webhooks are sent. */
  payloads: string[];
  /** The `traceparent` of each event that a traced request caused, by the event's id. */
  traces: Record<string, string>;
  /** How many more are waiting, up to `MAX_PENDING`. */
  pending: number;
  gap: Gap | null;
  /** Whether a part of the gap is reported for the first time. */
  hasNewGap: boolean;
}

/** The count of waiting events stops here. */
export const MAX_PENDING = 1_000;
/** The most bytes of events in a response; a single event may be larger. */
export const MAX_BYTES = 1_000_000;

export const WAITS = 'd.outcome IS NULL AND d.due_at IS NULL';

/** Whether copies of the bot share its events. */
const IS_SHARED = `EXISTS (SELECT FROM subscription_copies o
      WHERE o.organization_id = $1 AND o.subscription_id = s.id AND o.leased_until > clock_timestamp())`;

/** The most earlier responses that are kept until they're acknowledged. Beyond it the oldest are removed, and their `ack` does nothing. */
const MAX_EARLIER_ANSWERS = 100;

// A response with events or a gap. A bot may acknowledge it after newer ones.
const MAY_BE_ACKED = `(s.answered <> '{}' OR s.told_gap_since IS NOT NULL)`;

/** The extra parts of the statement for a poll that doesn't acknowledge the newest response. */
const EARLIER_ANSWERS = {
  isTaken: 'true',
  acked: `
      UNION ALL
      SELECT e.generation, e.positions FROM subscription_answers e
      WHERE e.organization_id = $1 AND e.subscription_id = s.id AND e.ack = $4
      LIMIT 1`,
  changes: `
  ), kept AS (
    INSERT INTO subscription_answers (organization_id, subscription_id, generation, ack, positions)
    SELECT $1, a.id, a.earlier, a.earlier_ack, a.earlier_positions FROM answered a WHERE a.is_earlier
  ), forgotten AS (
    DELETE FROM subscription_answers e USING answered a
    WHERE e.organization_id = $1 AND e.subscription_id = a.id AND (e.generation = a.acked OR a.is_earlier AND e.generation <= (
      SELECT o.generation FROM subscription s JOIN subscription_answers o ON o.organization_id = $1 AND o.subscription_id = s.id
      ORDER BY o.generation DESC OFFSET ${MAX_EARLIER_ANSWERS - 1} LIMIT 1))`,
};

/** For a bot with a single client: the poll acknowledges the newest response, or there is none to keep. Uses no other table. */
const NEWEST_ANSWER = {
  isTaken: `(s.ack = $4 OR $7::bigint IS NOT NULL OR ($4::text IS NULL AND NOT ${MAY_BE_ACKED}))`,
  acked: '',
  changes: '',
};

/** In `subscription`: the reported part of the gap, unless the poll acknowledges the response that reported it. */
export const TOLD_GAP = `CASE WHEN acked.generation >= s.told_gap_generation THEN NULL ELSE s.told_gap_since END AS told_since,
      CASE WHEN acked.generation >= s.told_gap_generation THEN NULL ELSE s.told_gap_dropped END AS told_dropped`;

/** In `answered`: the new part of the gap joins the reported part. */
export const REPORTED_GAP = `gap_since = NULL, gap_dropped = NULL, told_gap_since = least(o.gap_since, o.told_since),
      told_gap_generation = CASE WHEN o.gap_since IS NULL THEN s.told_gap_generation ELSE s.generation + 1 END,
      told_gap_dropped = CASE
        WHEN (o.gap_since IS NOT NULL AND o.gap_dropped IS NULL) OR (o.told_since IS NOT NULL AND o.told_dropped IS NULL) THEN NULL
        ELSE COALESCE(o.gap_dropped, 0) + COALESCE(o.told_dropped, 0) END`;

/**
 * The end of the statement: deletes the acknowledged events, and returns the taken ones. Acknowledged deliveries are looked up one by
 * one and deleted by ctid. For a list of them, the planner, whose statistics lag behind a table that changes so fast, would read
 * everything that the subscription ever had. A waiting delivery is never updated, so its ctid stays valid.
 */
export const FINISH = `), done AS MATERIALIZED (
    SELECT e.tuple FROM answered a CROSS JOIN LATERAL unnest(a.done) AS one (position) CROSS JOIN LATERAL (
      SELECT d.ctid AS tuple FROM deliveries d
      WHERE d.organization_id = $1 AND d.webhook_id = a.id AND ${WAITS} AND d.position = one.position
      FOR UPDATE SKIP LOCKED) e
  ), finished AS (
    DELETE FROM deliveries d USING done e WHERE d.organization_id = $1 AND d.ctid = e.tuple
  )
  SELECT a.id, a.generation, a.told_gap_since AS "since", a.told_gap_dropped::float8 AS "droppedEvents",
    a.has_new_gap AS "hasNewGap", r.pending, t.payload,
    CASE WHEN t.traceparent IS NOT NULL THEN t.id END AS "tracedId", t.traceparent
  FROM answered a CROSS JOIN rest r LEFT JOIN taken t ON true
  ORDER BY t.position`;

// Deletes the events of `ack`, takes the next ones, and records their positions, in one statement. It reads the subscription
// without a lock. If another poll has taken events since, the generation differs, nothing happens, and the caller tries again.
// The statement waits for no delivery: one that a removal has locked is about to be deleted anyway.
// It doesn't wait for the commit to reach the disk: after a database crash the events are returned again, and no `ack` is
// issued twice.
// The newest response stands in the subscription. A poll that doesn't acknowledge it moves it to `subscription_answers`. A poll
// that takes again after waiting ($7) has not sent its first, empty response to a client.
const takeStatement = ({ isTaken, acked, changes }: typeof EARLIER_ANSWERS) => `
  WITH subscription AS MATERIALIZED (
    SELECT s.id, s.generation, s.ack, s.answered, s.gap_since, s.gap_dropped, commit.durability,
      acked.generation AS acked, COALESCE(acked.positions, '{}') AS done,
      ${TOLD_GAP},
      s.ack IS DISTINCT FROM $4 AND $7::bigint IS NULL AND ${MAY_BE_ACKED} AS is_earlier
    FROM subscriptions s CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true) AS durability) AS commit
    LEFT JOIN LATERAL (
      SELECT s.generation, s.answered AS positions WHERE s.ack = $4${acked}) acked ON true
    WHERE s.organization_id = $1 AND s.bot_id = $2 AND NOT s.is_resting AND ($7::bigint IS NULL OR s.generation = $7)
      AND ${isTaken} AND NOT ${IS_SHARED}
      AND EXISTS (SELECT FROM access_tokens t WHERE t.organization_id = $1 AND t.bot_id = $2 AND t.id = $3
        AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp()))
  ), waiting AS MATERIALIZED (
    SELECT d.position, d.id, d.payload, d.traceparent, octet_length(d.payload) AS size
    FROM subscription s CROSS JOIN LATERAL (
      SELECT d.position, d.id, d.payload, d.traceparent FROM deliveries d
      WHERE d.organization_id = $1 AND d.webhook_id = s.id AND ${WAITS} AND d.position <> ALL (s.done)
      ORDER BY d.position LIMIT $6) d
  ), taken AS MATERIALIZED (
    SELECT position, id, payload, traceparent FROM (
      SELECT w.position, w.id, w.payload, w.traceparent, w.size, sum(w.size) OVER (ORDER BY w.position) AS total FROM waiting w
    ) w WHERE total <= ${MAX_BYTES} OR total = size
  ), rest AS MATERIALIZED (
    SELECT count(*)::integer AS pending FROM subscription s CROSS JOIN LATERAL (
      SELECT FROM deliveries d
      WHERE d.organization_id = $1 AND d.webhook_id = s.id AND ${WAITS} AND d.position <> ALL (s.done)
        AND d.position > (SELECT max(t.position) FROM taken t)
      ORDER BY d.position LIMIT ${MAX_PENDING}) d
  ), answered AS (
    UPDATE subscriptions s SET generation = s.generation + 1, ack = $5, last_polled_at = now(),
      answered = ARRAY(SELECT t.position FROM taken t ORDER BY t.position),
      ${REPORTED_GAP}
    FROM subscription o
    WHERE s.organization_id = $1 AND s.bot_id = $2 AND s.id = o.id AND s.generation = o.generation AND NOT s.is_resting
      AND ($8 OR o.gap_since IS NOT NULL OR EXISTS (SELECT FROM taken))
    RETURNING s.id, s.generation, s.told_gap_since, s.told_gap_dropped, o.done, o.gap_since IS NOT NULL AS has_new_gap,
      o.acked, o.is_earlier, o.generation AS earlier, o.ack AS earlier_ack, o.answered AS earlier_positions${changes}
  ${FINISH}`;

const TAKE = { name: 'take-events', text: takeStatement(NEWEST_ANSWER) };
const TAKE_BESIDE = { name: 'take-events-beside', text: takeStatement(EARLIER_ANSWERS) };

export interface TakenRow {
  id: string;
  generation: string;
  since: Date | null;
  droppedEvents: number | null;
  hasNewGap: boolean;
  pending: number;
  payload: string | null;
  /** The id of the delivery, with a trace. */
  tracedId: string | null;
  traceparent: string | null;
}

export interface TakeOptions {
  limit: number;
  /** The `ack` that the poll presents, if any. */
  presented: string | null;
  /** The `ack` of the response. */
  ack: string;
  /** Takes nothing if a newer poll has taken events since this generation; null: takes in any case. */
  generation: bigint | null;
  /** Whether to return an empty response if no events are waiting. */
  mayBeEmpty: boolean;
}

/**
 * Deletes the events of the presented `ack` and takes the next ones. Returns null if nothing was changed: the token is invalid,
 * the subscription doesn't exist or is suspended, another poll was faster, or no events are waiting.
 */
export async function takeEvents(
  pool: Pool,
  { organizationId, botId, tokenId }: PollingBot,
  { limit, presented, ack, generation, mayBeEmpty }: TakeOptions,
): Promise<Taken | null> {
  const values = [organizationId, botId, tokenId, presented, ack, limit, generation, mayBeEmpty];
  let { rows } = await pool.query<TakenRow>({ ...TAKE, values });
  if (rows.length === 0 && generation === null) ({ rows } = await pool.query<TakenRow>({ ...TAKE_BESIDE, values }));
  return toTaken(rows);
}

export function toTaken(rows: readonly TakenRow[]): Taken | null {
  const [first] = rows;
  if (!first) return null;
  const { id, pending, since, droppedEvents, hasNewGap } = first;
  const payloads = rows.flatMap(({ payload }) => (payload === null ? [] : [payload]));
  const gap = since && { droppedEvents, since };
  const traces = Object.fromEntries(
    rows.flatMap(({ tracedId, traceparent }) => (tracedId && traceparent ? [[eventIdOf(tracedId), traceparent]] : [])),
  );
  return { id, generation: BigInt(first.generation), payloads, traces, pending, gap, hasNewGap };
}

/** The state of a subscription, for a waiting poll. */
export interface SubscriptionState {
  /** Whether the token is valid. */
  isValid: boolean;
  /** The subscription's id; null if the bot has none. */
  id: string | null;
  /** The generation of the newest poll; for a copy that shares, of its own newest poll. */
  generation: bigint | null;
  /** How many copies share the events. */
  copies: number;
  isSuspended: boolean;
  /** Whether events or a gap may be waiting. */
  mayHaveEvents: boolean;
}

const READ_STATES = `
  SELECT i.ordinal::integer, t.id IS NOT NULL AS "isValid", s.id, CASE WHEN i.copy IS NULL THEN s.generation ELSE c.generation END AS generation,
    (SELECT count(*)::integer FROM subscription_copies o
      WHERE o.organization_id = s.organization_id AND o.subscription_id = s.id AND o.leased_until > clock_timestamp()) AS copies,
    COALESCE(s.is_resting, false) AS "isSuspended",
    s.gap_since IS NOT NULL OR EXISTS (SELECT FROM deliveries d
      WHERE d.organization_id = s.organization_id AND d.webhook_id = s.id AND ${WAITS}) AS "mayHaveEvents"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS i (organization_id, bot_id, token_id, copy, ordinal)
  LEFT JOIN access_tokens t ON t.organization_id = i.organization_id AND t.bot_id = i.bot_id AND t.id = i.token_id
    AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())
  LEFT JOIN subscriptions s ON s.organization_id = i.organization_id AND s.bot_id = i.bot_id
  LEFT JOIN subscription_copies c ON c.organization_id = i.organization_id AND c.subscription_id = s.id AND c.copy = i.copy`;

/** Reads the states of the subscriptions of these bots, in their order. */
export async function readSubscriptionStates(
  pool: Pool,
  bots: readonly (PollingBot & { copy?: string })[],
): Promise<SubscriptionState[]> {
  const values = [
    bots.map(({ organizationId }) => organizationId),
    bots.map(({ botId }) => botId),
    bots.map(({ tokenId }) => tokenId),
    bots.map(({ copy }) => copy),
  ];
  const query = { name: 'read-subscription-states', text: READ_STATES, values };
  const rows = await queryOrganizations<SubscriptionState & { ordinal: number; generation: string | null }>(
    pool,
    query,
  );
  const states = Array.from<SubscriptionState>({ length: bots.length });
  for (const { ordinal, generation, ...row } of rows) {
    states[ordinal - 1] = { ...row, generation: generation === null ? null : BigInt(generation) };
  }
  return states;
}
