import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { type IsOf, queryEverywhere } from '../../platform/database/citus/per-organization.js';
import type { LeasedMail, MailStatus } from '../model/mail.js';

export interface DueMail {
  organizationId: string;
  id: string;
  isToVisitor: boolean;
}

const due = (isOf: IsOf) => `
  SELECT m.organization_id AS "organizationId", m.id, m.visitor_id IS NOT NULL AS "isToVisitor" FROM mails m
  WHERE m.status = 'WAITING' AND m.due_at <= $1 AND m.organization_id <> ALL ($3::text[]) AND ${isOf('m')} ORDER BY m.due_at LIMIT $2`;

/** The mails that are due, the longest due first. @param except organizations whose mails are left out */
export function findDueMails(pool: Pool, limit: number, except: readonly string[]): Promise<DueMail[]> {
  return queryEverywhere<DueMail & Record<string, unknown>>(pool, {
    name: 'find-due-mails',
    text: due,
    values: [new Date(), limit, except],
  });
}

const LEASE = `
  UPDATE mails m SET lease = lease + 1, due_at = $4, tried_at = $3, first_tried_at = COALESCE(first_tried_at, $3)
  WHERE m.organization_id = $1 AND m.id = $2 AND status = 'WAITING' AND due_at <= $3
  RETURNING organization_id AS "organizationId", id, kind, recipient AS "to", token, chat_id AS "chatId", visitor_id AS "visitorId",
    agent_id AS "agentId", language, after_seq AS "afterSeq", ended_at AS "endedAt", m.attempts, first_tried_at AS "firstTriedAt", created_at AS "createdAt", lease`;

/** Takes the right to send a mail until a time; null if another node has it. */
export async function leaseMail(
  tx: EntityManager,
  { organizationId, id }: DueMail,
  now: Date,
  until: Date,
): Promise<LeasedMail | null> {
  const [rows]: [LeasedMail[]] = await tx.query(LEASE, [organizationId, id, now, until]);
  return rows[0] ?? null;
}

// Nodes count one after the other, so that together they don't exceed the limit.
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('mails ' || s.id, 0)) FROM unnest($1::text[]) AS s (id)";
const FREE_AT = `
  SELECT tried_at AS "triedAt" FROM mails
  WHERE organization_id = $1 AND visitor_id IS NOT NULL AND tried_at > $2 AND id <> $3
  ORDER BY tried_at DESC LIMIT 1 OFFSET $4`;

/**
 * When a mail may be tried without exceeding the organization's mails in an hour; null: now. Other nodes count after the end of `tx`.
 * @param max how many mails to visitors may be tried in an hour
 */
export async function findHourlyWait(
  tx: EntityManager,
  { organizationId, id }: DueMail,
  now: Date,
  max: number,
): Promise<Date | null> {
  await tx.query(LOCK, [[organizationId]]);
  const since = new Date(now.getTime() - HOUR_MS);
  const rows: { triedAt: Date }[] = await tx.query(FREE_AT, [organizationId, since, id, max - 1]);
  return rows[0] ? new Date(rows[0].triedAt.getTime() + HOUR_MS) : null;
}

const HOUR_MS = 3_600_000;

const POSTPONE = `
  UPDATE mails SET due_at = $3 WHERE organization_id = $1 AND id = $2 AND status = 'WAITING' AND due_at <= $4`;

/** Postpones a due mail that hasn't been tried. */
export async function postponeMail(tx: EntityManager, { organizationId, id }: DueMail, to: Date, now: Date) {
  await tx.query(POSTPONE, [organizationId, id, to, now]);
}

/** What became of a try. */
export interface TryResult {
  status: MailStatus;
  /** When it's tried next; null: never. */
  dueAt: Date | null;
  error: string | null;
  /** Whether the server was asked. */
  isTried: boolean;
  /** The plain text that was sent. */
  content: string | null;
  /** Whether another mail about the same may be queued. Omitted: it may not. */
  isRepeatable?: boolean;
}

// A mail that wasn't tried doesn't count towards the hour's limit, and its 24 hours of retries haven't begun.
const END = `
  UPDATE mails m SET status = $4, due_at = COALESCE($5, due_at), last_error = $6, attempts = m.attempts + $7::integer, content = $8,
    sent_at = $9, tried_at = CASE WHEN $7::integer > 0 THEN tried_at END,
    first_tried_at = CASE WHEN m.attempts + $7::integer > 0 THEN first_tried_at END,
    after_seq = CASE WHEN NOT $10::boolean THEN after_seq END, ended_at = CASE WHEN NOT $10::boolean THEN ended_at END
  WHERE m.organization_id = $1 AND m.id = $2 AND lease = $3 AND status = 'WAITING' RETURNING id`;

/** Notes what became of a try. Returns false if another node has taken over since, or the mail was erased. */
export async function endTry(
  tx: EntityManager,
  { organizationId, id, lease }: LeasedMail,
  { status, dueAt, error, isTried, content, isRepeatable = false }: TryResult,
  now: Date,
): Promise<boolean> {
  const sentAt = status === 'SENT' ? now : null;
  const values = [organizationId, id, lease, status, dueAt, error, isTried ? 1 : 0, content, sentAt, isRepeatable];
  const [, count]: [unknown, number] = await tx.query(END, values);
  return count > 0;
}

const forgetTexts = (isOf: IsOf) => `
  UPDATE mails m SET content = NULL WHERE m.content IS NOT NULL AND m.created_at < $1 AND ${isOf('m')}`;
const removeOld = (isOf: IsOf) => `
  DELETE FROM mails m WHERE m.chat_id IS NULL AND m.created_at < $1 AND ${isOf('m')}`;
const removeLinks = (isOf: IsOf) => `DELETE FROM visitor_links l WHERE l.expires_at < $1 AND ${isOf('l')}`;
const REMOVE_LIMITS = 'DELETE FROM mail_limits WHERE expires_at < $1';

/** Removes texts, and mails without a chat, from before `before`. Removes links and limits that have expired. */
export async function removeOldMails(pool: Pool, now: Date, before: Date): Promise<void> {
  await queryEverywhere(pool, { name: 'forget-mail-texts', text: forgetTexts, values: [before] });
  await queryEverywhere(pool, { name: 'remove-old-mails', text: removeOld, values: [before] });
  await queryEverywhere(pool, { name: 'remove-visitor-links', text: removeLinks, values: [now] });
  await pool.query(REMOVE_LIMITS, [now]);
}
