import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { queryEverywhere } from '../platform/database/citus/per-organization.js';
import { FILE_COLUMNS, type StoredFile, toStoredFile, type Uploader } from './file.js';

/** How long an upload may be unfinished, in milliseconds: 15 min until its body starts, and 60 min for the body. Then it's removed. */
export const UNFINISHED_MS = 75 * 60 * 1000;

/** SQL: whether the unfinished upload `f` counts, and may be completed. */
export const IS_IN_TIME = `f.created_at > statement_timestamp() - interval '${UNFINISHED_MS} milliseconds'`;

/** An upload, or the file that it became. */
export interface FileRow {
  organizationId: string;
  id: string;
  chatId: string;
  senderType: string;
  senderId: string;
  name: string;
  announcedSize: number;
  status: 'PENDING' | 'COMPLETE' | 'REFUSED';
  refusal: string | null;
  place: string | null;
  size: number | null;
  type: string | null;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
  usedBy: string | null;
  createdAt: Date;
}

const COLUMNS = `${FILE_COLUMNS}, f.organization_id AS "organizationId", f.chat_id AS "chatId", f.sender_type AS "senderType",
  f.sender_id AS "senderId", f.announced_size::float8 AS "announcedSize", f.status, f.refusal, f.place, f.used_by AS "usedBy",
  f.created_at AS "createdAt"`;

const FIND = `
  SELECT ${COLUMNS} FROM files f WHERE f.organization_id = $1 AND f.id = $2 AND (f.status <> 'PENDING' OR ${IS_IN_TIME})`;

/** Null: there's none, or the upload's time to be completed has passed. */
export async function findFile(pool: Pool, organizationId: string, id: string): Promise<FileRow | null> {
  return (await pool.query<FileRow>({ name: 'find-file', text: FIND, values: [organizationId, id] })).rows[0] ?? null;
}

const LIST_OF_MESSAGES = `
  SELECT ${COLUMNS} FROM files f
  WHERE f.organization_id = $1 AND f.chat_id = $2 AND f.id > $3 AND f.status = 'COMPLETE' AND f.used_by LIKE 'msg\\_%'
  ORDER BY f.id LIMIT $4`;

/** The files of a chat's messages after an id, in the order of ids. */
export async function listOfMessages(
  pool: Pool,
  organizationId: string,
  chatId: string,
  after: string,
  limit: number,
): Promise<FileRow[]> {
  const values = [organizationId, chatId, after, limit];
  return (await pool.query<FileRow>({ name: 'list-files-of-messages', text: LIST_OF_MESSAGES, values })).rows;
}

/** A file by its id alone: a signed address has no organization. */
export async function findFileAnywhere(pool: Pool, id: string): Promise<FileRow | null> {
  const text = (isOf: (alias: string) => string) => `SELECT ${COLUMNS} FROM files f WHERE f.id = $1 AND ${isOf('f')}`;
  return (await queryEverywhere<FileRow>(pool, { name: 'find-file-anywhere', text, values: [id] }))[0] ?? null;
}

// An erasure waits for this lock, and then finds the row of the upload.
const LOCK_CHAT = `
  SELECT id FROM chats WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL FOR SHARE`;

/** Locks the chat of an upload. Returns whether the chat exists and isn't being erased. */
export async function lockChat(tx: EntityManager, organizationId: string, chatId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(LOCK_CHAT, [organizationId, chatId]);
  return rows.length > 0;
}

const INSERT = `
  INSERT INTO files (organization_id, id, chat_id, sender_type, sender_id, name, announced_size, status, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 'PENDING', $8)`;

export interface NewUpload {
  id: string;
  chatId: string;
  name: string;
  size: number;
  createdAt: Date;
}

export async function insertUpload(tx: EntityManager, uploader: Uploader, upload: NewUpload): Promise<void> {
  const { organizationId, type, id: senderId } = uploader;
  const { id, chatId, name, size, createdAt } = upload;
  await tx.query(INSERT, [organizationId, id, chatId, type, senderId, name, size, createdAt]);
}

// The former place is read with a lock: another call may have set it since the upload was found.
const LEASE = `
  UPDATE files f SET place = $3, checked_until = statement_timestamp() + make_interval(secs => $4)
  FROM (SELECT o.place FROM files o WHERE o.organization_id = $1 AND o.id = $2 FOR NO KEY UPDATE) AS former
  WHERE f.organization_id = $1 AND f.id = $2 AND f.status = 'PENDING'
    AND (f.checked_until IS NULL OR f.checked_until < statement_timestamp())
  RETURNING ${COLUMNS}, former.place AS "formerPlace"`;

/** An upload whose bytes are being checked. */
interface LeasedUpload extends FileRow {
  /** Where another call put the bytes before; null: nowhere. */
  formerPlace: string | null;
}

/** Takes the right to check an upload's bytes, at a new place. Null if another call has it, or there's nothing to check. */
export async function leaseUpload(
  tx: EntityManager,
  { organizationId, id }: Pick<FileRow, 'organizationId' | 'id'>,
  place: string,
  seconds: number,
): Promise<LeasedUpload | null> {
  const [rows] = (await tx.query(LEASE, [organizationId, id, place, seconds])) as [LeasedUpload[], number];
  return rows[0] ?? null;
}

const RELEASE = `
  UPDATE files SET checked_until = NULL
  WHERE organization_id = $1 AND id = $2 AND place = $3 AND status = 'PENDING'`;

/** Lets another call check the bytes. */
export async function releaseUpload(pool: Pool, { organizationId, id }: FileRow, place: string): Promise<void> {
  await pool.query(RELEASE, [organizationId, id, place]);
}

const COMPLETE = `
  UPDATE files f SET status = 'COMPLETE', size = $4, type = $5, width = $6, height = $7, duration_seconds = $8, checked_until = NULL
  WHERE f.organization_id = $1 AND f.id = $2 AND f.place = $3 AND f.status = 'PENDING' AND ${IS_IN_TIME}
  RETURNING ${COLUMNS}`;

/** What the bytes are. */
export interface Checked {
  size: number;
  type: string;
  width?: number;
  height?: number;
  durationSeconds?: number;
}

/** Completes an upload. Null if it was removed, its time has passed, or another call has checked it. */
export async function completeUpload(
  tx: EntityManager,
  { organizationId, id }: FileRow,
  place: string,
  { size, type, width, height, durationSeconds }: Checked,
): Promise<FileRow | null> {
  const values = [organizationId, id, place, size, type, width ?? null, height ?? null, durationSeconds ?? null];
  const [rows] = (await tx.query(COMPLETE, values)) as [FileRow[], number];
  return rows[0] ?? null;
}

const REFUSE = `
  UPDATE files SET status = 'REFUSED', refusal = $4, checked_until = NULL
  WHERE organization_id = $1 AND id = $2 AND place = $3 AND status = 'PENDING'`;

export async function refuseUpload(
  tx: EntityManager,
  { organizationId, id }: FileRow,
  place: string,
  refusal: string,
): Promise<void> {
  await tx.query(REFUSE, [organizationId, id, place, refusal]);
}

const ADD_USAGE = `
  INSERT INTO file_usage AS u (organization_id, number, bytes) VALUES ($1, $2::bigint, $3::bigint)
  ON CONFLICT (organization_id) DO UPDATE SET number = u.number + excluded.number, bytes = u.bytes + excluded.bytes`;

/** Counts completed files, or removed ones with negative numbers. Locks the organization's count: call it last in a transaction. */
export async function addUsage(tx: EntityManager, organizationId: string, files: number, bytes: number): Promise<void> {
  if (files !== 0) await tx.query(ADD_USAGE, [organizationId, files, bytes]);
}

const CLAIM = `
  UPDATE files f SET used_by = $6
  WHERE f.organization_id = $1 AND f.chat_id = $2 AND f.sender_type = $3 AND f.sender_id = $4 AND f.id = ANY ($5)
    AND f.status = 'COMPLETE' AND f.used_by IS NULL
  RETURNING ${FILE_COLUMNS}`;

/** Gives completed, unused files to a message or note. Returns the files that it got. */
export async function claimFiles(
  tx: EntityManager,
  { organizationId, type, id }: Pick<Uploader, 'organizationId' | 'type' | 'id'>,
  chatId: string,
  ids: readonly string[],
  usedBy: string,
): Promise<StoredFile[]> {
  const [rows] = (await tx.query(CLAIM, [organizationId, chatId, type, id, ids, usedBy])) as [FileRow[], number];
  return rows.map(toStoredFile);
}
