import type { EntityManager } from 'typeorm';
import type { Bot } from './bot.entity.js';

/** A bot as administrators see it. */
export interface BotRow extends Pick<Bot, 'id' | 'name' | 'createdAt'> {
  /** Whether the bot can poll for events. */
  hasSubscription: boolean;
}

const COLUMNS = `
  b.id, b.name, b.created_at AS "createdAt",
  EXISTS (SELECT FROM subscriptions s WHERE s.organization_id = $1 AND s.bot_id = b.id) AS "hasSubscription"`;

const LIST = `SELECT ${COLUMNS} FROM bots b WHERE b.organization_id = $1 AND b.id > $2 ORDER BY b.id LIMIT $3`;

/** The bots after an id, in the order of their ids. */
export function listBots(
  manager: EntityManager,
  organizationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<BotRow[]> {
  return manager.query(LIST, [organizationId, after, limit]);
}

const FIND = `SELECT ${COLUMNS} FROM bots b WHERE b.organization_id = $1 AND b.id = $2`;

export async function findBot(manager: EntityManager, organizationId: string, id: string): Promise<BotRow | null> {
  const [row]: BotRow[] = await manager.query(FIND, [organizationId, id]);
  return row ?? null;
}

const LOCK_SUBSCRIPTION = 'SELECT FROM subscriptions WHERE organization_id = $1 AND bot_id = $2 FOR UPDATE';

/**
 * Locks a bot's subscription before the bot is removed. Removing the bot deletes its rows of `webhooks` and `subscriptions`, in that
 * order, while the bot's calls lock them in the opposite order.
 */
export async function lockSubscription(tx: EntityManager, organizationId: string, botId: string): Promise<void> {
  await tx.query(LOCK_SUBSCRIPTION, [organizationId, botId]);
}

const LEAVE_GROUPS = 'UPDATE groups SET bot_id = NULL WHERE organization_id = $1 AND bot_id = $2';

/** Takes a bot out of its groups, before it's removed. On a Citus cluster, the foreign key can't. */
export async function leaveGroups(tx: EntityManager, organizationId: string, botId: string): Promise<void> {
  await tx.query(LEAVE_GROUPS, [organizationId, botId]);
}
