import type { Pool } from 'pg';
import type { EventType } from '../chats/event-type.js';

/** What happened to an event on its way to a webhook. */
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

const SOURCE = (where: string) =>
  `(SELECT * FROM deliveries WHERE organization_id = $1 AND webhook_id = $2 AND ${where})`;
// Taken by the node that serves the lane now.
const IS_TAKEN = `(l.leased_until > now()
  AND CASE WHEN d.due_at IS NULL THEN d.position <= l.taken_position ELSE d.due_at <= l.taken_at END)`;
const WAITING = `(${SOURCE('outcome IS NULL AND due_at IS NULL')} UNION ALL ${SOURCE('outcome IS NULL AND due_at IS NOT NULL')})`;

// Each status from the index that knows it.
const SOURCES = {
  all: [SOURCE('true'), 'true'],
  pending: [WAITING, `NOT ${IS_TAKEN}`],
  in_flight: [WAITING, IS_TAKEN],
  delivered: [SOURCE(`outcome = 'delivered'`), 'true'],
  dead: [SOURCE(`outcome = 'dead'`), 'true'],
} as const;

const LANE = `
  CROSS JOIN (SELECT COALESCE(max(leased_until), '-infinity') AS leased_until, max(taken_position) AS taken_position,
    max(taken_at) AS taken_at FROM webhook_lanes WHERE organization_id = $1 AND webhook_id = $2) l`;
const STATUS = `COALESCE(d.outcome, CASE WHEN ${IS_TAKEN} THEN 'in_flight' ELSE 'pending' END)`;
const COLUMNS = `
  d.id, d.chat_id AS "chatId", d.event_type AS "eventType", d.created_at AS "createdAt", d.due_at AS "dueAt",
  made.attempts`;
const ATTEMPTS = `
  CROSS JOIN LATERAL (
    SELECT COALESCE(json_agg(json_build_object('at', t.at, 'status', t.status, 'error', t.error,
      'durationMs', t.duration_ms) ORDER BY t.number), '[]') AS attempts
    FROM attempts t
    WHERE t.organization_id = d.organization_id AND t.webhook_id = d.webhook_id AND t.delivery_id = d.id
  ) made`;

/** Deliveries to a webhook, newest first, each with its attempts. */
export async function listDeliveries(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  { status, type, before, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const [source, state] = SOURCES[status ?? 'all'];
  const text = `
    SELECT ${COLUMNS}, d.status FROM (
      SELECT d.*, ${STATUS} AS status FROM ${source} d ${LANE}
      WHERE ($3::text IS NULL OR event_type = $3) AND ($4::text IS NULL OR id < $4) AND ${state}
      ORDER BY id DESC LIMIT $5
    ) d ${ATTEMPTS} ORDER BY d.id DESC`;
  const values = [organizationId, webhookId, type ?? null, before ?? null, limit];
  return (await pool.query<DeliveryRow>(text, values)).rows;
}

const ONE = `
  SELECT ${COLUMNS}, d.payload, ${STATUS} AS status FROM deliveries d ${LANE} ${ATTEMPTS}
  WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.id = $3`;

export async function findDelivery(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  id: string,
): Promise<(DeliveryRow & { payload: string }) | null> {
  const { rows } = await pool.query<DeliveryRow & { payload: string }>(ONE, [organizationId, webhookId, id]);
  return rows[0] ?? null;
}

// Begins the schedule anew; the attempts that were made stay.
const REDELIVER = `UPDATE deliveries SET outcome = NULL, due_at = now(), retry_count = 0`;
const REDELIVER_ONE = `
  ${REDELIVER} WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND outcome IS NOT NULL`;
const REDELIVER_DEAD = `
  ${REDELIVER} WHERE organization_id = $1 AND webhook_id = $2 AND outcome = 'dead' AND id = ANY (ARRAY(
    SELECT id FROM deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND outcome = 'dead' AND created_at >= $3
    ORDER BY id LIMIT $4))`;

/** False when it is waiting anyway. */
export async function redeliver(pool: Pool, organizationId: string, webhookId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(REDELIVER_ONE, [organizationId, webhookId, id]);
  return rowCount === 1;
}

/** Up to `limit` dead deliveries since a time; answers how many. */
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

const HURRY = `
  UPDATE deliveries SET due_at = now()
  WHERE organization_id = $1 AND webhook_id = $2 AND outcome IS NULL AND due_at > now() AND id = ANY (ARRAY(
    SELECT id FROM deliveries
    WHERE organization_id = $1 AND webhook_id = $2 AND outcome IS NULL AND due_at > now()
    ORDER BY due_at LIMIT $3))`;

/** Makes up to `limit` of those that wait for a retry due now; answers how many. */
export async function hurryRetries(
  pool: Pool,
  organizationId: string,
  webhookId: string,
  limit: number,
): Promise<number> {
  return (await pool.query(HURRY, [organizationId, webhookId, limit])).rowCount ?? 0;
}
