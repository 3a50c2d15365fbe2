import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { MailRow, MissedMailState, NewMail } from './mail.js';

const INSERT = `
  INSERT INTO mails (organization_id, id, kind, recipient, token, chat_id, visitor_id, agent_id, language, due_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** Stores a mail. @param token random text of its own */
export async function insertMail(tx: EntityManager, mail: NewMail, token: string, now: Date): Promise<void> {
  const {
    organizationId,
    id,
    kind,
    to,
    chatId = null,
    visitorId = null,
    agentId = null,
    language = null,
    dueAt = now,
  } = mail;
  const about = [organizationId, id, kind, to, token, chatId, visitorId, agentId, language];
  await tx.query(INSERT, [...about, dueAt, now]);
}

const COLUMNS = `
  m.id, m.kind, m.recipient AS "to", m.chat_id AS "chatId", m.visitor_id AS "visitorId", m.agent_id AS "agentId", m.status,
  m.last_error AS "lastError", m.attempts, CASE WHEN m.status = 'WAITING' THEN m.due_at END AS "nextAttemptAt",
  m.created_at AS "createdAt", m.sent_at AS "sentAt"`;

const LIST = `
  SELECT ${COLUMNS} FROM mails m
  WHERE m.organization_id = $1 AND ($2::text IS NULL OR m.id < $2) AND m.status <> 'TOO_MANY' ORDER BY m.id DESC LIMIT $3`;

/** The mails of an organization before an id, newest first. */
export async function listMails(
  pool: Pool,
  organizationId: string,
  { before = null, limit }: { before?: string | null; limit: number },
): Promise<MailRow[]> {
  return (await pool.query<MailRow>({ name: 'list-mails', text: LIST, values: [organizationId, before, limit] })).rows;
}

const FIND = `SELECT ${COLUMNS} FROM mails m WHERE m.organization_id = $1 AND m.id = $2`;

export async function findMail(pool: Pool, organizationId: string, id: string): Promise<MailRow | null> {
  return (await pool.query<MailRow>({ name: 'find-mail', text: FIND, values: [organizationId, id] })).rows[0] ?? null;
}

const FIND_MISSED = `
  SELECT m.after_seq AS "afterSeq", m.status, COALESCE(m.sent_at, m.created_at) AS at FROM mails m
  WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.kind = 'missed' AND m.status <> 'LAPSED' ORDER BY m.after_seq DESC LIMIT 200`;

/** What became of a mail about the messages after a `seq`. */
export interface MissedMail extends MissedMailState {
  afterSeq: number;
}

/** The mails about missed answers in a chat, newest first, at most 200. */
export async function findMissedMails(pool: Pool, organizationId: string, chatId: string): Promise<MissedMail[]> {
  const query = { name: 'missed-mails-of-chat', text: FIND_MISSED, values: [organizationId, chatId] };
  return (await pool.query<MissedMail>(query)).rows;
}
