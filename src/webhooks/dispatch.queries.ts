import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import type { Pool } from 'pg';
import { recordedAddress } from '../auth/audit/audit-changes.js';
import { type Lane, type LaneKey, laneOf } from '../receivers/lane.js';
import {
  type IsOf,
  isDistributed,
  type PartOfOne,
  queryEverywhere,
  queryOrganizations,
  transactOrganizations,
} from '../platform/database/citus/per-organization.js';
import { newId } from '../platform/lib/ids.js';

// A lane is a webhook's queue. One node at a time serves it, under a lease, and keeps the taken deliveries in memory, so that taking
// them writes no rows. Each result carries the fencing token of its lease, so results of a node that lost its lease have no effect.
// Leases use the database's clock.

/** The duration of a lease in seconds. It's renewed well before it ends. A killed node's lanes are free after this time. */
export const LEASE_SECONDS = 10;
/** The most concurrent attempts of a webhook, and the most deliveries that a failing webhook gets in a claim. */
export const MAX_CONCURRENT = 16;
/**
 * The most deliveries that a claim statement reads while it skips full chats, shared by all its claims that skip chats. If more
 * deliveries of full chats come first, other chats wait.
 */
const MAX_READ = 20_000;
/** A failing webhook is paused for this share of the time since it began to fail, up to a maximum in seconds. */
const PAUSE_SHARE = 0.25;
const MAX_PAUSE_SECONDS = 30;
/** Days without a success until a webhook is disabled. */
const MAX_FAILING_DAYS = 5;

/** A lane and its lease. */
export interface HeldLane {
  lane: Lane;
  fence: string;
}

/** A request to claim a lane's deliveries, under the current lease or a new one. */
export interface Claim {
  lane: Lane;
  fence: string | null;
  /** The most first attempts to take, and the most retries. */
  room: number;
  /** The positions of deliveries that are already taken. */
  held: readonly string[];
  /** The chats whose first attempts are skipped. */
  fullChats: readonly string[];
}

/** A delivery that is due. */
export interface DueDelivery {
  id: string;
  position: string;
  chatId: string;
  payload: string;
  attemptCount: number;
  retryCount: number;
  /** The trace of the request that caused the event. */
  traceparent: string | null;
  /** Whether this is the first attempt. The first attempts of a chat are made one after the other. */
  isFirst: boolean;
}

/** A taken delivery. A lane without due deliveries returns one row with the lease, whose `id` is null. */
export interface ClaimedRow extends Omit<DueDelivery, 'id'> {
  lane: LaneKey;
  fence: string;
  isFailing: boolean;
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  id: string | null;
}

// These writes commit asynchronously, so that sending messages doesn't wait for their flush to disk. What a database crash loses is
// done again under the same id. A new lease commits synchronously, because its fencing token must never be issued twice.
const ASYNC_COMMIT = (isAsync = 'true') =>
  `(SELECT set_config('synchronous_commit', CASE WHEN ${isAsync} THEN 'off' ELSE current_setting('synchronous_commit') END,
      true) AS durability) AS commit`;

const IN_LANE = 'd.organization_id = l.organization_id AND d.receiver_id = l.webhook_id AND d.outcome IS NULL';
const COLUMNS = 'd.id, d.position, d.chat_id, d.payload, d.attempt_count, d.retry_count, d.due_at, d.traceparent';

// Takes due retries, and first attempts by position, skipping full chats. Within a chat, it takes the oldest deliveries that aren't
// held, so that a skipped chat continues in order.
const CLAIM = `
  WITH wanted AS MATERIALIZED (
    SELECT i.organization_id, i.webhook_id, i.fence, i.room, i.held::bigint[] AS held,
      i.full_chats::text[] AS full_chats, $7::integer AS to_read, commit.durability
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[])
      AS i (organization_id, webhook_id, fence, room, held, full_chats)
    CROSS JOIN ${ASYNC_COMMIT('array_position($3, NULL) IS NULL')}
  ), free AS MATERIALIZED (
    SELECT l.organization_id, l.webhook_id, i.held, i.full_chats, i.to_read, COALESCE(l.fence = i.fence, false) AS is_ours,
      CASE WHEN l.failing_since IS NULL THEN i.room ELSE least(i.room, ${MAX_CONCURRENT}) END AS room
    FROM wanted i
    JOIN webhook_lanes l ON l.organization_id = i.organization_id AND l.webhook_id = i.webhook_id
    JOIN receivers r ON r.organization_id = l.organization_id AND r.id = l.webhook_id AND r.is_enabled
    WHERE (l.leased_until IS NULL OR l.leased_until <= now() OR l.fence = i.fence)
      AND (l.paused_until IS NULL OR l.paused_until <= now()) AND ${sqlIsOfExisting('l')}
    FOR NO KEY UPDATE OF l SKIP LOCKED
  ), taken AS MATERIALIZED (
    SELECT l.organization_id, l.webhook_id, d.* FROM free l CROSS JOIN LATERAL (
      (SELECT ${COLUMNS} FROM (
        SELECT ${COLUMNS} FROM deliveries d WHERE ${IN_LANE} AND d.due_at IS NULL ORDER BY d.position LIMIT l.to_read) d
      WHERE d.chat_id <> ALL (l.full_chats) AND d.position <> ALL (l.held)
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

/** Gets the errors of requests by their index, if a worker of a Citus cluster can't be reached. */
type Failures = Map<number, Error>;

/** Leases lanes that are free and not paused, and takes their due deliveries, in order. */
export async function claimDeliveries(
  pool: Pool,
  claims: readonly Claim[],
  failures?: Failures,
): Promise<ClaimedRow[]> {
  const leavingOut = claims.filter(({ fullChats }) => fullChats.length > 0).length;
  const values = [
    ...columns(claims),
    claims.map(({ fence }) => fence),
    claims.map(({ room }) => room),
    claims.map(({ held }) => `{${held.join()}}`),
    claims.map(({ fullChats }) => `{${fullChats.map((id) => `"${id}"`).join()}}`),
    Math.ceil(MAX_READ / Math.max(1, leavingOut)),
  ];
  return queryOrganizations<ClaimedRow>(pool, {
    name: 'claim-deliveries',
    text: CLAIM,
    values,
    items: [[0, 1, 2, 3, 4, 5]],
    failures,
  });
}

export const VERDICTS = ['delivered', 'retry', 'dead', 'gone'] as const;
/** The outcome of an attempt. `gone`: the delivery is dead, and the webhook is disabled. */
export type Verdict = (typeof VERDICTS)[number];

export interface Finished {
  held: HeldLane;
  id: string;
  /** The address of the attempt. */
  url: string;
  verdict: Verdict;
  /** Seconds until the next attempt, after `retry`. */
  retryAfter: number | null;
  at: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
  /** The number of earlier attempts, so that a stored result isn't stored again. */
  attemptCount: number;
  /** Whether the webhook counts as healthy, even if this delivery failed. */
  isAlive: boolean;
}

// After days without any attempt, a failure starts a new failing period. `paused_until` shows when the last attempt was.
const FAILING_SINCE = `CASE WHEN f.moment - l.paused_until < interval '${MAX_FAILING_DAYS} days'
  THEN COALESCE(l.failing_since, f.moment) ELSE f.moment END`;

// In seconds since 1970, because Citus refuses to add an interval to a time in an update: the sum depends on the session's time zone.
const PAUSED_UNTIL = `to_timestamp(extract(epoch FROM f.moment - timestamptz 'epoch'
  + least((f.moment - ${FAILING_SINCE}) * ${PAUSE_SHARE}, interval '${MAX_PAUSE_SECONDS} seconds')))`;

// Written so that no index of waiting deliveries matches. Only the primary key is a good access path, but the planner's statistics are
// misleading for a table that changes so fast.
const IS_WAITING = `COALESCE(d.outcome, '') = ''`;

const finish = (attempt: string, recorded: string, selected: string) => `
  WITH result AS MATERIALIZED (
    SELECT r.*, commit.durability, now() AS moment, now() + r.retry_after * interval '1 second' AS retry_at
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::float8[],
      $7::timestamptz[], $8::integer[], $9::text[], $10::integer[], $11::integer[], $12::boolean[], $13::text[], $14::text[])
      AS r (organization_id, webhook_id, fence, id, verdict, retry_after, at, status, error, duration_ms, attempt_count,
        is_alive, audit_id, address)
    CROSS JOIN ${ASYNC_COMMIT()}
  ), fenced AS MATERIALIZED (
    SELECT r.* FROM result r
    JOIN webhook_lanes l ON l.organization_id = r.organization_id AND l.webhook_id = r.webhook_id AND l.fence = r.fence
  ), finished AS (
    UPDATE deliveries d SET
      outcome = CASE WHEN r.verdict = 'delivered' THEN 'delivered' WHEN r.verdict IN ('dead', 'gone') THEN 'dead' END,
      due_at = CASE WHEN r.verdict = 'retry' THEN r.retry_at ELSE d.due_at END,
      attempt_count = d.attempt_count + 1,
      retry_count = d.retry_count + (r.verdict = 'retry')::integer
    FROM fenced r
    WHERE d.organization_id = r.organization_id AND d.receiver_id = r.webhook_id AND d.id = r.id
      AND d.attempt_count = r.attempt_count AND ${IS_WAITING}
    RETURNING d.organization_id, d.receiver_id AS webhook_id, d.id, d.attempt_count, r.verdict, r.is_alive, r.at, r.status,
      r.error, r.duration_ms, r.audit_id, r.address, r.moment
  ), ${attempt}lane_result AS (
    SELECT organization_id, webhook_id, bool_or(is_alive OR verdict = 'delivered') AS has_success,
      bool_or(verdict = 'gone') AS is_gone, min(audit_id) AS audit_id, min(address) AS address, min(moment) AS moment
    FROM finished GROUP BY organization_id, webhook_id
  ), lane AS (
    UPDATE webhook_lanes l SET
      failing_since = CASE WHEN f.has_success THEN NULL ELSE ${FAILING_SINCE} END,
      paused_until = CASE WHEN f.has_success THEN NULL ELSE ${PAUSED_UNTIL} END
    FROM lane_result f
    WHERE l.organization_id = f.organization_id AND l.webhook_id = f.webhook_id
      AND (NOT f.has_success OR f.is_gone OR l.failing_since IS NOT NULL)
    RETURNING l.organization_id, l.webhook_id, l.failing_since, f.is_gone, f.audit_id, f.address
  ), disabled AS (
    UPDATE receivers r SET is_enabled = false,
      disabled_reason = CASE WHEN l.is_gone THEN 'answered 410 Gone' ELSE '${MAX_FAILING_DAYS} days without a success' END
    FROM lane l
    WHERE r.organization_id = l.organization_id AND r.id = l.webhook_id AND r.is_enabled
      AND (l.is_gone OR l.failing_since <= now() - interval '${MAX_FAILING_DAYS} days')
    RETURNING r.organization_id, r.id, r.disabled_reason, l.audit_id, l.address
  )${recorded}
  ${selected}`;

const INTO_ATTEMPTS = `
    INSERT INTO attempts (organization_id, webhook_id, delivery_id, number, at, status, error, duration_ms)`;
const INTO_AUDIT = `
    INSERT INTO audit_entries (organization_id, id, at, actor_type, action, target, target_name, changes)`;
const disabledEntry = (id: string, webhookId: string, address: string, reason: string) =>
  `${id}, now(), 'SYSTEM', 'webhook.disabled', ${webhookId}, ${address},
      jsonb_build_array(jsonb_build_object('field', 'isEnabled', 'from', true, 'to', false),
        jsonb_build_object('field', 'disabledReason', 'from', NULL, 'to', ${reason}))`;

const FINISH = finish(
  `attempt AS (${INTO_ATTEMPTS}
    SELECT organization_id, webhook_id, id, attempt_count, at, status, error, duration_ms FROM finished
  ), `,
  `, recorded AS (${INTO_AUDIT}
    SELECT organization_id, ${disabledEntry('audit_id', 'id', 'address', 'disabled_reason')}
    FROM disabled
  )`,
  `SELECT organization_id || '/' || webhook_id AS lane FROM lane WHERE failing_since IS NOT NULL OR is_gone`,
);

// A Citus cluster sends what an INSERT reads from WITH to all workers, so it fails while one of them is down.
const FINISH_ON_CLUSTER = finish(
  '',
  '',
  `SELECT f.organization_id || '/' || f.webhook_id AS lane, f.webhook_id AS "webhookId", f.id, f.attempt_count AS number, f.at, f.status,
    f.error, f.duration_ms AS "durationMs", COALESCE(l.failing_since IS NOT NULL OR l.is_gone, false) AS "isFailing",
    d.disabled_reason AS "disabledReason", d.audit_id AS "auditId", d.address
  FROM finished f
  LEFT JOIN lane l ON l.organization_id = f.organization_id AND l.webhook_id = f.webhook_id
  LEFT JOIN disabled d ON d.organization_id = f.organization_id AND d.id = f.webhook_id`,
);
const INSERT_ATTEMPTS = `${INTO_ATTEMPTS}
    SELECT $1, a.webhook_id, a.id, a.number, a.at, a.status, a.error, a.duration_ms
    FROM unnest($2::text[], $3::text[], $4::integer[], $5::timestamptz[], $6::integer[], $7::text[], $8::integer[])
      AS a (webhook_id, id, number, at, status, error, duration_ms)`;
const INSERT_DISABLED = `${INTO_AUDIT} VALUES ($1, ${disabledEntry('$2', '$3', '$4', '$5::text')})`;

interface FinishedRow {
  lane: LaneKey;
  webhookId: string;
  id: string;
  number: number;
  at: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
  isFailing: boolean;
  /** Null if the webhook wasn't disabled. */
  disabledReason: string | null;
  auditId: string | null;
  address: string | null;
}

/** Stores the results of deliveries, except under a lost lease. Returns the failing lanes. */
export async function finishDeliveries(
  pool: Pool,
  results: readonly Finished[],
  failures?: Failures,
): Promise<LaneKey[]> {
  const values = [
    ...columns(results.map(({ held }) => held)),
    results.map(({ held }) => held.fence),
    results.map(({ id }) => id),
    results.map(({ verdict }) => verdict),
    results.map(({ retryAfter }) => retryAfter),
    results.map(({ at }) => at),
    results.map(({ status }) => status),
    results.map(({ error }) => error),
    results.map(({ durationMs }) => durationMs),
    results.map(({ attemptCount }) => attemptCount),
    results.map(({ isAlive }) => isAlive),
    // If this result disables the webhook, the audit log entry needs an id and the webhook's address.
    results.map(({ verdict }) => (verdict === 'delivered' ? null : newId('aud'))),
    results.map(({ verdict, url }) => (verdict === 'delivered' ? null : recordedAddress(url))),
  ];
  const query = { name: 'finish-deliveries', text: FINISH, values, failures };
  const rows = isDistributed(pool)
    ? await transactOrganizations(pool, { ...query, text: FINISH_ON_CLUSTER }, finishOfOne)
    : await queryOrganizations<{ lane: LaneKey }>(pool, query);
  return rows.map(({ lane }) => lane);
}

async function finishOfOne({ client, organizationId, query }: PartOfOne): Promise<{ lane: LaneKey }[]> {
  const { rows } = await client.query<FinishedRow>(query);
  if (rows.length === 0) return [];
  const column = (name: keyof FinishedRow) => rows.map((row) => row[name]);
  const attempts = [column('webhookId'), column('id'), column('number'), column('at'), column('status')];
  await client.query(INSERT_ATTEMPTS, [organizationId, ...attempts, column('error'), column('durationMs')]);
  const disabled = new Map(rows.flatMap((row) => (row.disabledReason === null ? [] : [[row.webhookId, row]])));
  for (const [webhookId, { auditId, address, disabledReason }] of disabled)
    await client.query(INSERT_DISABLED, [organizationId, auditId, webhookId, address, disabledReason]);
  return rows.filter(({ isFailing }) => isFailing);
}

// A released lane has no holder even if its fence is unchanged, so a late renewal matches no row.
const LEASE = (until: string, which = '') => `
  UPDATE webhook_lanes l SET leased_until = ${until}
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS i (organization_id, webhook_id, fence)
  WHERE l.organization_id = i.organization_id AND l.webhook_id = i.webhook_id AND l.fence = i.fence
    AND l.leased_until IS NOT NULL ${which}
  RETURNING l.organization_id || '/' || l.webhook_id AS lane`;
const RENEW = LEASE(`now() + ${LEASE_SECONDS} * interval '1 second'`, `AND ${sqlIsOfExisting('l')}`);
const RELEASE = LEASE('NULL');

/** Renews the leases of lanes. Returns the lanes that are still held. */
export async function renewLanes(pool: Pool, lanes: readonly HeldLane[], failures?: Failures): Promise<LaneKey[]> {
  const values = [...columns(lanes), lanes.map(({ fence }) => fence)];
  const query = { name: 'renew-lanes', text: RENEW, values, failures };
  return (await queryOrganizations<{ lane: LaneKey }>(pool, query)).map(({ lane }) => lane);
}

/** Releases lanes. */
export async function releaseLanes(pool: Pool, lanes: readonly HeldLane[], failures?: Failures): Promise<void> {
  const values = [...columns(lanes), lanes.map(({ fence }) => fence)];
  await queryOrganizations(pool, { name: 'release-lanes', text: RELEASE, values, failures });
}

// Two index lookups per webhook, so that one webhook's backlog doesn't slow down the others.
const findDue = (isOf: IsOf) => `
  SELECT l.organization_id AS "organizationId", l.webhook_id AS id
  FROM webhook_lanes l
  JOIN receivers r ON r.organization_id = l.organization_id AND r.id = l.webhook_id
  WHERE r.is_enabled AND ${isOf('l')} AND ${sqlIsOfExisting('l')} AND (l.leased_until IS NULL OR l.leased_until <= now())
    AND (l.paused_until IS NULL OR l.paused_until <= now())
    AND (EXISTS (SELECT FROM deliveries d WHERE d.organization_id = l.organization_id AND d.receiver_id = l.webhook_id
        AND d.outcome IS NULL AND d.due_at IS NULL)
      OR EXISTS (SELECT FROM deliveries d WHERE d.organization_id = l.organization_id AND d.receiver_id = l.webhook_id
        AND d.outcome IS NULL AND d.due_at <= now()))
  ORDER BY l.paused_until NULLS FIRST
  LIMIT $1`;

/** The lanes with due deliveries that no node serves. */
export async function findDueLanes(pool: Pool, limit: number): Promise<Lane[]> {
  const query = { name: 'find-due-lanes', text: findDue, values: [limit] };
  const rows = await queryEverywhere<{ organizationId: string; id: string }>(pool, query);
  return rows.map(({ organizationId, id }) => laneOf(organizationId, id));
}

function columns(lanes: readonly { lane: Lane }[]): [string[], string[]] {
  return [lanes.map(({ lane }) => lane.organizationId), lanes.map(({ lane }) => lane.id)];
}
