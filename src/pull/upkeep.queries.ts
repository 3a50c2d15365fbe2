import type { Pool } from 'pg';

/** The most events that wait for a bot. */
const MAX_EVENTS = 100_000;
/** The most subscriptions that a statement looks at, and the most events that one removes. */
export const PAGE = 50;
export const BATCH = 1_000;

const WAITING =
  'd.organization_id = s.organization_id AND d.webhook_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL';

/** A subscription and what is to be dropped of it. */
export interface DueSubscription {
  organizationId: string;
  botId: string;
  id: string;
  /** Whether its oldest event is too old. */
  isOld: boolean;
  /** Events up to this position are too many; null: none is. */
  dropUpTo: string | null;
  /** Whether its bot has not called for too long. */
  isSilent: boolean;
  isResting: boolean;
}

// One index look-up per subscription, and the walk to the limit where as many events wait.
const FIND_NEXT = `
  SELECT s.organization_id AS "organizationId", s.bot_id AS "botId", s.id, s.is_resting AS "isResting",
    COALESCE((SELECT d.created_at FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT 1) < $3, false) AS "isOld",
    (SELECT d.position FROM deliveries d WHERE ${WAITING} ORDER BY d.position DESC OFFSET ${MAX_EVENTS} LIMIT 1) AS "dropUpTo",
    NOT s.is_resting AND greatest(s.last_polled_at, s.awake_since) < $3 AS "isSilent"
  FROM subscriptions s WHERE (s.organization_id, s.bot_id) > ($1, $2)
  ORDER BY s.organization_id, s.bot_id LIMIT ${PAGE}`;

/** The next subscriptions after one, and what is to be done about each; `before` is the time before which is too old. */
export async function findSubscriptions(
  pool: Pool,
  after: { organizationId: string; botId: string },
  before: Date,
): Promise<DueSubscription[]> {
  const values = [after.organizationId, after.botId, before];
  return (await pool.query<DueSubscription>({ name: 'find-subscriptions', text: FIND_NEXT, values })).rows;
}

// A poll that has taken an event meanwhile has deleted it, and one that a removal has locked is about to go: both are no gap.
// Locks only events that it deletes: a poll skips locked ones, so one that stayed would be given out again after its ack.
const DROP = `
  WITH dropped AS (
    DELETE FROM deliveries WHERE organization_id = $1 AND webhook_id = $3 AND id = ANY (ARRAY(
      SELECT d.id FROM deliveries d
      WHERE d.organization_id = $1 AND d.webhook_id = $3 AND d.outcome IS NULL AND d.due_at IS NULL
        AND (d.created_at < $4 OR d.position <= $5) AND d.position <= (
          SELECT max(o.position) FROM (
            SELECT position FROM deliveries
            WHERE organization_id = $1 AND webhook_id = $3 AND outcome IS NULL AND due_at IS NULL
            ORDER BY position LIMIT ${BATCH}) o)
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

/** Drops some of the oldest events, those before a time and those up to a position, and notes the gap; returns how many. */
export async function dropEvents(
  pool: Pool,
  { organizationId, botId, id, dropUpTo }: DueSubscription,
  before: Date,
): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(DROP, [organizationId, botId, id, before, dropUpTo]);
  return rows[0]!.events;
}

// How many events there will have been is not known.
const REST = `
  WITH rested AS (
    UPDATE subscriptions s SET is_resting = true, gap_dropped = NULL,
      gap_since = least(s.gap_since, now(), (SELECT d.created_at FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT 1))
    WHERE s.organization_id = $1 AND s.bot_id = $2 AND s.id = $3 AND NOT s.is_resting
      AND greatest(s.last_polled_at, s.awake_since) < $4
    RETURNING s.id
  )
  UPDATE webhooks w SET is_enabled = false FROM rested r WHERE w.organization_id = $1 AND w.id = r.id`;

/** Puts a subscription to rest whose bot has not called since a time: no events are kept for it. */
export async function putToRest(
  pool: Pool,
  { organizationId, botId, id }: DueSubscription,
  before: Date,
): Promise<void> {
  await pool.query(REST, [organizationId, botId, id, before]);
}

const REMOVE = `
  DELETE FROM deliveries WHERE organization_id = $1 AND webhook_id = $2 AND id = ANY (ARRAY(
    SELECT d.id FROM deliveries d WHERE d.organization_id = $1 AND d.webhook_id = $2 AND NOT EXISTS (
      SELECT FROM subscriptions s WHERE s.organization_id = $1 AND s.id = $2 AND NOT s.is_resting)
    ORDER BY d.id LIMIT ${BATCH} FOR UPDATE OF d SKIP LOCKED))`;

/** Removes some events of a subscription that is deleted or rests, none of another; returns how many. */
export async function removeEvents(pool: Pool, organizationId: string, id: string): Promise<number> {
  return (await pool.query(REMOVE, [organizationId, id])).rowCount ?? 0;
}
