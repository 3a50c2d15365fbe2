import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { type IsOf, queryEverywhere } from '../platform/database/citus/per-organization.js';
import { dueInTurn } from '../platform/database/due-rows.js';
import { PICTURE } from './file.js';
import { addUsage } from './uploads.queries.js';

/** Milliseconds after an upload began while its body may still arrive. */
const ARRIVES_MS = 2 * 60 * 60 * 1000;

export const incomingKey = (organizationId: string, id: string) => `${organizationId}/incoming/${id}`;
export const fileKey = (organizationId: string, id: string, place: string) => `${organizationId}/files/${id}.${place}`;

const INSERT = `
  INSERT INTO file_removals AS r (organization_id, key, chat_id, due_at, last_at)
  SELECT $1, n.key, n.chat_id, n.due_at, n.last_at
  FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS n (key, chat_id, due_at, last_at)
  ON CONFLICT (organization_id, key) DO UPDATE
    SET due_at = excluded.due_at, last_at = greatest(r.last_at, excluded.last_at), cleared_at = NULL`;

interface NewRemoval {
  key: string;
  chatId: string;
  /** Until when bytes may arrive. */
  lastAt: Date;
}

/** Queues the removal of bytes in the transaction `tx`. It's due immediately. */
export async function insertRemovals(
  tx: EntityManager,
  organizationId: string,
  removals: readonly NewRemoval[],
): Promise<void> {
  if (removals.length === 0) return;
  const columns = [
    removals.map(({ key }) => key),
    removals.map(({ chatId }) => chatId),
    removals.map(() => new Date()),
    removals.map(({ lastAt }) => lastAt),
  ];
  await tx.query(INSERT, [organizationId, ...columns]);
}

/** The removal of all bodies that arrive for an upload, the last ones 2 h after it began. */
export function removalOfIncoming(file: { organizationId: string; id: string; chatId: string; createdAt: Date }) {
  const { organizationId, id, chatId, createdAt } = file;
  return { key: incomingKey(organizationId, id), chatId, lastAt: new Date(createdAt.getTime() + ARRIVES_MS) };
}

/** The removal of checked bytes. Until its lease ends, another node may still be writing them. */
export function removalOfPlace(
  { organizationId, id, chatId }: { organizationId: string; id: string; chatId: string },
  place: string,
  leaseMs: number,
) {
  return { key: fileKey(organizationId, id, place), chatId, lastAt: new Date(Date.now() + leaseMs) };
}

/** Which files of an organization to remove. */
export type Removed =
  | { ofChats: readonly string[] }
  | { id: string }
  | { pictures: readonly string[] }
  | { usedBy: readonly string[]; chatId: string }
  | { ofNote: string; chatId: string; except: readonly string[] }
  | (Unused & { limit: number })
  | { limit: number };

/** Before when unused uploads were begun, and before when unfinished ones were, to remove them. */
export interface Unused {
  unusedSince: Date;
  unfinishedSince: Date;
}

/** SQL: the uploads that nothing took, from before `before`, and the unfinished ones from before `unfinishedBefore`. */
const isUnused = (f: string, before: string, unfinishedBefore: string) => `
  ${f}.used_by IS NULL AND ${f}.created_at < ${unfinishedBefore} AND (${f}.status = 'PENDING' OR ${f}.created_at < ${before})`;

function conditionOf(removed: Removed): [condition: string, values: unknown[]] {
  if ('ofChats' in removed) return ['f.chat_id = ANY ($2)', [removed.ofChats]];
  if ('id' in removed) return ['f.id = $2 AND f.used_by IS NULL', [removed.id]];
  if ('pictures' in removed) return [`f.id = ANY ($2) AND f.used_by = '${PICTURE}'`, [removed.pictures]];
  if ('usedBy' in removed) return ['f.chat_id = $2 AND f.used_by = ANY ($3)', [removed.chatId, removed.usedBy]];
  if ('ofNote' in removed)
    return ['f.chat_id = $2 AND f.used_by = $3 AND f.id <> ALL ($4)', [removed.chatId, removed.ofNote, removed.except]];
  const areUnused = 'unusedSince' in removed;
  const condition = `f.id = ANY (ARRAY(
    SELECT o.id FROM files o WHERE o.organization_id = $1 ${areUnused ? `AND ${isUnused('o', '$3', '$4')}` : ''}
    ORDER BY o.id LIMIT $2 FOR UPDATE SKIP LOCKED))`;
  return [condition, areUnused ? [removed.limit, removed.unusedSince, removed.unfinishedSince] : [removed.limit]];
}

interface Gone {
  organizationId: string;
  id: string;
  chatId: string;
  place: string | null;
  status: string;
  size: number | null;
  createdAt: Date;
}

/**
 * Removes files in the transaction `tx`. After its commit, they're 404, and their bytes are queued for removal. Returns their number.
 * @param leaseMs how long another node may still write checked bytes
 */
export async function removeFiles(
  tx: EntityManager,
  organizationId: string,
  removed: Removed,
  leaseMs = LEASE_MS,
): Promise<number> {
  if ('usedBy' in removed && removed.usedBy.length === 0) return 0;
  const [condition, values] = conditionOf(removed);
  const text = `
    DELETE FROM files f WHERE f.organization_id = $1 AND ${condition}
    RETURNING f.organization_id AS "organizationId", f.id, f.chat_id AS "chatId", f.place, f.status, f.size::float8 AS size,
      f.created_at AS "createdAt"`;
  const [gone] = (await tx.query(text, [organizationId, ...values])) as [Gone[], number];
  await insertRemovals(
    tx,
    organizationId,
    gone.flatMap((file) => [
      removalOfIncoming(file),
      ...(file.place === null ? [] : [removalOfPlace(file, file.place, file.status === 'PENDING' ? leaseMs : 0)]),
    ]),
  );
  const stored = gone.filter(({ status }) => status === 'COMPLETE');
  const bytes = stored.reduce((sum, { size }) => sum + (size ?? 0), 0);
  await addUsage(tx, organizationId, -stored.length, -bytes);
  return gone.length;
}

/** Milliseconds that a node may take to check the bytes of an upload. */
export const LEASE_MS = 60_000;

const AWAIT_ERASURE = `
  UPDATE file_removals SET erased_for = $3 WHERE organization_id = $1 AND chat_id = $2 AND cleared_at IS NULL`;

/** Makes the erasure of a visitor wait until the bytes of a chat are removed. */
export async function awaitErasure(tx: EntityManager, organizationId: string, chatId: string, visitorId: string) {
  await tx.query(AWAIT_ERASURE, [organizationId, chatId, visitorId]);
}

export interface Removal {
  organizationId: string;
  key: string;
}

const columns = 'r.organization_id AS "organizationId", r.key';
const isDue = (isOf: IsOf) => dueInTurn({ table: 'file_removals', columns, limit: '$1' }, isOf);

/** The removals that are due, one of each organization in turn. */
export function findDueRemovals(pool: Pool, limit: number): Promise<Removal[]> {
  return queryEverywhere<Removal & Record<string, unknown>>(pool, {
    name: 'due-file-removals',
    text: isDue,
    values: [limit],
  });
}

const OF_VISITOR = `
  SELECT organization_id AS "organizationId", key FROM file_removals
  WHERE organization_id = $1 AND erased_for = $2 AND cleared_at IS NULL ORDER BY due_at LIMIT 1000`;

/** The removals that the erasure of a visitor waits for. */
export function findRemovalsOfVisitor(
  manager: EntityManager,
  organizationId: string,
  visitorId: string,
): Promise<Removal[]> {
  return manager.query(OF_VISITOR, [organizationId, visitorId]);
}

const OF_ORGANIZATION = `
  SELECT organization_id AS "organizationId", key FROM file_removals
  WHERE organization_id = $1 AND cleared_at IS NULL ORDER BY due_at LIMIT 1000`;

/** The removals of an organization whose bytes are still there. */
export function findRemovalsOfOrganization(manager: EntityManager, organizationId: string): Promise<Removal[]> {
  return manager.query(OF_ORGANIZATION, [organizationId]);
}

const LEASE = `
  UPDATE file_removals SET due_at = statement_timestamp() + make_interval(secs => $3)
  WHERE organization_id = $1 AND key = $2 AND due_at <= statement_timestamp() RETURNING key`;

/** Takes the right to remove bytes that are due. Returns false if another node has it. */
export async function leaseRemoval(pool: Pool, { organizationId, key }: Removal, seconds: number): Promise<boolean> {
  return (await pool.query(LEASE, [organizationId, key, seconds])).rows.length > 0;
}

const END = `
  DELETE FROM file_removals WHERE organization_id = $1 AND key = $2 AND last_at <= statement_timestamp()`;
const KEEP = `
  UPDATE file_removals SET due_at = last_at, cleared_at = statement_timestamp() WHERE organization_id = $1 AND key = $2`;

/** Records that the bytes were deleted. If more may arrive, they're deleted once more at `last_at`. */
export async function endRemoval(pool: Pool, { organizationId, key }: Removal): Promise<void> {
  const { rowCount } = await pool.query(END, [organizationId, key]);
  if (rowCount === 0) await pool.query(KEEP, [organizationId, key]);
}

const RETRY = `
  UPDATE file_removals SET due_at = statement_timestamp() + make_interval(secs => $3) WHERE organization_id = $1 AND key = $2`;

export async function retryRemoval(pool: Pool, { organizationId, key }: Removal, seconds: number): Promise<void> {
  await pool.query(RETRY, [organizationId, key, seconds]);
}

const UNUSED = (isOf: IsOf) => `
  SELECT DISTINCT f.organization_id AS "organizationId" FROM files f
  WHERE ${isUnused('f', '$1', '$2')} AND ${isOf('f')} LIMIT 100`;

/** Organizations with unused uploads to remove. */
export async function findWithUnused(pool: Pool, { unusedSince, unfinishedSince }: Unused): Promise<string[]> {
  const values = [unusedSince, unfinishedSince];
  const rows = await queryEverywhere<{ organizationId: string }>(pool, { text: UNUSED, values });
  return rows.map(({ organizationId }) => organizationId);
}
