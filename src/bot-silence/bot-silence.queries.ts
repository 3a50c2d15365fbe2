import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { SLOT_OF_CHAT, sqlActivitySlot } from '../chats/model/chat-activity.js';
import { type IsOf, queryEverywhere, queryOrganizations } from '../platform/database/citus/per-organization.js';
import { MAX_OVERDUE_SECONDS, SINCE, type SilenceReason, WANTS_VISITORS, WAITS_FOR_BOT } from './silence-sql.js';

/** An organization, and its limit in seconds. */
export interface Limit {
  organizationId: string;
  seconds: number;
}

/** A chat whose visitor gets no answer. */
export interface SilentChat {
  organizationId: string;
  chatId: string;
}

/** The most chats of an organization that a run notices, and the most that it gives to agents. Others follow in the next runs. */
const MAX_OF_ORGANIZATION = 100;
/** Agents see it this long before they get the chat, in seconds: half of the limit, at most a minute. */
const noticedAfter = (seconds: string) => `least(${seconds} / 2.0, 60)`;
/** The least seconds from the notice to the hand-over: half of the limit, at most this. */
const MIN_NOTICE_SECONDS = 30;
const noticeOf = (seconds: string) => `least(${seconds} / 2.0, ${MIN_NOTICE_SECONDS})`;

const ago = (seconds: string) => `clock_timestamp() - make_interval(secs => ${seconds})`;

// One index lookup or two per receiver. An event of any type that waits is reason enough to check the chats.
const FIRST = 'd.organization_id = r.organization_id AND d.receiver_id = r.id AND d.outcome IS NULL';
const stuck = (isOf: IsOf) => `
  SELECT DISTINCT r.organization_id AS "organizationId", o.bot_silence_seconds AS seconds
  FROM receivers r
  JOIN organizations o ON o.id = r.organization_id AND o.bot_silence_seconds > 0 AND o.deleted_at IS NULL
  LEFT JOIN subscriptions s ON s.organization_id = r.organization_id AND s.bot_id = r.bot_id
  WHERE ${WANTS_VISITORS} AND ${isOf('r')} AND (NOT r.is_enabled OR s.gap_since IS NOT NULL OR s.told_gap_since IS NOT NULL
    OR EXISTS (SELECT FROM deliveries d WHERE ${FIRST} AND d.due_at IS NOT NULL)
    OR (SELECT d.created_at FROM deliveries d WHERE ${FIRST} AND d.due_at IS NULL ORDER BY d.position LIMIT 1)
      <= ${ago(noticedAfter('o.bot_silence_seconds'))})`;

/** The organizations with a receiver that may not have taken a visitor's message. */
export function findStuck(pool: Pool): Promise<Limit[]> {
  return queryEverywhere<Limit>(pool, { name: 'find-stuck-receivers', text: stuck, values: [] });
}

const noticed = (isOf: IsOf) => `
  SELECT DISTINCT s.organization_id AS "organizationId", o.bot_silence_seconds AS seconds
  FROM bot_silences s JOIN organizations o ON o.id = s.organization_id
  WHERE o.deleted_at IS NULL AND ${isOf('s')}`;

/** The organizations with chats that were noticed. */
export function findNoticed(pool: Pool): Promise<Limit[]> {
  return queryEverywhere<Limit>(pool, { name: 'find-noticed-silences', text: noticed, values: [] });
}

const WITH_REPLY_LIMIT = `
  SELECT id AS "organizationId", bot_reply_seconds AS seconds FROM organizations WHERE bot_reply_seconds > 0 AND deleted_at IS NULL`;

/** The organizations that limit the time until their bots answer. */
export async function findWithReplyLimit(pool: Pool): Promise<Limit[]> {
  return (await pool.query<Limit>({ name: 'find-bot-reply-limits', text: WITH_REPLY_LIMIT })).rows;
}

// The chats of the bots that were active in the window, by ix_chats_bot_activity: the last message is at least as new as the one that
// waits.
const chatsOf = (since: string, due: string, more = '') => `
  SELECT c.organization_id AS "organizationId", c.id AS "chatId"
  FROM unnest($1::text[], $2::integer[]) AS i (organization_id, seconds)
  CROSS JOIN LATERAL (
    SELECT f.organization_id, f.id FROM groups g
    CROSS JOIN LATERAL (
      SELECT c.organization_id, c.id, ${since} AS since FROM chats c
      WHERE c.organization_id = i.organization_id AND c.group_id = g.id AND ${WAITS_FOR_BOT}
        AND ${SLOT_OF_CHAT} >= ${sqlActivitySlot(ago(`${due} + $3::integer`))}
        AND c.waiting_since <= ${ago(due)} ${more} OFFSET 0
    ) f
    WHERE g.organization_id = i.organization_id AND f.since <= ${ago(due)}
    LIMIT ${MAX_OF_ORGANIZATION}
  ) c`;

const TO_NOTICE = chatsOf(
  SINCE.bot_silent('i.organization_id', 'i.seconds'),
  noticedAfter('i.seconds'),
  'AND NOT EXISTS (SELECT FROM bot_silences n WHERE n.organization_id = i.organization_id AND n.chat_id = c.id)',
);
const UNANSWERED = chatsOf(SINCE.bot_unanswered('i.organization_id', 'i.seconds'), 'i.seconds');

/** How far back a run searches, beyond their time limit: a minute, and now and then a day. */
export type Reach = 'NEAR' | 'FAR';
const REACH_SECONDS: Record<Reach, number> = { NEAR: 60, FAR: MAX_OVERDUE_SECONDS };

function findChats<T extends SilentChat>(
  pool: Pool,
  query: { name: string; text: string },
  limits: readonly Limit[],
  more: readonly number[],
): Promise<T[]> {
  const ids = limits.map(({ organizationId }) => organizationId);
  const values = [ids, limits.map(({ seconds }) => seconds), ...more];
  return queryOrganizations<T>(pool, { ...query, values, items: [[0, 1]], failures: new Map() });
}

/** Chats whose bots haven't taken a visitor's message for a while, so that agents should see it. */
export function findToNotice(pool: Pool, limits: readonly Limit[], reach: Reach): Promise<SilentChat[]> {
  return findChats(pool, { name: 'find-silences', text: TO_NOTICE }, limits, [REACH_SECONDS[reach]]);
}

/** Chats whose bots haven't answered the visitor in time. */
export function findUnanswered(pool: Pool, limits: readonly Limit[], reach: Reach): Promise<SilentChat[]> {
  return findChats(pool, { name: 'find-without-reply', text: UNANSWERED }, limits, [REACH_SECONDS[reach]]);
}

/** A noticed chat: its bots are silent no longer, or its time is over. */
export interface EndedSilence extends SilentChat {
  isOver: boolean;
}

const ENDED = `
  SELECT e.organization_id AS "organizationId", e.chat_id AS "chatId", e.is_over AS "isOver"
  FROM unnest($1::text[], $2::integer[]) AS i (organization_id, seconds)
  CROSS JOIN LATERAL (
    SELECT n.organization_id, n.chat_id, i.seconds = 0 OR n.now_since IS DISTINCT FROM n.since AS is_over
    FROM (
      SELECT s.*, ${SINCE.bot_silent('i.organization_id', 'i.seconds')} AS now_since FROM bot_silences s
      JOIN chats c ON c.organization_id = i.organization_id AND c.id = s.chat_id
      JOIN groups g ON g.organization_id = i.organization_id AND g.id = c.group_id
      WHERE s.organization_id = i.organization_id OFFSET 0
    ) n
    WHERE i.seconds = 0 OR n.now_since IS DISTINCT FROM n.since
      OR (n.since <= ${ago('i.seconds')} AND n.noticed_at <= ${ago(noticeOf('i.seconds'))}
        AND ${noticeOf('i.seconds')} <= $3::float8)
    ORDER BY n.since LIMIT ${MAX_OF_ORGANIZATION}
  ) e`;

/** The noticed chats to act on. @param steadySeconds for how long this node has checked without a gap */
export function findEnded(pool: Pool, limits: readonly Limit[], steadySeconds: number): Promise<EndedSilence[]> {
  return findChats(pool, { name: 'find-ended-silences', text: ENDED }, limits, [steadySeconds]);
}

const NOTICE = `
  INSERT INTO bot_silences (organization_id, chat_id, since, noticed_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;

export async function insertSilence(tx: EntityManager, { organizationId, chatId }: SilentChat, since: Date, now: Date) {
  await tx.query(NOTICE, [organizationId, chatId, since, now]);
}

const REMOVE = 'DELETE FROM bot_silences WHERE organization_id = $1 AND chat_id = $2';

export async function removeSilence(tx: EntityManager, { organizationId, chatId }: SilentChat): Promise<void> {
  await tx.query(REMOVE, [organizationId, chatId]);
}

// The organization's limit may have changed since the chat was listed.
const limitOf = { bot_silent: 'bot_silence_seconds', bot_unanswered: 'bot_reply_seconds' } as const;
const sinceOf = (reason: SilenceReason) => `
  SELECT ${SINCE[reason]('$1', `o.${limitOf[reason]}`)} AS since, o.${limitOf[reason]} AS seconds
  FROM chats c
  JOIN groups g ON g.organization_id = $1 AND g.id = c.group_id
  JOIN organizations o ON o.id = $1
  WHERE c.organization_id = $1 AND c.id = $2 AND o.${limitOf[reason]} > 0 AND o.deleted_at IS NULL`;
const SINCE_OF = { bot_silent: sinceOf('bot_silent'), bot_unanswered: sinceOf('bot_unanswered') };

/** Since when a chat gets no answer, and the limit in seconds; exact while the chat is locked. Null: it does, or there's no limit. */
export async function findSince(
  tx: EntityManager,
  { organizationId, chatId }: SilentChat,
  reason: SilenceReason,
): Promise<{ since: Date; seconds: number } | null> {
  const rows: { since: Date | null; seconds: number }[] = await tx.query(SINCE_OF[reason], [organizationId, chatId]);
  const [row] = rows;
  return row?.since ? { since: row.since, seconds: row.seconds } : null;
}
