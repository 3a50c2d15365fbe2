import type { EntityManager } from 'typeorm';
import { isDistributed } from '../platform/database/citus/per-organization.js';
import { clientOf, queryNamed } from '../platform/database/transaction.js';
import type { Bot } from './bot.entity.js';

/** A bot as administrators see it. */
export interface BotRow extends Pick<Bot, 'id' | 'name' | 'onlyOwnChats' | 'isAi' | 'createdAt'> {
  /** Whether the bot can poll for events. */
  hasSubscription: boolean;
  /** Whether an address or a script answers for it. */
  hasConnection: boolean;
}

const COLUMNS = `
  b.id, b.name, b.only_own_chats AS "onlyOwnChats", b.is_ai AS "isAi", b.created_at AS "createdAt",
  EXISTS (SELECT FROM subscriptions s WHERE s.organization_id = $1 AND s.bot_id = b.id) AS "hasSubscription",
  EXISTS (SELECT FROM bot_connections c WHERE c.organization_id = $1 AND c.bot_id = b.id) AS "hasConnection"`;

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

const HAS_ENDPOINT = `SELECT FROM bot_connections WHERE organization_id = $1 AND bot_id = $2 AND kind <> 'script'`;

/** Whether an endpoint answers for the bot: an AI, as far as anyone knows. A script isn't one. */
export async function hasEndpoint(tx: EntityManager, organizationId: string, botId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(HAS_ENDPOINT, [organizationId, botId]);
  return rows.length > 0;
}

const FIND_ANY = 'SELECT FROM bots WHERE organization_id = $1 ORDER BY id LIMIT 1';

// On a Citus cluster, transactions that share rows of a reference table deadlock, even on rows of different organizations. So the
// default group stands for the bots there.
const SHARE_GROUP = 'SELECT FROM groups WHERE organization_id = $1 AND is_default FOR KEY SHARE';
const LOCK_GROUP = 'SELECT FROM groups WHERE organization_id = $1 AND is_default FOR UPDATE';

/** Whether the organization has a bot. Locks it against removal until the end of the transaction. */
export async function lockAnyBot(tx: EntityManager, organizationId: string): Promise<boolean> {
  const values = [organizationId];
  if (!isDistributed(await clientOf(tx))) {
    return (await queryNamed(tx, { name: 'lock-any-bot', text: `${FIND_ANY} FOR KEY SHARE`, values })).length > 0;
  }
  await tx.query(SHARE_GROUP, values);
  const rows: unknown[] = await tx.query(FIND_ANY, values);
  return rows.length > 0;
}

/** Waits for the transactions of `lockAnyBot`, before a bot is removed. On one PostgreSQL, removing the row does. */
export async function awaitBotLocks(tx: EntityManager, organizationId: string): Promise<void> {
  if (isDistributed(await clientOf(tx))) await tx.query(LOCK_GROUP, [organizationId]);
}

const LOCK_SUBSCRIPTION = 'SELECT FROM subscriptions WHERE organization_id = $1 AND bot_id = $2 FOR UPDATE';

/**
 * Locks a bot's subscription before the bot is removed. Removing the bot deletes its rows of `receivers` and `subscriptions`, in that
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
