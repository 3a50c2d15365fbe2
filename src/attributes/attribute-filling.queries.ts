import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { queryEverywhere } from '../platform/database/citus/per-organization.js';

/** The most chats or visitors that a transaction reads, and the most that it locks to store their values. */
const READ_BATCH = 2_000;
const STORE_BATCH = 500;
/** The most values that a transaction removes. */
const REMOVE_BATCH = 2_000;
/** Sorts after the ids of chats, and before the ids of visitors. */
const BEFORE_VISITORS = 'vis_';

/** The organizations with keys that aren't ready, or whose values are to be removed. */
export async function findPending(pool: Pool, limit: number): Promise<{ organizationId: string }[]> {
  return queryEverywhere(pool, {
    name: 'attribute-keys-pending',
    text: (isOf) => `
      SELECT DISTINCT k.organization_id AS "organizationId" FROM attribute_keys k
      WHERE (k.ready_at IS NULL OR k.removed_at IS NOT NULL) AND ${isOf('k')} LIMIT ${limit}`,
    values: [],
  });
}

/** A key that was added. */
export interface NewKey {
  key: string;
  createdAt: Date;
}

const FIND_NEW = `
  SELECT key, created_at AS "createdAt" FROM attribute_keys
  WHERE organization_id = $1 AND filled_to IS NULL AND removed_at IS NULL ORDER BY key`;

/** The keys that open transactions may not know. */
export function findNew(manager: EntityManager, organizationId: string): Promise<NewKey[]> {
  return manager.query(FIND_NEW, [organizationId]);
}

const BEGIN = `
  UPDATE attribute_keys SET filled_to = '' WHERE organization_id = $1 AND key = $2 AND created_at = $3 AND filled_to IS NULL`;

/** Begins to fill a key that every open transaction knows. */
export async function beginFilling(manager: EntityManager, organizationId: string, { key, createdAt }: NewKey) {
  await manager.query(BEGIN, [organizationId, key, createdAt]);
}

const LOCK_UNFILLED = `
  SELECT key, filled_to AS "filledTo" FROM attribute_keys
  WHERE organization_id = $1 AND ready_at IS NULL AND removed_at IS NULL AND filled_to IS NOT NULL
  ORDER BY key FOR NO KEY UPDATE`;
// A value that's added while this runs is stored by a trigger, so chats without a value needn't be locked.
const readNext = (table: string, columns: readonly string[]) => `
  SELECT s.id, (${columns.map((column) => `EXISTS (SELECT FROM unnest($3::text[]) AS k (key) WHERE (s.${column} -> k.key) IS NOT NULL)`).join(' OR ')}) AS "hasValue"
  FROM ${table} s WHERE s.organization_id = $1 AND s.id > $2 ORDER BY s.id LIMIT ${READ_BATCH}`;
const lock = (table: string) => `
  SELECT FROM ${table} s WHERE s.organization_id = $1 AND s.id = ANY ($2) ORDER BY s.id FOR NO KEY UPDATE`;

// Changes of the keys are stored by triggers, so the values that exist are right, and only missing ones are added.
const storeOf = (table: string, verified: string) => `
  INSERT INTO attribute_values (organization_id, key, value_hash, subject_id, is_verified)
  SELECT s.organization_id, k.key, h.hash, s.id, bool_or(w.is_verified)
  FROM ${table} s CROSS JOIN unnest($3::text[]) AS k (key)
  CROSS JOIN LATERAL (VALUES (s.metadata, false), (s.attributes, false), (${verified}, true)) AS w (given, is_verified)
  CROSS JOIN LATERAL (SELECT attribute_hash(w.given -> k.key) AS hash) AS f
  CROSS JOIN LATERAL (VALUES (f.hash), (''::bytea)) AS h (hash)
  WHERE s.organization_id = $1 AND s.id = ANY ($2) AND f.hash IS NOT NULL
  GROUP BY s.organization_id, k.key, h.hash, s.id
  ON CONFLICT DO NOTHING`;

const CHATS = {
  read: readNext('chats', ['metadata', 'attributes']),
  lock: lock('chats'),
  store: storeOf('chats', 'NULL::json'),
  end: BEFORE_VISITORS,
};
const VISITORS = {
  read: readNext('visitors', ['metadata', 'attributes', 'verified_attributes']),
  lock: lock('visitors'),
  store: storeOf('visitors', 's.verified_attributes'),
  end: null,
};

const ADVANCE = `
  UPDATE attribute_keys SET filled_to = $3, ready_at = $4 WHERE organization_id = $1 AND key = ANY ($2)`;

/**
 * Stores some chats' or visitors' values of the keys that are least filled, in the transaction `tx`. Locks the chats and visitors with
 * values, because changes of them may not be visible yet. Returns whether there may be more.
 */
export async function fillStep(tx: EntityManager, organizationId: string): Promise<boolean> {
  const unfilled: { key: string; filledTo: string }[] = await tx.query(LOCK_UNFILLED, [organizationId]);
  if (unfilled.length === 0) return false;
  const places = unfilled.map(({ filledTo }) => filledTo).toSorted((a, b) => (a < b ? -1 : 1));
  const after = places[0]!;
  const keys = unfilled.filter(({ filledTo }) => filledTo === after).map(({ key }) => key);
  const { read, end, ...storing } = after < BEFORE_VISITORS ? CHATS : VISITORS;
  const rows: { id: string; hasValue: boolean }[] = await tx.query(read, [organizationId, after, keys]);
  const ids = rows.filter(({ hasValue }) => hasValue).map(({ id }) => id);
  const stored = ids.slice(0, STORE_BATCH);
  if (stored.length > 0) {
    await tx.query(storing.lock, [organizationId, stored]);
    await tx.query(storing.store, [organizationId, stored, keys]);
  }
  const last = stored.length < ids.length ? stored.at(-1) : rows.at(-1)?.id;
  const isLast = stored.length === ids.length && rows.length < READ_BATCH;
  const isReady = isLast && end === null;
  const filledTo = (isLast ? end : null) ?? last ?? after;
  await tx.query(ADVANCE, [organizationId, keys, filledTo, isReady ? new Date() : null]);
  return true;
}

const FIND_REMOVED = `
  SELECT key FROM attribute_keys WHERE organization_id = $1 AND removed_at IS NOT NULL ORDER BY key LIMIT 1 FOR NO KEY UPDATE`;
// Locked values are skipped: a transaction that changes a chat may have locked some of its values, and wait for others.
const REMOVE_VALUES = `
  DELETE FROM attribute_values WHERE organization_id = $1 AND key = $2 AND (value_hash, subject_id) IN (
    SELECT value_hash, subject_id FROM attribute_values WHERE organization_id = $1 AND key = $2
    LIMIT ${REMOVE_BATCH} FOR UPDATE SKIP LOCKED)`;
// Waits for the transactions that know the key. The values that they stored are deleted with the row.
const REMOVE_KEY = 'DELETE FROM attribute_keys WHERE organization_id = $1 AND key = $2 AND removed_at IS NOT NULL';

/** Removes some values of a removed key, and the key with the last of them. Returns whether there may be more. */
export async function removeStep(tx: EntityManager, organizationId: string): Promise<boolean> {
  const [removed]: { key: string }[] = await tx.query(FIND_REMOVED, [organizationId]);
  if (!removed) return false;
  const [, count] = (await tx.query(REMOVE_VALUES, [organizationId, removed.key])) as [unknown, number];
  if (count < REMOVE_BATCH) await tx.query(REMOVE_KEY, [organizationId, removed.key]);
  return true;
}
