import type { Pool } from 'pg';

/** How far a mailbox has been read. */
export interface MailboxPosition {
  /** The mailbox's UIDVALIDITY; null before the first start. */
  uidValidity: number | null;
  /** The UID of the last mail that was handled. */
  lastUid: number;
  /** How often the mail after that one couldn't be stored. */
  failures: number;
  /** When a mail was last handled. */
  readAt: Date | null;
}

/** How long a node has a mailbox after its last renewal, in seconds. If it's killed, another one takes over after this time. */
export const LEASE_SECONDS = 30;

const CREATE = 'INSERT INTO mailboxes (key) VALUES ($1) ON CONFLICT (key) DO NOTHING';

/** Makes sure that the mailbox has a row. */
export async function createMailbox(pool: Pool, key: string): Promise<void> {
  await pool.query(CREATE, [key]);
}

const LEASE = `
  UPDATE mailboxes SET node_id = $2, leased_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
  WHERE key = $1 AND (node_id IS NULL OR leased_until < statement_timestamp())
  RETURNING uid_validity::float8 AS "uidValidity", last_uid::float8 AS "lastUid", failures, read_at AS "readAt"`;

/** Takes the mailbox; null while a node has it. By the database's clock. */
export async function leaseMailbox(pool: Pool, key: string, nodeId: string): Promise<MailboxPosition | null> {
  const { rows } = await pool.query<MailboxPosition>(LEASE, [key, nodeId]);
  return rows[0] ?? null;
}

const RENEW = `
  UPDATE mailboxes SET leased_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds' WHERE key = $1 AND node_id = $2`;

/** Keeps the mailbox for longer. Returns false if another node has taken over since. */
export async function renewMailbox(pool: Pool, key: string, nodeId: string): Promise<boolean> {
  const { rowCount } = await pool.query(RENEW, [key, nodeId]);
  return rowCount === 1;
}

const NOTE = `
  UPDATE mailboxes SET uid_validity = $3, last_uid = $4, failures = $5, read_at = statement_timestamp()
  WHERE key = $1 AND node_id = $2`;

/** Notes how far the mailbox has been read. Returns false if another node has taken over since. */
export async function noteMailbox(
  pool: Pool,
  key: string,
  nodeId: string,
  { uidValidity, lastUid, failures }: Omit<MailboxPosition, 'readAt'>,
): Promise<boolean> {
  const { rowCount } = await pool.query(NOTE, [key, nodeId, uidValidity, lastUid, failures]);
  return rowCount === 1;
}

const RELEASE = 'UPDATE mailboxes SET node_id = NULL, leased_until = NULL WHERE key = $1 AND node_id = $2';

/** Lets another node take the mailbox. */
export async function releaseMailbox(pool: Pool, key: string, nodeId: string): Promise<void> {
  await pool.query(RELEASE, [key, nodeId]);
}
