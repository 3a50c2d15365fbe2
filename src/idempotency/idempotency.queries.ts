import type { Pool, PoolClient } from 'pg';
import { AWAIT_REPLICATION } from '../platform/database/replication.js';
import { type Idempotency, keysExpireBefore } from './idempotency.js';

/** The stored result of a key. */
export interface StoredResult {
  fingerprint: Buffer;
  response: object;
}

// Stores an actor's key (`bot_id`) if it's free: never used, or last used before $8.
const RESERVE = `
  INSERT INTO idempotency_keys AS k (organization_id, bot_id, endpoint, key, fingerprint, response, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (organization_id, bot_id, endpoint, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at
    WHERE k.created_at <= $8`;

/**
 * Reserves a key in this transaction. Waits if another transaction is reserving it. Returns null if it's reserved, and the key's stored
 * result if it was taken.
 */
export async function reserveKey(
  client: PoolClient,
  organizationId: string,
  actorId: string,
  asked: Idempotency,
  response: object,
): Promise<StoredResult | null> {
  const now = new Date();
  const expiredBefore = keysExpireBefore(now);
  const { endpoint, key, fingerprint } = asked;
  const values = [organizationId, actorId, endpoint, key, fingerprint, JSON.stringify(response), now, expiredBefore];
  const { rowCount } = await client.query(RESERVE, values);
  return rowCount === 1 ? null : findStoredResult(client, organizationId, actorId, asked, expiredBefore);
}

const REPLACE = `
  UPDATE idempotency_keys SET response = $5
  WHERE organization_id = $1 AND bot_id = $2 AND endpoint = $3 AND key = $4`;

/** Replaces the stored result of a key that this transaction has reserved. */
export async function replaceStoredResult(
  client: PoolClient,
  organizationId: string,
  actorId: string,
  { endpoint, key }: Idempotency,
  response: object,
): Promise<void> {
  await client.query(REPLACE, [organizationId, actorId, endpoint, key, JSON.stringify(response)]);
}

const FIND = `
  SELECT fingerprint, response, ${AWAIT_REPLICATION} FROM idempotency_keys
  WHERE organization_id = $1 AND bot_id = $2 AND endpoint = $3 AND key = $4 AND created_at > $5`;

/** Returns the stored result of a key once it's replicated; null if the key is free. */
export async function findStoredResult(
  client: Pool | PoolClient,
  organizationId: string,
  actorId: string,
  { endpoint, key }: Idempotency,
  expiredBefore: Date,
): Promise<StoredResult | null> {
  const values = [organizationId, actorId, endpoint, key, expiredBefore];
  const { rows } = await client.query<StoredResult>({ name: 'find-stored-result', text: FIND, values });
  return rows[0] ?? null;
}
