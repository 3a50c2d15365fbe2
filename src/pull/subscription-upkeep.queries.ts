import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import type { Pool } from 'pg';

/** The most events that wait for a bot; older ones are dropped. */
const MAX_EVENTS = 100_000;
/** The most subscriptions that a statement reads, and the most events that one removes. */
export const PAGE_SIZE = 50;
export const BATCH_SIZE = 1_000;

// The events of a subscription `s` that wait.
const waitingOf = (organizationId: string) =>
  `d.organization_id = ${organizationId} AND d.receiver_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL`;
const WAITING = waitingOf('s.organization_id');

/** A subscription, and which of its events to drop. */
export interface DueSubscription {
  organizationId: string;
  botId: string;
  id: string;
  /** Whether its oldest event is too old. */
  isOld: boolean;
  /** Events up to this position are over the limit; null if none is. */
  dropUpTo: string | null;
  /** Whether its bot hasn't polled for too long. */
  isSilent: boolean;
  isSuspended: boolean;
}

// One index lookup per subscription. If its events reach the limit, the index is read up to there.
const FIND_NEXT = `
  SELECT s.organization_id AS "organizationId", s.bot_id AS "botId", s.id, s.is_resting AS "isSuspended",
    COALESCE((SELECT d.created_at FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT 1) < $3, false) AS "isOld",
    (SELECT d.position FROM deliveries d WHERE ${WAITING} ORDER BY d.position DESC OFFSET ${MAX_EVENTS} LIMIT 1) AS "dropUpTo",
    NOT s.is_resting AND greatest(s.last_polled_at, s.awake_since) < $3 AS "isSilent"
  FROM subscriptions s WHERE (s.organization_id, s.bot_id) > ($1, $2) AND ${sqlIsOfExisting('s')}
  ORDER BY s.organization_id, s.bot_id LIMIT ${PAGE_SIZE}`;

/** The next subscriptions after one, and what to do about each. @param before events and polls before this time are too old */
export async function findSubscriptions(
  pool: Pool,
  after: { organizationId: string; botId: string },
  before: Date,
): Promise<DueSubscription[]> {
  const values = [after.organizationId, after.botId, before];
  return (await pool.query<DueSubscription>({ name: 'find-subscriptions', text: FIND_NEXT, values })).rows;
}

// An event that a poll has deleted since, or that a removal has locked, is no gap. Locks only events that it deletes: a poll
// skips locked events when it deletes an ack's events, so a locked one that stayed would be returned again.
const DROP = `
  WITH dropped AS (
    DELETE FROM deliveries WHERE organization_id = $1 AND receiver_id = $3 AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.organization_id = $1 AND d.receiver_id = $3 AND d.outcome IS NULL AND d.due_at IS NULL
        AND (d.created_at < $4 OR d.position <= $5) AND d.position <= (
          SELECT max(o.position) FROM (
            SELECT position FROM deliveries
            WHERE organization_id = $1 AND receiver_id = $3 AND outcome IS NULL AND due_at IS NULL
            ORDER BY position LIMIT ${BATCH_SIZE}) o)
      FOR UPDATE SKIP LOCKED))
    RETURNING created_at
  ), count AS MATERIALIZED (
    SELECT count(*)::integer AS events, min(created_at) AS since FROM dropped
  ), noted AS (
    UPDATE subscriptions s SET gap_since = least(s.gap_since, c.since),
      gap_dropped = CASE WHEN s.gap_since IS NOT NULL AND s.gap_dropped IS NULL THEN NULL
        ELSE COALESCE(s.gap_dropped, 0) + c.events END
    FROM count c WHERE s.organization_id = $1 AND s.bot_id = $2 AND s.id = $3 AND c.events > 0
  )
  SELECT events FROM count`;

/** Drops a batch of the oldest events, before a time or up to a position, and records the gap. Returns how many were dropped. */
export async function dropEvents(
  pool: Pool,
  { organizationId, botId, id, dropUpTo }: DueSubscription,
  before: Date,
): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(DROP, [organizationId, botId, id, before, dropUpTo]);
  return rows[0]!.events;
}

// The number of events that a suspended subscription misses is unknown.
const SUSPEND = `
  WITH rested AS (
    UPDATE subscriptions s SET is_resting = true, gap_dropped = NULL,
      gap_since = least(s.gap_since, now(), (SELECT d.created_at FROM deliveries d WHERE ${waitingOf('$1')} ORDER BY d.position LIMIT 1))
    WHERE s.organization_id = $1 AND s.bot_id = $2 AND s.id = $3 AND NOT s.is_resting
      AND greatest(s.last_polled_at, s.awake_since) < $4
    RETURNING s.id
  )
  UPDATE receivers r SET is_enabled = false FROM rested s WHERE r.organization_id = $1 AND r.id = s.id`;

/** Suspends a subscription whose bot hasn't polled since a time: no events are queued for it. */
export async function suspendSubscription(
  pool: Pool,
  { organizationId, botId, id }: DueSubscription,
  before: Date,
): Promise<void> {
  await pool.query(SUSPEND, [organizationId, botId, id, before]);
}

const REMOVE = `
  DELETE FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND id = ANY (ARRAY(
    SELECT d.id FROM deliveries d WHERE d.organization_id = $1 AND d.receiver_id = $2 AND NOT EXISTS (
      SELECT FROM subscriptions s WHERE s.organization_id = $1 AND s.id = $2 AND NOT s.is_resting)
    ORDER BY d.id LIMIT ${BATCH_SIZE} FOR UPDATE OF d SKIP LOCKED))`;

/** Removes a batch of events of a subscription, only if it's deleted or suspended. Returns how many were removed. */
export async function removeEvents(pool: Pool, organizationId: string, id: string): Promise<number> {
  return (await pool.query(REMOVE, [organizationId, id])).rowCount ?? 0;
}
