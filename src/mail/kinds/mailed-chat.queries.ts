import type { EntityManager } from 'typeorm';
import type { SenderType } from '../../messages/message.js';
import { IS_VERIFIED } from '../model/verified.js';
import { isInForce } from '../../visitors/visitor-blocks.queries.js';

/** SQL: the `seq` of the last message that the visitor of the chat `c` has read or answered. */
export const afterSeq = (organizationId: string) => `
  greatest(c.last_visitor_seq, COALESCE((SELECT r.seq FROM chat_reads r
    WHERE r.organization_id = ${organizationId} AND r.chat_id = c.id AND r.side = 'visitor'), 0))`;

/** What mails about a chat depend on. */
export interface MailedChat {
  /** Another one than the mail's after a merge. */
  visitorId: string;
  email: string | null;
  afterSeq: number;
  /** Null: it has no message. */
  lastMessageAt: Date | null;
  /** Null: it's open. */
  endedAt: Date | null;
  isVerified: boolean;
  isBlocked: boolean;
  /** The token of the first mail to the visitor about the chat; null: there's none. */
  threadToken: string | null;
}

const FIND = `
  SELECT c.visitor_id AS "visitorId", v.email, ${afterSeq('$1')} AS "afterSeq", c.last_message_at AS "lastMessageAt",
    CASE WHEN c.status IN ('CLOSED', 'ARCHIVED') THEN c.status_changed_at END AS "endedAt", ${IS_VERIFIED} AS "isVerified",
    EXISTS (SELECT FROM visitor_blocks b
      WHERE b.organization_id = $1 AND b.visitor_id = v.id AND ${isInForce('b')}) AS "isBlocked",
    (SELECT m.token FROM mails m WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.visitor_id IS NOT NULL AND m.status = 'SENT'
      ORDER BY m.id LIMIT 1) AS "threadToken"
  FROM chats c JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
  WHERE c.organization_id = $1 AND c.id = $2 AND c.erased_at IS NULL AND v.erasing_since IS NULL`;

/** Null: the chat or its visitor was erased. */
export async function findMailedChat(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<MailedChat | null> {
  const rows: MailedChat[] = await manager.query(FIND, [organizationId, chatId]);
  return rows[0] ?? null;
}

/** A message in a mail. */
export interface MailedMessage {
  content: string;
  senderType: SenderType;
  senderName: string | null;
  isAi: boolean;
  fileNames: string[] | null;
  createdAt: Date;
}

/** SQL: the messages `m` of the chat `$2` in the organization `$1`, without deleted ones. */
export const MAILED_MESSAGES = `
  SELECT m.content, m.sender_type AS "senderType", m.sender_name AS "senderName",
    m.sender_type = 'BOT' AND m.sender_is_ai IS NOT FALSE AS "isAi",
    (SELECT array_agg(f->>'name') FROM jsonb_array_elements(m.files::jsonb) AS f) AS "fileNames", m.created_at AS "createdAt"
  FROM messages m WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.deleted_at IS NULL`;

/** The visitor of a chat, with the address that mails about it go to. */
export interface VisitorAddress {
  organizationId: string;
  chatId: string;
  visitorId: string;
  email: string;
  /** Of the chat, BCP 47; null: unknown. */
  language: string | null;
  isVerified: boolean;
}

/** A mail about a chat to its visitor. */
export interface NewChatMail {
  id: string;
  kind: 'missed' | 'transcript';
  token: string;
  /** For a missed answer: the `seq` before it. A chat has at most one mail for each. */
  afterSeq?: number;
  /** For a transcript that's sent because the chat ended: when it did. A chat has at most one mail for each end. */
  endedAt?: Date;
}

const INSERT = `
  INSERT INTO mails (organization_id, id, kind, recipient, token, chat_id, visitor_id, language, after_seq, ended_at, due_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) ON CONFLICT DO NOTHING RETURNING id`;

/** Stores the mail. Returns false if another node has stored it. */
export async function insertChatMail(
  tx: EntityManager,
  { organizationId, chatId, visitorId, email, language }: VisitorAddress,
  { id, kind, token, afterSeq: seq, endedAt }: NewChatMail,
  now: Date,
): Promise<boolean> {
  const about = [organizationId, id, kind, email, token, chatId, visitorId, language];
  const rows: unknown[] = await tx.query(INSERT, [...about, seq ?? null, endedAt ?? null, now]);
  return rows.length > 0;
}

const SET_TOO_MANY = `UPDATE mails SET status = 'TOO_MANY' WHERE organization_id = $1 AND id = $2`;

/** Notes that the address has reached its limit: the stored mail is never sent. */
export async function setTooMany(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query(SET_TOO_MANY, [organizationId, id]);
}
