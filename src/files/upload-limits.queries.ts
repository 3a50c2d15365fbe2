import type { EntityManager } from 'typeorm';
import { FILE_QUOTA } from '../organizations/organization.entity.js';
import { IS_IN_TIME } from './uploads.queries.js';

const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name`;

/** Makes transactions with one of these names run one after the other. */
export async function lockNames(tx: EntityManager, names: readonly string[]): Promise<void> {
  await tx.query(LOCK, [names.toSorted()]);
}

/** The uploads of the last 10 minutes, the bytes of the last 24 h, and the seconds until the oldest of each no longer count. */
export interface Window {
  uploads: number;
  uploadsFreeIn: number;
  bytes: number;
  bytesFreeIn: number;
}

const count = (column: string) => `
  SELECT count(*) FILTER (WHERE is_recent)::integer AS uploads,
    COALESCE(extract(epoch FROM min(created_at) FILTER (WHERE is_recent) + interval '10 minutes' - statement_timestamp()), 0)::float8
      AS "uploadsFreeIn",
    COALESCE(sum(size), 0)::float8 AS bytes,
    COALESCE(extract(epoch FROM min(created_at) + interval '24 hours' - statement_timestamp()), 0)::float8 AS "bytesFreeIn"
  FROM (
    SELECT size, created_at, created_at > statement_timestamp() - interval '10 minutes' AS is_recent FROM file_starts
    WHERE ${column} = $1 AND created_at > statement_timestamp() - interval '24 hours'
  ) AS lately`;
const COUNT = { sender: count('sender'), address: count('address') };

/** The uploads of a visitor, or from a source address, in sliding windows. */
export async function countStarts(
  tx: EntityManager,
  column: 'sender' | 'address',
  value: string | Buffer,
): Promise<Window> {
  return ((await tx.query(COUNT[column], [value])) as Window[])[0]!;
}

const ADD = 'INSERT INTO file_starts (id, sender, address, size, created_at) VALUES ($1, $2, $3, $4, $5)';

interface Start {
  id: string;
  sender: string;
  address: Buffer;
  size: number;
  createdAt: Date;
}

export async function addStart(tx: EntityManager, { id, sender, address, size, createdAt }: Start): Promise<void> {
  await tx.query(ADD, [id, sender, address, size, createdAt]);
}

const REMOVE_STARTS = 'DELETE FROM file_starts WHERE id = ANY ($1)';

/** Makes these uploads count no longer. */
export async function removeStarts(tx: EntityManager, ids: readonly string[]): Promise<void> {
  await tx.query(REMOVE_STARTS, [ids]);
}

const UNFINISHED = `f.organization_id = $1 AND f.status = 'PENDING' AND ${IS_IN_TIME}`;
const COUNT_OF_SENDER = `
  SELECT count(*)::integer AS count FROM files f WHERE ${UNFINISHED} AND f.sender_id = $2`;
const COUNT_OF_CHAT = `
  SELECT count(*)::integer AS count FROM files f WHERE ${UNFINISHED} AND f.chat_id = $2 AND f.sender_type <> 'VISITOR'`;

/** The unfinished uploads of a visitor, or of bots and agents in a chat. */
export async function countUnfinished(
  tx: EntityManager,
  organizationId: string,
  of: { senderId: string } | { chatId: string },
): Promise<number> {
  const [text, id] = 'senderId' in of ? [COUNT_OF_SENDER, of.senderId] : [COUNT_OF_CHAT, of.chatId];
  const [row]: { count: number }[] = await tx.query(text, [organizationId, id]);
  return row!.count;
}

const SEE = 'INSERT INTO file_usage (organization_id) VALUES ($1) ON CONFLICT (organization_id) DO NOTHING';
const LOCK_USAGE = 'SELECT bytes::float8 AS bytes FROM file_usage WHERE organization_id = $1 FOR NO KEY UPDATE';
const SUM = `SELECT COALESCE(sum(f.announced_size), 0)::float8 AS bytes FROM files f WHERE ${UNFINISHED}`;
const QUOTA = 'SELECT file_quota::float8 AS quota FROM organizations WHERE id = $1';

/** The quota of an organization, and what its files and unfinished uploads take, in bytes. A null quota is no limit. Locks the usage. */
export async function lockQuota(
  tx: EntityManager,
  organizationId: string,
): Promise<{ quota: number | null; used: number }> {
  await tx.query(SEE, [organizationId]);
  const [usage]: { bytes: number }[] = await tx.query(LOCK_USAGE, [organizationId]);
  const [unfinished]: { bytes: number }[] = await tx.query(SUM, [organizationId]);
  const [organization]: { quota: number | null }[] = await tx.query(QUOTA, [organizationId]);
  const quota = organization ? organization.quota : FILE_QUOTA;
  return { quota, used: usage!.bytes + unfinished!.bytes };
}

const SUMMARY = `
  SELECT COALESCE(u.number, 0)::float8 AS files, COALESCE(u.bytes, 0)::float8 AS bytes,
    (${SUM}) AS unfinished
  FROM (SELECT $1::text AS id) AS o LEFT JOIN file_usage u ON u.organization_id = $1`;

/** How many files and bytes an organization stores, and the bytes of its unfinished uploads. */
export interface FileSummary {
  files: number;
  bytes: number;
  unfinished: number;
}

export async function readFileSummary(manager: EntityManager, organizationId: string): Promise<FileSummary> {
  return ((await manager.query(SUMMARY, [organizationId])) as FileSummary[])[0]!;
}
