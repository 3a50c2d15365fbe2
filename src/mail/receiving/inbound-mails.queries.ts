import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { StoredFile } from '../../files/file.js';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';
import type { InboundStatus } from './inbound-mail.js';

/** A mail that arrived. */
export interface NewInboundMail {
  organizationId: string;
  id: string;
  chatId: string | null;
  mailId: string;
  key: string;
  status: InboundStatus;
  reason?: string | null;
  sender: string | null;
  content?: string | null;
  fullText?: string | null;
  files?: readonly StoredFile[] | null;
  messageId?: string | null;
  receivedAt: Date;
}

const IS_KNOWN = 'SELECT i.id FROM inbound_mails i WHERE i.organization_id = $1 AND i.key = $2';

/** Whether the mail was handled before. */
export async function isKnown(manager: EntityManager, organizationId: string, key: string): Promise<boolean> {
  const rows: unknown[] = await manager.query(IS_KNOWN, [organizationId, key]);
  return rows.length > 0;
}

const INSERT = `
  INSERT INTO inbound_mails
    (organization_id, id, chat_id, mail_id, key, status, reason, sender, content, full_text, attachments, message_id, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::json, $12, $13)
  ON CONFLICT (organization_id, key) DO NOTHING RETURNING id`;

/** Records a mail. Returns false if it was recorded before. */
export async function insertInbound(tx: EntityManager, mail: NewInboundMail): Promise<boolean> {
  const { organizationId, id, chatId, mailId, key, status, sender, receivedAt } = mail;
  const { reason = null, content = null, fullText = null, files, messageId = null } = mail;
  const json = files?.length ? JSON.stringify(files) : null;
  const about = [organizationId, id, chatId, mailId, key, status, reason];
  const rows: unknown[] = await tx.query(INSERT, [...about, sender, content, fullText, json, messageId, receivedAt]);
  return rows.length > 0;
}

const COUNT = `
  SELECT count(*)::integer AS count FROM inbound_mails i
  WHERE i.organization_id = $1 AND i.chat_id = $2 AND i.received_at > $3 AND i.status <> 'REFUSED'`;

/** How many mails of a chat were taken since a time. */
export async function countTaken(
  manager: EntityManager,
  { organizationId, chatId }: { organizationId: string; chatId: string },
  since: Date,
): Promise<number> {
  const [row]: { count: number }[] = await manager.query(COUNT, [organizationId, chatId, since]);
  return row!.count;
}

const COUNT_OF_MAIL = `
  SELECT count(*)::integer AS count FROM inbound_mails i
  WHERE i.organization_id = $1 AND i.mail_id = $2 AND i.received_at > $3`;

/** How many mails arrived for a mail of ours since a time, refused ones too. */
export async function countOfMail(
  manager: EntityManager,
  { organizationId, mailId }: { organizationId: string; mailId: string },
  since: Date,
): Promise<number> {
  const [row]: { count: number }[] = await manager.query(COUNT_OF_MAIL, [organizationId, mailId, since]);
  return row!.count;
}

const COUNT_BOUNCES = `
  SELECT count(DISTINCT i.mail_id)::integer AS count FROM inbound_mails i
  JOIN mails m ON m.organization_id = $1 AND m.id = i.mail_id
  WHERE i.organization_id = $1 AND i.status = 'PROCESSED' AND i.reason = 'soft' AND i.received_at > $3
    AND m.recipient = $2`;

/** How many mails to an address had a soft bounce since a time. */
export async function countSoftBounces(
  tx: EntityManager,
  organizationId: string,
  recipient: string,
  since: Date,
): Promise<number> {
  const [row]: { count: number }[] = await tx.query(COUNT_BOUNCES, [organizationId, recipient, since]);
  return row!.count;
}

const SET_BOUNCED = `
  UPDATE mails SET status = 'BOUNCED', last_error = $3 WHERE organization_id = $1 AND id = $2 AND status = 'SENT'`;

/** Marks a sent mail as bounced. @param error what the report says */
export async function setBounced(
  tx: EntityManager,
  organizationId: string,
  mailId: string,
  error: string,
): Promise<void> {
  await tx.query(SET_BOUNCED, [organizationId, mailId, error]);
}

const CHANGE_COUNT = `
  UPDATE chats SET mails_to_check = COALESCE(mails_to_check, 0) + $3::integer, rev = rev + 1
  WHERE organization_id = $1 AND id = $2`;

/** Changes the number of the chat's mails that agents have to check, and raises its `rev`. */
export async function changeMailsToCheck(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  change: number,
): Promise<void> {
  await tx.query(CHANGE_COUNT, [organizationId, chatId, change]);
}

const VISITOR = `
  SELECT v.id, v.name FROM chats c JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
  WHERE c.organization_id = $1 AND c.id = $2`;

export async function findVisitorOfChat(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<{ id: string; name: string | null } | null> {
  const rows: { id: string; name: string | null }[] = await tx.query(VISITOR, [organizationId, chatId]);
  return rows[0] ?? null;
}

/** A mail that an agent has decided about. */
export interface CheckedMail {
  content: string;
  fullText: string | null;
  files: StoredFile[] | null;
}

const CHECK = `
  WITH before AS (
    SELECT i.id, i.content, i.full_text, i.attachments FROM inbound_mails i
    WHERE i.organization_id = $1 AND i.chat_id = $2 AND i.id = $3 AND i.status = 'TO_CHECK' FOR UPDATE
  )
  UPDATE inbound_mails i SET status = $4, content = NULL, attachments = NULL,
    full_text = CASE WHEN $4 = 'ACCEPTED' THEN i.full_text END
  FROM before WHERE i.organization_id = $1 AND i.id = before.id
  RETURNING before.content, before.full_text AS "fullText", before.attachments AS files`;

/** Ends the checking of a mail. Null if there's nothing to check. */
export async function endCheck(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  id: string,
  status: 'ACCEPTED' | 'DROPPED',
): Promise<CheckedMail | null> {
  const [rows] = (await tx.query(CHECK, [organizationId, chatId, id, status])) as [CheckedMail[], number];
  return rows[0] ?? null;
}

const SET_MESSAGE = 'UPDATE inbound_mails SET message_id = $3 WHERE organization_id = $1 AND id = $2';

/** Records which message a mail became. */
export async function setMessage(
  tx: EntityManager,
  organizationId: string,
  id: string,
  messageId: string,
): Promise<void> {
  await tx.query(SET_MESSAGE, [organizationId, id, messageId]);
}

const RELEASE = 'UPDATE files SET used_by = NULL WHERE organization_id = $1 AND chat_id = $2 AND used_by = $3';

/** Releases the files of a mail, so that a message can take them. */
export async function releaseFiles(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  id: string,
): Promise<void> {
  await tx.query(RELEASE, [organizationId, chatId, id]);
}

/** A mail that arrived, as administrators see it. */
export interface InboundRow {
  id: string;
  status: InboundStatus;
  reason: string | null;
  from: string | null;
  chatId: string | null;
  mailId: string;
  receivedAt: Date;
}

const LIST = `
  SELECT i.id, i.status, i.reason, i.sender AS "from", i.chat_id AS "chatId", i.mail_id AS "mailId", i.received_at AS "receivedAt"
  FROM inbound_mails i WHERE i.organization_id = $1 AND ($2::text IS NULL OR i.id < $2) ORDER BY i.id DESC LIMIT $3`;

/** The mails that arrived before an id, newest first. */
export async function listInbound(
  pool: Pool,
  organizationId: string,
  { before = null, limit }: { before?: string | null; limit: number },
): Promise<InboundRow[]> {
  const values = [organizationId, before, limit];
  return (await pool.query<InboundRow>({ name: 'list-inbound-mails', text: LIST, values })).rows;
}

const FULL_TEXTS = `
  SELECT i.message_id AS "messageId", i.full_text AS "fullText" FROM inbound_mails i
  WHERE i.organization_id = $1 AND i.message_id = ANY ($2) AND i.full_text IS NOT NULL`;

/** The whole texts of the mails that became these messages, by the messages' ids. */
export async function readFullTexts(
  pool: Pool,
  organizationId: string,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const query = { name: 'full-texts-of-mails', text: FULL_TEXTS, values: [organizationId, messageIds] };
  const { rows } = await pool.query<{ messageId: string; fullText: string }>(query);
  return new Map(rows.map(({ messageId, fullText }) => [messageId, fullText]));
}

/** A mail that's kept no longer. */
export interface OldMail {
  organizationId: string;
  id: string;
  /** Null unless agents are still to check it. */
  chatId: string | null;
}

const old = (isOf: IsOf) => `
  SELECT i.organization_id AS "organizationId", i.id, CASE WHEN i.status = 'TO_CHECK' THEN i.chat_id END AS "chatId"
  FROM inbound_mails i
  WHERE i.status NOT IN ('STORED', 'ACCEPTED') AND i.received_at < $1 AND ${isOf('i')} ORDER BY i.received_at LIMIT $2`;

export function findOld(pool: Pool, before: Date, limit: number): Promise<OldMail[]> {
  return queryEverywhere<OldMail & Record<string, unknown>>(pool, {
    name: 'find-old-inbound-mails',
    text: old,
    values: [before, limit],
  });
}

const REMOVE = 'DELETE FROM inbound_mails WHERE organization_id = $1 AND id = $2 RETURNING id';

export async function removeInbound(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query(REMOVE, [organizationId, id]);
}
