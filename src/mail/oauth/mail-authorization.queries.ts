import type { Pool } from 'pg';

/** What runs a statement: a pool or a client. */
export type Database = Pick<Pool, 'query'>;

/** An authorization as it's stored. */
export interface StoredAuthorization {
  sealed: Buffer;
  /** When the access token ends. */
  expiresAt: Date;
  /** Why the last renewal failed; null after a success. */
  lastError: string | null;
  /** Whether it may be renewed now. After a refusal, it may only after an hour. */
  mayRenew: boolean;
}

const FIND = `
  SELECT sealed, expires_at AS "expiresAt", last_error AS "lastError",
    retry_at IS NULL OR retry_at <= statement_timestamp() AS "mayRenew"
  FROM mail_authorizations WHERE key = $1`;

export async function findAuthorization(database: Database, key: string): Promise<StoredAuthorization | null> {
  const { rows } = await database.query<StoredAuthorization>(FIND, [key]);
  return rows[0] ?? null;
}

const STORE = `
  INSERT INTO mail_authorizations (key, sealed, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at,
    renewing_until = NULL, last_error = NULL, retry_at = NULL`;

/** Stores new tokens in place of older ones. */
export async function storeAuthorization(
  database: Database,
  key: string,
  sealed: Buffer,
  expiresAt: Date,
): Promise<void> {
  await database.query(STORE, [key, sealed, expiresAt]);
}

const LEASE = `
  UPDATE mail_authorizations SET renewing_until = statement_timestamp() + $3::double precision * interval '1 millisecond'
  WHERE key = $1 AND sealed = $2 AND (renewing_until IS NULL OR renewing_until < statement_timestamp())`;

/** Takes the right to renew these tokens. Returns false while another node does so, or if they were replaced. */
export async function leaseRenewal(
  database: Database,
  key: string,
  sealed: Buffer,
  milliseconds: number,
): Promise<boolean> {
  const { rowCount } = await database.query(LEASE, [key, sealed, milliseconds]);
  return rowCount === 1;
}

const REPLACE = `
  UPDATE mail_authorizations SET sealed = $3, expires_at = $4, renewing_until = NULL, last_error = NULL, retry_at = NULL
  WHERE key = $1 AND sealed = $2`;

/** Replaces renewed tokens, unless a person has authorized again since. */
export async function replaceAuthorization(
  database: Database,
  key: string,
  before: Buffer,
  sealed: Buffer,
  expiresAt: Date,
): Promise<void> {
  await database.query(REPLACE, [key, before, sealed, expiresAt]);
}

const FAIL = `
  UPDATE mail_authorizations SET renewing_until = NULL, last_error = $3, retry_at = $4 WHERE key = $1 AND sealed = $2`;

/** Notes that a renewal failed. @param retryAt when the next one may be tried; null: at any time */
export async function failRenewal(
  database: Database,
  key: string,
  before: Buffer,
  error: string,
  retryAt: Date | null,
): Promise<void> {
  await database.query(FAIL, [key, before, error, retryAt]);
}
