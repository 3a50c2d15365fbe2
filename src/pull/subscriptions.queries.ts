import type { EntityManager } from 'typeorm';
import { insertReceiver, removeReceiver } from '../receivers/receivers.queries.js';
import type { Filters, SubscriptionRow } from './subscription.js';

const WAITING = 'd.organization_id = $1 AND d.receiver_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL';

const FIND = `
  SELECT s.id, r.events, r.sender_types AS "senderTypes", r.created_at AS "createdAt", s.last_polled_at AS "lastPolledAt",
    (SELECT count(*)::integer FROM deliveries d WHERE ${WAITING}) AS pending,
    (SELECT d.created_at FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT 1) AS "oldestAt"
  FROM subscriptions s JOIN receivers r ON r.organization_id = s.organization_id AND r.id = s.id
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
    SELECT a.position FROM deliveries a WHERE a.organization_id = $1 AND a.receiver_id = s.id AND a.id = $3), 0)
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

// Locks in the same order as polls: the subscription, then its receiver.
const RESUME = `
  UPDATE subscriptions SET is_resting = false, awake_since = now() WHERE organization_id = $1 AND bot_id = $2
  RETURNING id`;
const ENABLE = `UPDATE receivers SET is_enabled = true WHERE organization_id = $1 AND id = $2`;

/** Resumes a subscription, so that events are queued again. Returns its id, or null if there is none. */
export async function resumeSubscription(tx: EntityManager, organizationId: string, botId: string) {
  const [[row]] = (await tx.query(RESUME, [organizationId, botId])) as [{ id: string }[], number];
  if (!row) return null;
  await tx.query(ENABLE, [organizationId, row.id]);
  return row.id;
}

const COUNT = 'SELECT count(*)::integer AS count FROM subscriptions WHERE organization_id = $1';

export async function countSubscriptions(tx: EntityManager, organizationId: string): Promise<number> {
  const [row]: { count: number }[] = await tx.query(COUNT, [organizationId]);
  return row!.count;
}

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
  const receiver = { organizationId, id, botId, events, senderTypes, createdAt: now };
  await insertReceiver(tx, { ...receiver, kind: 'SUBSCRIPTION', isEnabled: true });
  await tx.query(INSERT, [organizationId, botId, id, now]);
}

const LOCK = 'SELECT id FROM subscriptions WHERE organization_id = $1 AND bot_id = $2 FOR UPDATE';

/** Deletes a subscription but not its events. Returns its id, or null if there is none. */
export async function deleteSubscription(tx: EntityManager, organizationId: string, botId: string) {
  const [row]: { id: string }[] = await tx.query(LOCK, [organizationId, botId]);
  if (!row) return null;
  await removeReceiver(tx, organizationId, row.id);
  return row.id;
}
