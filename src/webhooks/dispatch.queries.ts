import type { Pool } from 'pg';

// A lane is a webhook's queue. One node serves it at a time, under a lease, and remembers what it has taken: taking costs
// no write for each delivery. What it writes at the end carries the fence of its lease, so whoever was thought dead and
// comes back changes nothing. Leases go by the database's clock.

/** Seconds a lease lasts; it is renewed well before. A killed node's lanes are free after that time. */
export const LEASE_SECONDS = 10;
/** How many deliveries of a failing webhook are tried at a time, and of any at once. */
export const MAX_CONCURRENT = 16;
/** A webhook that fails is left alone for this share of the time it has been failing, and at most so many seconds. */
const PAUSE_SHARE = 0.25;
const MAX_PAUSE_SECONDS = 30;
/** Days without a success after which a webhook is disabled. */
const MAX_FAILING_DAYS = 5;

/** A lane as `organizationId/webhookId`. */
export type LaneKey = string;

/** A lane and the lease it is held under. */
export interface HeldLane {
  key: LaneKey;
  fence: string;
}

/** A lane to take deliveries of: under the lease that is held, or a new one. */
export interface Claim {
  key: LaneKey;
  fence: string | null;
  /** How many deliveries are wanted at most, of first attempts and of retries each. */
  room: number;
  /** Positions of the deliveries that are taken already. */
  held: readonly string[];
}

/** A delivery whose time has come. */
export interface DueDelivery {
  id: string;
  position: string;
  chatId: string;
  payload: string;
  attemptCount: number;
  retryCount: number;
  /** The trace of the request that made the event. */
  traceparent: string | null;
  /** Its first attempt: those of a chat go out one after the other. */
  isFirst: boolean;
}

/** A delivery that was taken, or nothing but the lease when there was none: then `id` is null. */
export interface ClaimedRow extends Omit<DueDelivery, 'id'> {
  lane: LaneKey;
  fence: string;
  isFailing: boolean;
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  id: string | null;
}

// What is lost of these writes when the database crashes is done again, under the same id: nobody waits for their commit
// to reach the disk, the senders of messages least of all. A new lease is another matter: its number must never come
// again.
const LAZILY = (isLazy = 'true') =>
  `(SELECT set_config('synchronous_commit', CASE WHEN ${isLazy} THEN 'off' ELSE current_setting('synchronous_commit') END,
      true) AS durability) AS commit`;

const IN_LANE = 'd.organization_id = l.organization_id AND d.webhook_id = l.webhook_id AND d.outcome IS NULL';
const COLUMNS = 'd.id, d.position, d.chat_id, d.payload, d.attempt_count, d.retry_count, d.due_at, d.traceparent';

// First attempts in order of position, and what is due again.
const CLAIM = `
  WITH wanted AS MATERIALIZED (
    SELECT i.organization_id, i.webhook_id, i.fence, i.room, i.held::bigint[] AS held, commit.durability
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[])
      AS i (organization_id, webhook_id, fence, room, held)
    CROSS JOIN ${LAZILY('array_position($3, NULL) IS NULL')}
  ), free AS MATERIALIZED (
    SELECT l.organization_id, l.webhook_id, i.held, COALESCE(l.fence = i.fence, false) AS is_ours,
      CASE WHEN l.failing_since IS NULL THEN i.room ELSE least(i.room, ${MAX_CONCURRENT}) END AS room
    FROM wanted i
    JOIN webhook_lanes l ON l.organization_id = i.organization_id AND l.webhook_id = i.webhook_id
    JOIN webhooks w ON w.organization_id = l.organization_id AND w.id = l.webhook_id AND w.is_enabled
    WHERE (l.leased_until IS NULL OR l.leased_until <= now() OR l.fence = i.fence)
      AND (l.paused_until IS NULL OR l.paused_until <= now())
    FOR NO KEY UPDATE OF l SKIP LOCKED
  ), taken AS MATERIALIZED (
    SELECT l.organization_id, l.webhook_id, d.* FROM free l CROSS JOIN LATERAL (
      (SELECT ${COLUMNS} FROM deliveries d
      WHERE ${IN_LANE} AND d.due_at IS NULL AND d.position <> ALL (l.held)
      ORDER BY d.position LIMIT l.room)
      UNION ALL
      (SELECT ${COLUMNS} FROM deliveries d
      WHERE ${IN_LANE} AND d.due_at <= now() AND d.position <> ALL (l.held)
      ORDER BY d.due_at LIMIT l.room)
    ) d
  ), leased AS (
    UPDATE webhook_lanes l SET
      fence = CASE WHEN f.is_ours THEN l.fence ELSE l.fence + 1 END,
      leased_until = now() + ${LEASE_SECONDS} * interval '1 second',
      taken_position = greatest(l.taken_position, (SELECT max(t.position) FROM taken t
        WHERE t.organization_id = f.organization_id AND t.webhook_id = f.webhook_id AND t.due_at IS NULL)),
      taken_at = now()
    FROM free f WHERE l.organization_id = f.organization_id AND l.webhook_id = f.webhook_id
    RETURNING l.organization_id, l.webhook_id, l.fence, l.failing_since IS NOT NULL AS is_failing
  )
  SELECT l.organization_id || '/' || l.webhook_id AS lane, l.fence, l.is_failing AS "isFailing",
    w.url, w.secret, CASE WHEN w.previous_secret_expires_at > now() THEN w.previous_secret END AS "previousSecret",
    t.id, t.position, t.chat_id AS "chatId", t.payload, t.attempt_count AS "attemptCount",
    t.retry_count AS "retryCount", t.due_at IS NULL AS "isFirst", t.traceparent
  FROM leased l
  JOIN webhooks w ON w.organization_id = l.organization_id AND w.id = l.webhook_id
  LEFT JOIN taken t ON t.organization_id = l.organization_id AND t.webhook_id = l.webhook_id
  ORDER BY t.position`;

/** Takes lanes that nobody else serves and that need no rest, and deliveries of them that are due, in order. */
export async function claimDeliveries(pool: Pool, claims: readonly Claim[]): Promise<ClaimedRow[]> {
  const values = [
    ...columns(claims),
    claims.map(({ fence }) => fence),
    claims.map(({ room }) => room),
    claims.map(({ held }) => `{${held.join()}}`),
  ];
  return (await pool.query<ClaimedRow>({ name: 'claim-deliveries', text: CLAIM, values })).rows;
}

/** What an attempt comes to; `gone`: dead, and so is the webhook. */
export type Verdict = 'delivered' | 'retry' | 'dead' | 'gone';

export interface Finished {
  lane: HeldLane;
  id: string;
  verdict: Verdict;
  /** Seconds until the next attempt, after `retry`. */
  retryAfter: number | null;
  at: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
  /** How many attempts there were before: a result that was written already is not written again. */
  attemptCount: number;
  /** Whether the webhook fares well, whatever became of this one. */
  isAlive: boolean;
}

// A failure after days in which nothing was tried is the first of a new row of them: `paused_until` tells of the last.
const FAILING_SINCE = `CASE WHEN l.paused_until > now() - interval '${MAX_FAILING_DAYS} days'
  THEN COALESCE(l.failing_since, now()) ELSE now() END`;

// Said so that no index of waiting deliveries fits it: the primary key is the one good way to a delivery, and what the
// planner knows of a table that changes this fast misleads it.
const IS_WAITING = `COALESCE(d.outcome, '') = ''`;

const FINISH = `
  WITH result AS MATERIALIZED (
    SELECT r.*, commit.durability FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::float8[],
      $7::timestamptz[], $8::integer[], $9::text[], $10::integer[], $11::integer[], $12::boolean[])
      AS r (organization_id, webhook_id, fence, id, verdict, retry_after, at, status, error, duration_ms, attempt_count,
        is_alive)
    CROSS JOIN ${LAZILY()}
  ), fenced AS MATERIALIZED (
    SELECT r.* FROM result r
    JOIN webhook_lanes l ON l.organization_id = r.organization_id AND l.webhook_id = r.webhook_id AND l.fence = r.fence
  ), finished AS (
    UPDATE deliveries d SET
      outcome = CASE r.verdict WHEN 'delivered' THEN 'delivered' WHEN 'dead' THEN 'dead' WHEN 'gone' THEN 'dead' END,
      due_at = CASE r.verdict WHEN 'retry' THEN now() + r.retry_after * interval '1 second' ELSE d.due_at END,
      attempt_count = d.attempt_count + 1,
      retry_count = d.retry_count + (r.verdict = 'retry')::integer
    FROM fenced r
    WHERE d.organization_id = r.organization_id AND d.webhook_id = r.webhook_id AND d.id = r.id
      AND d.attempt_count = r.attempt_count AND ${IS_WAITING}
    RETURNING d.organization_id, d.webhook_id, d.id, d.attempt_count, r.verdict, r.is_alive, r.at, r.status,
      r.error, r.duration_ms
  ), attempt AS (
    INSERT INTO attempts (organization_id, webhook_id, delivery_id, number, at, status, error, duration_ms)
    SELECT organization_id, webhook_id, id, attempt_count, at, status, error, duration_ms FROM finished
  ), fared AS (
    SELECT organization_id, webhook_id, bool_or(is_alive OR verdict = 'delivered') AS has_success,
      bool_or(verdict = 'gone') AS is_gone
    FROM finished GROUP BY organization_id, webhook_id
  ), lane AS (
    UPDATE webhook_lanes l SET
      failing_since = CASE WHEN f.has_success THEN NULL ELSE ${FAILING_SINCE} END,
      paused_until = CASE WHEN f.has_success THEN NULL ELSE now()
        + least((now() - ${FAILING_SINCE}) * ${PAUSE_SHARE}, interval '${MAX_PAUSE_SECONDS} seconds') END
    FROM fared f
    WHERE l.organization_id = f.organization_id AND l.webhook_id = f.webhook_id
      AND (NOT f.has_success OR f.is_gone OR l.failing_since IS NOT NULL)
    RETURNING l.organization_id, l.webhook_id, l.failing_since, f.is_gone
  ), disabled AS (
    UPDATE webhooks w SET is_enabled = false,
      disabled_reason = CASE WHEN l.is_gone THEN 'answered 410 Gone' ELSE '${MAX_FAILING_DAYS} days without a success' END
    FROM lane l
    WHERE w.organization_id = l.organization_id AND w.id = l.webhook_id AND w.is_enabled
      AND (l.is_gone OR l.failing_since <= now() - interval '${MAX_FAILING_DAYS} days')
  )
  SELECT organization_id || '/' || webhook_id AS lane FROM lane WHERE failing_since IS NOT NULL OR is_gone`;

/** Writes down what became of deliveries, unless their lease was lost. Answers the lanes that fail. */
export async function finishDeliveries(pool: Pool, results: readonly Finished[]): Promise<LaneKey[]> {
  const values = [
    ...columns(results.map(({ lane }) => lane)),
    results.map(({ lane }) => lane.fence),
    results.map(({ id }) => id),
    results.map(({ verdict }) => verdict),
    results.map(({ retryAfter }) => retryAfter),
    results.map(({ at }) => at),
    results.map(({ status }) => status),
    results.map(({ error }) => error),
    results.map(({ durationMs }) => durationMs),
    results.map(({ attemptCount }) => attemptCount),
    results.map(({ isAlive }) => isAlive),
  ];
  const { rows } = await pool.query<{ lane: LaneKey }>({ name: 'finish-deliveries', text: FINISH, values });
  return rows.map(({ lane }) => lane);
}

// A lane that was given back is held by nobody, whatever its fence says: a renewal that comes late finds nothing.
const LEASE = (until: string) => `
  UPDATE webhook_lanes l SET leased_until = ${until}
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS i (organization_id, webhook_id, fence)
  WHERE l.organization_id = i.organization_id AND l.webhook_id = i.webhook_id AND l.fence = i.fence
    AND l.leased_until IS NOT NULL
  RETURNING l.organization_id || '/' || l.webhook_id AS lane`;
const RENEW = LEASE(`now() + ${LEASE_SECONDS} * interval '1 second'`);
const RELEASE = LEASE('NULL');

/** Keeps lanes; answers those that are still held. */
export async function renewLanes(pool: Pool, lanes: readonly HeldLane[]): Promise<LaneKey[]> {
  const values = [...columns(lanes), lanes.map(({ fence }) => fence)];
  return (await pool.query<{ lane: LaneKey }>(RENEW, values)).rows.map(({ lane }) => lane);
}

/** Gives lanes back. */
export async function releaseLanes(pool: Pool, lanes: readonly HeldLane[]): Promise<void> {
  const values = [...columns(lanes), lanes.map(({ fence }) => fence)];
  await pool.query({ name: 'release-lanes', text: RELEASE, values });
}

// Two looks into an index for each webhook: however much waits in one, it costs the others nothing.
const FIND_DUE = `
  SELECT l.organization_id || '/' || l.webhook_id AS lane
  FROM webhook_lanes l
  JOIN webhooks w ON w.organization_id = l.organization_id AND w.id = l.webhook_id
  WHERE w.is_enabled AND (l.leased_until IS NULL OR l.leased_until <= now())
    AND (l.paused_until IS NULL OR l.paused_until <= now())
    AND (EXISTS (SELECT FROM deliveries d WHERE d.organization_id = l.organization_id AND d.webhook_id = l.webhook_id
        AND d.outcome IS NULL AND d.due_at IS NULL)
      OR EXISTS (SELECT FROM deliveries d WHERE d.organization_id = l.organization_id AND d.webhook_id = l.webhook_id
        AND d.outcome IS NULL AND d.due_at <= now()))
  ORDER BY l.paused_until NULLS FIRST
  LIMIT $1`;

/** Lanes that somebody should serve and nobody does. */
export async function findDueLanes(pool: Pool, limit: number): Promise<LaneKey[]> {
  const { rows } = await pool.query<{ lane: LaneKey }>({ name: 'find-due-lanes', text: FIND_DUE, values: [limit] });
  return rows.map(({ lane }) => lane);
}

function columns(lanes: readonly { key: LaneKey }[]): [string[], string[]] {
  const parts = lanes.map(({ key }) => key.split('/'));
  return [parts.map(([organizationId]) => organizationId!), parts.map(([, webhookId]) => webhookId!)];
}
