import type { EntityManager } from 'typeorm';

/** The most rows that a statement removes. */
const BATCH = 1_000;

// A node of the previous release sets no remove_at: it removes what it deletes immediately.
const IS_DUE = (now: string) => `deleted_at IS NOT NULL AND (remove_at IS NULL OR remove_at <= ${now})`;

const FIND_DUE = `
  SELECT id FROM organizations WHERE ${IS_DUE('$1')} OR (deleted_at IS NOT NULL AND removal_began_at IS NOT NULL) ORDER BY id`;

/** The deleted organizations to remove at this time, or whose removal has begun. */
export async function findDue(manager: EntityManager, now: Date): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(FIND_DUE, [now]);
  return rows.map(({ id }) => id);
}

const BEGIN = `
  UPDATE organizations SET removal_began_at = $2 WHERE id = $1 AND removal_began_at IS NULL AND ${IS_DUE('$2')}
  RETURNING name`;
const CLOSE = ['access_tokens', 'receivers'].map((table) => `DELETE FROM ${table} WHERE organization_id = $1`);
const COUNT = `
  SELECT (SELECT count(*) FROM chats WHERE organization_id = $1)::float8 AS chats,
    (SELECT COALESCE(sum(message_count), 0) FROM chats WHERE organization_id = $1)::float8 AS messages,
    (SELECT count(*) FROM visitors WHERE organization_id = $1)::float8 AS visitors,
    (SELECT count(*) FROM agents WHERE organization_id = $1)::float8 AS agents,
    (SELECT count(*) FROM bots WHERE organization_id = $1)::float8 AS bots`;

/** An organization whose removal has just begun, and the number of its rows by their kind. */
export interface BegunRemoval {
  name: string;
  counts: Record<'chats' | 'messages' | 'visitors' | 'agents' | 'bots', number>;
}

/**
 * Begins the removal of a deleted organization that is due, in the transaction `tx`. From then on, it can't be restored. Null if another
 * node has begun it, or the organization was restored.
 */
export async function beginRemoval(tx: EntityManager, organizationId: string, now: Date): Promise<BegunRemoval | null> {
  const [[begun]] = (await tx.query(BEGIN, [organizationId, now])) as [{ name: string }[], number];
  if (!begun) return null;
  const [counts]: [BegunRemoval['counts']] = await tx.query(COUNT, [organizationId]);
  for (const statement of CLOSE) await tx.query(statement, [organizationId]);
  return { name: begun.name, counts };
}

const HAS_BEGUN = 'SELECT FROM organizations WHERE id = $1 AND removal_began_at IS NOT NULL';

/** Whether the removal of an organization has begun. If not, it may have been restored. */
export async function hasBegun(manager: EntityManager, organizationId: string): Promise<boolean> {
  const rows: unknown[] = await manager.query(HAS_BEGUN, [organizationId]);
  return rows.length > 0;
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

// Removing the chats has taken these from their chats.
const REMOVE_TURNS = `
  DELETE FROM bot_turns WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM bot_turns WHERE organization_id = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

// The connections are deleted, so no endpoint can be asked.
const REMOVE_CONVERSATIONS = `
  DELETE FROM conversation_removals WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM conversation_removals WHERE organization_id = $1 ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

// The removals stay until a body can no longer arrive: 2 h.
const REMOVE_USAGE = 'DELETE FROM file_usage WHERE organization_id = $1';

/** The statements that remove the other rows after the chats. Each is repeated until it removes less than a batch. */
export const REMOVE_STATEMENTS: readonly string[] = [
  LEAVE_GROUPS,
  ...REMOVE,
  REMOVE_KEYS,
  REMOVE_ENDED_TOKENS,
  REMOVE_CHANGES,
  REMOVE_TURNS,
  REMOVE_CONVERSATIONS,
  REMOVE_USAGE,
];

/** Removes a batch. Returns whether there may be more rows. */
export async function removeBatch(manager: EntityManager, statement: string, organizationId: string): Promise<boolean> {
  const [, count] = (await manager.query(statement, [organizationId])) as [unknown, number];
  return count === BATCH;
}

const HAS_ROWS = `
  SELECT WHERE EXISTS (SELECT FROM chats WHERE organization_id = $1) OR EXISTS (SELECT FROM visitors WHERE organization_id = $1)`;
const REMOVE_ORGANIZATION = `
  DELETE FROM organizations WHERE id = $1 AND deleted_at IS NOT NULL AND removal_began_at IS NOT NULL RETURNING name`;

/**
 * Removes the organization's row, unless other nodes are still removing its chats and visitors: the deletion then cascades to few rows.
 * Returns its name; null if it wasn't removed.
 */
export async function removeOrganization(tx: EntityManager, organizationId: string): Promise<string | null> {
  const rows: unknown[] = await tx.query(HAS_ROWS, [organizationId]);
  if (rows.length > 0) return null;
  const [[removed]] = (await tx.query(REMOVE_ORGANIZATION, [organizationId])) as [{ name: string }[], number];
  return removed?.name ?? null;
}
