import type { EntityManager } from 'typeorm';

/** The most rows that a statement removes. */
const BATCH = 1_000;

const FIND_DELETED = `SELECT id FROM organizations WHERE deleted_at IS NOT NULL ORDER BY id`;

/** The deleted organizations that still have data. */
export async function findDeleted(manager: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(FIND_DELETED);
  return rows.map(({ id }) => id);
}

const FIND_CHATS = `SELECT id FROM chats WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT 500`;

export async function findChats(manager: EntityManager, organizationId: string, after: string): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(FIND_CHATS, [organizationId, after]);
  return rows.map(({ id }) => id);
}

// Chats are removed first, so that deleting visitors and bots cascades to no rows.
const REMOVE = ['visitors', 'agents', 'bots'].map(
  (table) => `
  DELETE FROM ${table} WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM ${table} WHERE organization_id = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
);

// Removing a bot does this too, except on a Citus cluster.
const LEAVE_GROUPS = `UPDATE groups SET bot_id = NULL WHERE organization_id = $1 AND bot_id IS NOT NULL`;

const REMOVE_KEYS = `
  DELETE FROM idempotency_keys WHERE organization_id = $1 AND (bot_id, endpoint, key) IN (
    SELECT bot_id, endpoint, key FROM idempotency_keys WHERE organization_id = $1
    ORDER BY bot_id, endpoint, key LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

const REMOVE_ENDED_TOKENS = `
  DELETE FROM ended_visitor_tokens WHERE organization_id = $1 AND token_id = ANY (ARRAY(
    SELECT token_id FROM ended_visitor_tokens WHERE organization_id = $1
    ORDER BY token_id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

// Removing the chats has recorded changes.
const REMOVE_CHANGES = `
  DELETE FROM chat_changes WHERE organization_id = $1 AND (epoch, subject_id) IN (
    SELECT epoch, subject_id FROM chat_changes WHERE organization_id = $1
    ORDER BY epoch, subject_id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

/** The statements that remove the other rows after the chats. Each is repeated until it removes less than a batch. */
export const REMOVE_STATEMENTS: readonly string[] = [
  LEAVE_GROUPS,
  ...REMOVE,
  REMOVE_KEYS,
  REMOVE_ENDED_TOKENS,
  REMOVE_CHANGES,
];

/** Removes a batch. Returns whether there may be more rows. */
export async function removeBatch(manager: EntityManager, statement: string, organizationId: string): Promise<boolean> {
  const [, count] = (await manager.query(statement, [organizationId])) as [unknown, number];
  return count === BATCH;
}

const HAS_ROWS = `
  SELECT WHERE EXISTS (SELECT FROM chats WHERE organization_id = $1) OR EXISTS (SELECT FROM visitors WHERE organization_id = $1)`;
const REMOVE_ORGANIZATION = 'DELETE FROM organizations WHERE id = $1 AND deleted_at IS NOT NULL';

/** Waits until other nodes have removed the chats and visitors, so that the deletion cascades to few rows. */
export async function removeOrganization(manager: EntityManager, organizationId: string): Promise<void> {
  const rows: unknown[] = await manager.query(HAS_ROWS, [organizationId]);
  if (rows.length === 0) await manager.query(REMOVE_ORGANIZATION, [organizationId]);
}
