import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

export interface StoredKey {
  publicKey: string;
  sealed: Buffer;
}

const FIND = 'SELECT public_key AS "publicKey", sealed FROM push_keys ORDER BY created_at DESC, public_key';
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('push keys', 0))";
const INSERT = 'INSERT INTO push_keys (public_key, sealed, created_at) VALUES ($1, $2, $3)';

/** The generated keys, newest first. */
export async function findKeys(pool: Pool): Promise<StoredKey[]> {
  return (await pool.query<StoredKey>(FIND)).rows;
}

/** The generated keys, newest first. Other nodes' calls of `lockKeys` wait until the transaction ends. */
export async function lockKeys(tx: EntityManager): Promise<StoredKey[]> {
  await tx.query(LOCK);
  return tx.query(FIND);
}

export async function insertKey(tx: EntityManager, { publicKey, sealed }: StoredKey, now: Date): Promise<void> {
  await tx.query(INSERT, [publicKey, sealed, now]);
}
