import type { EntityManager } from 'typeorm';
import type { EventType } from '../receivers/event-type.js';
import type { Receiver } from '../receivers/receiver.entity.js';
import { changeReceiver, insertReceiver } from '../receivers/receivers.queries.js';
import type { SenderType } from '../messages/message.js';
import type { Webhook } from './webhook.entity.js';

/** A webhook with what it gets, and without its secrets. */
export interface WebhookRow
  extends
    Pick<Webhook, 'organizationId' | 'id' | 'url' | 'previousSecretExpiresAt'>,
    Pick<Receiver, 'isEnabled' | 'disabledReason' | 'createdAt'> {
  /** Null: every event. */
  events: EventType[] | null;
  /** The senders whose messages are sent; null: all. */
  senderTypes: SenderType[] | null;
}

const ROWS = `
  SELECT w.organization_id AS "organizationId", w.id, w.url, r.events, r.sender_types AS "senderTypes", r.is_enabled AS "isEnabled",
    r.disabled_reason AS "disabledReason", w.previous_secret_expires_at AS "previousSecretExpiresAt", r.created_at AS "createdAt"
  FROM receivers r JOIN webhooks w ON w.organization_id = r.organization_id AND w.id = r.id
  WHERE r.organization_id = $1`;
const LIST = `${ROWS} AND r.id > $2 ORDER BY r.id LIMIT $3`;
const FIND = `${ROWS} AND r.id = $2`;
// The receiver first, as what removes it.
const LOCK = `${FIND} FOR NO KEY UPDATE`;

/** The webhooks of an organization after an id. */
export function listWebhooks(
  manager: EntityManager,
  organizationId: string,
  after: string,
  limit: number,
): Promise<WebhookRow[]> {
  return manager.query(LIST, [organizationId, after, limit]);
}

export async function findWebhook(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<WebhookRow | null> {
  const [row]: WebhookRow[] = await manager.query(FIND, [organizationId, id]);
  return row ?? null;
}

/** The same, locked against changes until the end of the transaction. */
export async function lockWebhook(tx: EntityManager, organizationId: string, id: string): Promise<WebhookRow | null> {
  const [row]: WebhookRow[] = await tx.query(LOCK, [organizationId, id]);
  return row ?? null;
}

const COUNT = 'SELECT count(*)::integer AS count FROM webhooks WHERE organization_id = $1';

export async function countWebhooks(tx: EntityManager, organizationId: string): Promise<number> {
  const [row]: { count: number }[] = await tx.query(COUNT, [organizationId]);
  return row!.count;
}

const INSERT = 'INSERT INTO webhooks (organization_id, id, url, secret) VALUES ($1, $2, $3, $4)';
const INSERT_LANE = 'INSERT INTO webhook_lanes (organization_id, webhook_id) VALUES ($1, $2)';

/** Creates a webhook with its lane. @param secret sealed */
export async function insertWebhook(tx: EntityManager, row: WebhookRow, secret: Buffer): Promise<void> {
  const { organizationId, id, url } = row;
  await insertReceiver(tx, { ...row, kind: 'WEBHOOK', botId: null });
  await tx.query(INSERT, [organizationId, id, url, secret]);
  await tx.query(INSERT_LANE, [organizationId, id]);
}

const SET_URL = 'UPDATE webhooks SET url = $3 WHERE organization_id = $1 AND id = $2';

/** Replaces the settings of a locked webhook. */
export async function changeWebhook(tx: EntityManager, row: WebhookRow): Promise<void> {
  await changeReceiver(tx, row);
  await tx.query(SET_URL, [row.organizationId, row.id, row.url]);
}

const HEAL =
  'UPDATE webhook_lanes SET failing_since = NULL, paused_until = NULL WHERE organization_id = $1 AND webhook_id = $2';

/** Ends the failures and the pause of a webhook. */
export async function healWebhook(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query(HEAL, [organizationId, id]);
}

const ROTATE = `
  UPDATE webhooks SET secret = $3, previous_secret = secret, previous_secret_expires_at = $4 WHERE organization_id = $1 AND id = $2`;

/** Replaces the secret of a webhook. @param secret sealed @param until when the replaced one stops signing */
export async function replaceSecret(
  tx: EntityManager,
  { organizationId, id }: Pick<WebhookRow, 'organizationId' | 'id'>,
  secret: Buffer,
  until: Date,
): Promise<void> {
  await tx.query(ROTATE, [organizationId, id, secret, until]);
}

const FIND_SECRETS = `
  SELECT url, secret, previous_secret AS "previousSecret", previous_secret_expires_at AS "previousSecretExpiresAt"
  FROM webhooks WHERE organization_id = $1 AND id = $2`;

/** The URL of a webhook, and its sealed secrets. */
export async function findSecrets(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<Pick<Webhook, 'url' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt'> | null> {
  const [row]: Webhook[] = await manager.query(FIND_SECRETS, [organizationId, id]);
  return row ?? null;
}
