import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { isDistributed } from '../platform/database/citus/per-organization.js';

/** How far a reader has read. */
export interface Position {
  /** Everything before this epoch is read; 0 before the first page. */
  epoch: number;
  /** In this epoch, everything up to this subject is read. */
  subjectId: string;
  /** The last chat of the first pass, which lists every chat; null when that pass is over. */
  chatId: string | null;
}

/** A reader of an organization's changes. */
export interface Reader {
  organizationId: string;
  name: string;
}

// Committed before the first epoch ends, so that every change of a later epoch is recorded.
const REGISTER = `
  INSERT INTO change_readers (organization_id, name, epoch, subject_id, chat_id) VALUES ($1, $2, 0, '', '')
  ON CONFLICT DO NOTHING`;
const FIND_POSITION = `
  SELECT epoch::float8 AS epoch, subject_id AS "subjectId", chat_id AS "chatId" FROM change_readers
  WHERE organization_id = $1 AND name = $2`;

/** The position of a reader, which is registered if it's new. */
export async function findPosition(pool: Pool, { organizationId, name }: Reader): Promise<Position> {
  const values = [organizationId, name];
  const find = async () => (await pool.query<Position>({ name: 'find-position', text: FIND_POSITION, values })).rows[0];
  const found = await find();
  if (found) return found;
  await pool.query(REGISTER, values);
  return (await find())!;
}

const ADVANCE = `
  UPDATE change_readers SET epoch = $6, subject_id = $7, chat_id = $8
  WHERE organization_id = $1 AND name = $2 AND epoch = $3 AND subject_id = $4 AND chat_id IS NOT DISTINCT FROM $5`;

/** Moves a reader from one position to another; false when it isn't at the first. */
export async function advance(tx: EntityManager, reader: Reader, from: Position, to: Position): Promise<boolean> {
  const values = [reader.organizationId, reader.name, ...valuesOf(from), ...valuesOf(to)];
  const [, count] = (await tx.query(ADVANCE, values)) as [unknown, number];
  return count > 0;
}

const valuesOf = ({ epoch, subjectId, chatId }: Position) => [epoch, subjectId, chatId];

const REMOVE_READ = `
  DELETE FROM chat_changes WHERE organization_id = $1 AND (epoch, subject_id) IN (
    SELECT epoch, subject_id FROM chat_changes WHERE organization_id = $1
      AND (epoch, subject_id) <= (
        SELECT r.epoch, r.subject_id FROM change_readers r WHERE r.organization_id = $1 ORDER BY r.epoch, r.subject_id LIMIT 1)
    ORDER BY epoch, subject_id LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Removes some changes that all readers of the organization have read. */
export async function removeRead(tx: EntityManager, organizationId: string, limit: number): Promise<void> {
  await tx.query(REMOVE_READ, [organizationId, limit]);
}

/** A row of `chat_changes`. */
export interface FoundChange {
  epoch: number;
  subjectId: string;
  afterSeq: number;
}

// Ordered by the columns, which the index has, and not by the number that is returned.
const FIND_CHANGES = `
  SELECT c.epoch::float8 AS epoch, c.subject_id AS "subjectId", c.after_seq AS "afterSeq" FROM chat_changes c
  WHERE c.organization_id = $1 AND (c.epoch, c.subject_id) > ($2::bigint, $3::text)
  ORDER BY c.epoch, c.subject_id LIMIT $4`;

/** The next changes after a position, in the order of their epochs. */
export async function findChanges(
  pool: Pool,
  organizationId: string,
  { epoch, subjectId }: Position,
  limit: number,
): Promise<FoundChange[]> {
  const values = [organizationId, epoch, subjectId, limit];
  return (await pool.query<FoundChange>({ name: 'find-changes', text: FIND_CHANGES, values })).rows;
}

const LIST_CHATS = `SELECT id FROM chats WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** The next chats after an id. */
export async function listChatIds(pool: Pool, organizationId: string, after: string, limit: number) {
  const query = { name: 'list-chat-ids', text: LIST_CHATS, values: [organizationId, after, limit] };
  return (await pool.query<{ id: string }>(query)).rows.map(({ id }) => id);
}

// It may commit asynchronously: everything that has read the number is flushed to disk after it.
const BEGIN_EPOCH = `SELECT set_config('synchronous_commit', 'off', true), nextval('change_epoch') AS epoch`;
// On a Citus cluster, each organization has its own epoch, in a row without a name.
const BEGIN_EPOCH_OF_ORGANIZATION = `
  INSERT INTO change_readers AS r (organization_id, name, epoch, subject_id) VALUES ($1, '', 1, '')
  ON CONFLICT (organization_id, name) DO UPDATE SET epoch = r.epoch + 1
  RETURNING epoch`;

/** Begins the next epoch: of all organizations, or on a Citus cluster of this one. */
export async function beginEpoch(pool: Pool, organizationId: string): Promise<number> {
  const { rows } = isDistributed(pool)
    ? await pool.query<{ epoch: string }>(BEGIN_EPOCH_OF_ORGANIZATION, [organizationId])
    : await pool.query<{ epoch: string }>(BEGIN_EPOCH);
  return Number(rows[0]!.epoch);
}

// Every transaction that read the epoch in a trigger has changed a chat, a message, or a visitor, and keeps the lock of the table until
// its changes are visible. Other databases of the server don't count, as they would with pg_snapshot_xmin().
const FIND_WRITERS = 'SELECT id FROM change_writers_1($1, $2)';

/**
 * The open transactions that have written to a chat, its messages or a visitor: all, or some of these. On a Citus cluster, those on the
 * worker with the organization's shard.
 */
export async function findWriters(
  pool: Pool,
  organizationId: string,
  among: readonly string[] | null,
): Promise<string[]> {
  const query = { name: 'find-writers', text: FIND_WRITERS, values: [organizationId, among] };
  return (await pool.query<{ id: string }>(query)).rows.map(({ id }) => id);
}
