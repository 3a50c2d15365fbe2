import type { EntityManager } from 'typeorm';
import type { Filters, SubscriptionRow } from './subscription.js';

const WAITING = 'd.organization_id = $1 AND d.webhook_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL';

const FIND = `
  SELECT s.id, w.events, w.sender_types AS "senderTypes", w.created_at AS "createdAt", s.last_polled_at AS "lastPolledAt",
    (SELECT count(*)::integer FROM deliveries d WHERE ${WAITING}) AS pending,
    (SELECT d.created_at FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT 1) AS "oldestAt"
  FROM subscriptions s JOIN webhooks w ON w.organization_id = s.organization_id AND w.id = s.id
  WHERE s.organization_id = $1 AND s.bot_id = $2`;

/** A bot's subscription, if it has one. */
export async function findSubscription(manager: EntityManager, organizationId: string, botId: string) {
  const [row]: SubscriptionRow[] = await manager.query(FIND, [organizationId, botId]);
  return row ?? null;
}

// If the delivery of the cursor was acknowledged, so were those before it: the list continues with the oldest that is left.
const LIST_WAITING = `
  SELECT d.id, d.payload FROM subscriptions s JOIN deliveries d ON ${WAITING}
  WHERE s.organization_id = $1 AND s.bot_id = $2 AND d.position > COALESCE((
    SELECT a.position FROM deliveries a WHERE a.organization_id = $1 AND a.webhook_id = s.id AND a.id = $3), 0)
  ORDER BY d.position LIMIT $4`;

/** The waiting events after a delivery, oldest first. */
export function listWaiting(
  manager: EntityManager,
  organizationId: string,
  botId: string,
  { after, limit }: { after?: string; limit: number },
): Promise<{ id: string; payload: string }[]> {
  return manager.query(LIST_WAITING, [organizationId, botId, after ?? null, limit]);
}

// Locks in the same order as polls: the subscription, then its row in `webhooks`.
const RESUME = `
  UPDATE subscriptions SET is_resting = false, awake_since = now() WHERE organization_id = $1 AND bot_id = $2
  RETURNING id`;
const ENABLE = `UPDATE webhooks SET is_enabled = true WHERE organization_id = $1 AND id = $2`;

/** Resumes a subscription, so that events are queued again. Returns its id, or null if there is none. */
export async function resumeSubscription(tx: EntityManager, organizationId: string, botId: string) {
  const [[row]] = (await tx.query(RESUME, [organizationId, botId])) as [{ id: string }[], number];
  if (!row) return null;
  await tx.query(ENABLE, [organizationId, row.id]);
  return row.id;
}

const CHANGE = `UPDATE webhooks SET events = $3, sender_types = $4 WHERE organization_id = $1 AND id = $2`;

/** Changes a subscription's filters; waiting events stay. */
export async function changeFilters(
  tx: EntityManager,
  organizationId: string,
  id: string,
  { events, senderTypes }: Filters,
): Promise<void> {
  await tx.query(CHANGE, [organizationId, id, events, senderTypes]);
}

const COUNT = 'SELECT count(*)::integer AS count FROM subscriptions WHERE organization_id = $1';

export async function countSubscriptions(tx: EntityManager, organizationId: string): Promise<number> {
  const [row]: { count: number }[] = await tx.query(COUNT, [organizationId]);
  return row!.count;
}

const INSERT_FILTERS = `
  INSERT INTO webhooks (organization_id, id, bot_id, url, events, sender_types, secret, created_at)
  VALUES ($1, $2, $3, '', $4, $5, '', $6)`;
const INSERT = `
  INSERT INTO subscriptions (organization_id, bot_id, id, awake_since) VALUES ($1, $2, $3, $4)`;

export async function insertSubscription(
  tx: EntityManager,
  organizationId: string,
  botId: string,
  id: string,
  { events, senderTypes }: Filters,
): Promise<void> {
  const now = new Date();
  await tx.query(INSERT_FILTERS, [organizationId, id, botId, events, senderTypes, now]);
  await tx.query(INSERT, [organizationId, botId, id, now]);
}

const LOCK = 'SELECT id FROM subscriptions WHERE organization_id = $1 AND bot_id = $2 FOR UPDATE';
const DELETE = 'DELETE FROM webhooks WHERE organization_id = $1 AND id = $2';

/** Deletes a subscription but not its events. Returns its id, or null if there is none. */
export async function deleteSubscription(tx: EntityManager, organizationId: string, botId: string) {
  const [row]: { id: string }[] = await tx.query(LOCK, [organizationId, botId]);
  if (!row) return null;
  await tx.query(DELETE, [organizationId, row.id]);
  return row.id;
}
