import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import type { Pool } from 'pg';
import { eventIdOf } from '../receivers/event-type.js';
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
  /** The bodies of the events, the same text that webhooks are sent, with commas between them. */
  events: string;
  count: number;
  /** The `traceparent` of each event that a traced request caused, by the event's id. */
  traces: Record<string, string>;
  /** How many more are waiting, up to 1,000. */
  pending: number;
  gap: Gap | null;
  /** Whether a part of the gap is reported for the first time. */
  hasNewGap: boolean;
}

/** The most copies of a bot at a time. */
export const MAX_COPIES = 64;

/**
 * What a poll does, in one call: one round trip, one commit. The text of the function is in `migrations/functions/take-events.ts`. It
 * returns one row with the text of all events, because a row for each event would cost Node more.
 */
const TAKE = `
  SELECT id, generation, since, dropped_events AS "droppedEvents", has_new_gap AS "hasNewGap", pending, events, count, traceparents
  FROM take_events_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

interface TakenRow extends Omit<Taken, 'id' | 'generation' | 'traces' | 'gap'>, Omit<Gap, 'since'> {
  /** Null: nothing was changed. */
  id: string | null;
  generation: string;
  since: Date | null;
  /** The `traceparent` of each event that a traced request caused, by the delivery's id. */
  traceparents: Record<string, string> | null;
}

export interface TakeOptions {
  limit: number;
  /** The `ack` that the poll presents, if any. */
  presented: string | null;
  /** The `ack` of the response. */
  ack: string;
  /** Takes nothing if a newer poll, for a copy its own, has taken events since this generation; null: takes in any case. */
  generation: bigint | null;
  /** Whether to return an empty response if no events are waiting. */
  mayBeEmpty: boolean;
  /** The name of the copy, if several copies of the bot share its events. */
  copy?: string;
  /** Seconds until other copies may take the copy's chats. */
  lease?: number;
}

/**
 * Deletes the events of the presented `ack` and takes the next ones. Returns null if nothing was changed: the token is invalid,
 * the subscription doesn't exist or is suspended, another poll was faster, no events are waiting, or the bot has copies: this isn't one of
 * them, or there are too many.
 */
export async function takeEvents(
  pool: Pool,
  { organizationId, botId, tokenId }: PollingBot,
  { limit, presented, ack, generation, mayBeEmpty, copy, lease }: TakeOptions,
): Promise<Taken | null> {
  const values = [organizationId, botId, tokenId, presented, ack, limit, generation, mayBeEmpty, copy, lease];
  return toTaken((await pool.query<TakenRow>({ name: 'take-events', text: TAKE, values })).rows[0]!);
}

function toTaken({ id, generation, since, droppedEvents, traceparents, ...taken }: TakenRow): Taken | null {
  if (id === null) return null;
  const traces = Object.fromEntries(
    Object.entries(traceparents ?? {}).map(([delivery, traceparent]) => [eventIdOf(delivery), traceparent]),
  );
  return { ...taken, id, generation: BigInt(generation), traces, gap: since && { droppedEvents, since } };
}

const LEASE = `
  UPDATE subscription_copies SET leased_until = statement_timestamp() + make_interval(secs => $5)
  WHERE organization_id = $1 AND subscription_id = $2 AND copy = $3 AND generation = $4`;

/** A copy of a bot, and the generation of its newest poll. */
export interface LeasedCopy {
  organizationId: string;
  subscriptionId: string;
  copy: string;
  generation: bigint;
}

/** Sets in how many seconds other copies may take a copy's chats. Changes nothing if the copy has polled since. */
export async function leaseChats(
  pool: Pool,
  { organizationId, subscriptionId, copy, generation }: LeasedCopy,
  seconds: number,
): Promise<void> {
  const values = [organizationId, subscriptionId, copy, generation, seconds];
  await pool.query({ name: 'lease-chats', text: LEASE, values });
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
      WHERE d.organization_id = s.organization_id AND d.receiver_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL) AS "mayHaveEvents"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS i (organization_id, bot_id, token_id, copy, ordinal)
  LEFT JOIN access_tokens t ON t.organization_id = i.organization_id AND t.bot_id = i.bot_id AND t.id = i.token_id
    AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp()) AND ${sqlIsOfExisting('t')}
  LEFT JOIN subscriptions s ON s.organization_id = i.organization_id AND s.bot_id = i.bot_id
  LEFT JOIN subscription_copies c ON c.organization_id = i.organization_id AND c.subscription_id = s.id AND c.copy = i.copy`;

/** Reads the states of the subscriptions of these bots, in their order; null if the worker of a Citus cluster couldn't be asked. */
export async function readSubscriptionStates(
  pool: Pool,
  bots: readonly (PollingBot & { copy?: string })[],
): Promise<(SubscriptionState | null)[]> {
  const values = [
    bots.map(({ organizationId }) => organizationId),
    bots.map(({ botId }) => botId),
    bots.map(({ tokenId }) => tokenId),
    bots.map(({ copy }) => copy),
  ];
  const query = { name: 'read-subscription-states', text: READ_STATES, values, failures: new Map() };
  const rows = await queryOrganizations<SubscriptionState & { ordinal: number; generation: string | null }>(
    pool,
    query,
  );
  const states = Array.from<SubscriptionState | null>({ length: bots.length }).fill(null);
  for (const { ordinal, generation, ...row } of rows) {
    states[ordinal - 1] = { ...row, generation: generation === null ? null : BigInt(generation) };
  }
  return states;
}
