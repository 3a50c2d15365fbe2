import type { Pool } from 'pg';
import { EVENT_TYPES, type EventType } from '../receivers/event-type.js';
import { MAX_HELD } from './lane-worker.js';

/** A delivery and its attempts. */
export interface DeliveryRow {
  id: string;
  chatId: string;
  eventType: EventType;
  status: 'pending' | 'in_flight' | 'delivered' | 'dead';
  createdAt: Date;
  dueAt: Date | null;
  attempts: { at: string; status: number | null; error: string | null; durationMs: number }[];
}

export interface DeliveryFilter {
  status?: DeliveryRow['status'];
  type?: EventType;
  /** Only deliveries before this id. */
  before?: string;
  limit: number;
}

// The deliveries that the lane's node has taken, in the order of taking. A lane holds at most MAX_HELD.
const taken = (kind: string, order: string, last: string) => `
    SELECT id, ${order} FROM deliveries
    WHERE organization_id = $1 AND receiver_id = $2 AND outcome IS NULL AND ${kind} AND ${order} <= (SELECT ${last} FROM lane)
    ORDER BY ${order} LIMIT ${MAX_HELD}`;
const LANE = `
  WITH lane AS MATERIALIZED (
    SELECT taken_position, taken_at FROM webhook_lanes
    WHERE organization_id = $1 AND webhook_id = $2 AND leased_until > now()
  ), first AS MATERIALIZED (${taken('due_at IS NULL', 'position', 'taken_position')}
  ), retry AS MATERIALIZED (${taken('due_at IS NOT NULL', 'due_at', 'taken_at')}
  )`;
const IS_TAKEN = `(CASE WHEN due_at IS NULL THEN position <= (SELECT max(position) FROM first)
  ELSE due_at <= (SELECT max(due_at) FROM retry) END) IS TRUE`;

const STATUS = `COALESCE(outcome, CASE WHEN ${IS_TAKEN} THEN 'in_flight' ELSE 'pending' END) AS status`;
const ROW = `organization_id, receiver_id, id, chat_id, event_type, created_at, due_at, ${STATUS}`;
const COLUMNS = `
  d.id, d.chat_id AS "chatId", d.event_type AS "eventType", d.created_at AS "createdAt", d.due_at AS "dueAt",
  d.status, made.attempts`;
const ATTEMPTS = `
  CROSS JOIN LATERAL (
    SELECT COALESCE(json_agg(json_build_object('at', t.at, 'status', t.status, 'error', t.error,
      'durationMs', t.duration_ms) ORDER BY t.number), '[]') AS attempts
    FROM attempts t
    WHERE t.organization_id = $1 AND t.webhook_id = $2 AND t.delivery_id = d.id
  ) made`;

const select = (condition: string, order: string) => `
  (SELECT ${ROW} FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND ${condition} ORDER BY ${order} LIMIT $3)`;

// Reads one range of ix_deliveries_of_webhooks, which has the condition on the webhook's id. The type is a range condition and part of
// the order. Otherwise the planner may scan the primary key, which is as fast if the wanted rows are spread evenly, but reads every row
// of an outage in between.
const typeRange = (outcome: string, type: string, more: string) =>
  select(
    `receiver_id LIKE 'whk%' AND COALESCE(outcome, 'waiting') = '${outcome}' AND event_type BETWEEN '${type}' AND '${type}'${more}`,
    'event_type DESC, id DESC',
  );

const OUTCOMES = ['waiting', 'delivered', 'dead'];

// A page is merged from one page per wanted outcome and type, so that the query reads no other rows. Few deliveries are in flight. The
// inserted names are our own constants, never input.
function selectsOf({ status, type, before }: DeliveryFilter): string[] {
  const after = before === undefined ? '' : ' AND id < $4';
  if (status === undefined && type === undefined) return [select(`true${after}`, 'id DESC')];
  const types = EVENT_TYPES.filter((name) => type === undefined || name === type);
  if (status === 'in_flight') {
    const isTaken = 'id = ANY (ARRAY(SELECT id FROM first UNION ALL SELECT id FROM retry))';
    return [select(`${isTaken} AND event_type IN ('${types.join(`', '`)}')${after}`, 'id DESC')];
  }
  const wanted = status === 'pending' ? 'waiting' : status;
  const more = status === 'pending' ? `${after} AND NOT (${IS_TAKEN})` : after;
  return OUTCOMES.filter((outcome) => wanted === undefined || outcome === wanted).flatMap((outcome) =>
    types.map((name) => typeRange(outcome, name, more)),
  );
}

/** Deliveries to a webhook, newest first, each with its attempts. */
export async function listDeliveries(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  filter: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const text = `
    ${LANE} SELECT ${COLUMNS} FROM (
      SELECT * FROM (${selectsOf(filter).join(' UNION ALL ')}) part ORDER BY id DESC LIMIT $3
    ) d ${ATTEMPTS} ORDER BY d.id DESC`;
  const values = [organizationId, webhookId, filter.limit, filter.before].filter((value) => value !== undefined);
  return (await pool.query<DeliveryRow>(text, values)).rows;
}

const ONE = `
  ${LANE} SELECT ${COLUMNS}, d.payload FROM (
    SELECT ${ROW}, payload FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND id = $3
  ) d ${ATTEMPTS}`;

export async function findDelivery(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  id: string,
): Promise<(DeliveryRow & { payload: string }) | null> {
  const { rows } = await pool.query<DeliveryRow & { payload: string }>(ONE, [organizationId, webhookId, id]);
  return rows[0] ?? null;
}

// Restarts the retry schedule. Earlier attempts are kept.
const REDELIVER = `UPDATE deliveries SET outcome = NULL, due_at = now(), retry_count = 0`;
const REDELIVER_ONE = `
  ${REDELIVER} WHERE organization_id = $1 AND receiver_id = $2 AND id = $3 AND outcome IS NOT NULL`;
const REDELIVER_DEAD = `
  ${REDELIVER} WHERE organization_id = $1 AND receiver_id = $2 AND outcome = 'dead' AND id = ANY (ARRAY(
    SELECT id FROM deliveries
    WHERE organization_id = $1 AND receiver_id = $2 AND outcome = 'dead' AND created_at >= $3
    ORDER BY id LIMIT $4))`;

/** Queues a delivery again. Returns false if it's already waiting. */
export async function redeliver(pool: Pool, organizationId: string, webhookId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(REDELIVER_ONE, [organizationId, webhookId, id]);
  return rowCount === 1;
}

/** Queues up to `limit` dead deliveries since a time again. Returns how many. */
export async function redeliverDead(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  since: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await pool.query(REDELIVER_DEAD, [organizationId, webhookId, since, limit]);
  return rowCount ?? 0;
}

const MAKE_DUE = `
  UPDATE deliveries SET due_at = now()
  WHERE organization_id = $1 AND receiver_id = $2 AND outcome IS NULL AND due_at > now() AND id = ANY (ARRAY(
    SELECT id FROM deliveries
    WHERE organization_id = $1 AND receiver_id = $2 AND outcome IS NULL AND due_at > now()
    ORDER BY due_at LIMIT $3))`;

/** Makes up to `limit` waiting retries due now. Returns how many. */
export async function makeRetriesDue(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  limit: number,
): Promise<number> {
  return (await pool.query(MAKE_DUE, [organizationId, webhookId, limit])).rowCount ?? 0;
}
