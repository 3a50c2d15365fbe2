import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { SLOT_OF_CHAT, sqlActivitySlot } from '../../chats/model/chat-activity.js';
import type { SenderType } from '../../messages/message.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import { isInForce } from '../../visitors/visitor-blocks.queries.js';

/** An organization that mails missed answers, and after how many seconds. */
export interface MissedAfter {
  organizationId: string;
  seconds: number;
}

const SECONDS = `COALESCE((mail_settings->>'missedAfterSeconds')::integer, 300)`;
const FIND_ORGANIZATIONS = `
  SELECT id AS "organizationId", ${SECONDS} AS seconds FROM organizations WHERE deleted_at IS NULL AND ${SECONDS} > 0`;

export async function findMissedAfter(pool: Pool): Promise<MissedAfter[]> {
  return (await pool.query<MissedAfter>({ name: 'find-missed-after', text: FIND_ORGANIZATIONS })).rows;
}

/** The most chats of an organization in a run. Others follow in the next runs. */
const MAX_OF_ORGANIZATION = 100;
const IS_OPEN = `c.status IN ('ACTIVE', 'QUEUED') AND c.erased_at IS NULL`;
const IS_ENDED = `c.status IN ('CLOSED', 'ARCHIVED') AND c.erased_at IS NULL`;
const ago = (seconds: string) => `clock_timestamp() - make_interval(secs => ${seconds})`;

/** SQL: the `seq` of the last message that the visitor of the chat `c` has read or answered. */
const afterSeq = (organizationId: string) => `
  greatest(c.last_visitor_seq, COALESCE((SELECT r.seq FROM chat_reads r
    WHERE r.organization_id = ${organizationId} AND r.chat_id = c.id AND r.side = 'visitor'), 0))`;

const IS_DUE = `
  c.last_message_at <= ${ago('i.seconds')} AND c.last_message_at > ${ago('i.seconds + $3::integer')}
    AND c.message_count > c.last_visitor_seq`;
const CHAT = `c.organization_id, c.id, c.visitor_id, c.last_visitor_seq, c.metadata`;

// The chats whose last message is about as old as the limit: of a group's open ones by ix_chats_open_activity, of the ended ones by
// ix_chats_ended_of_all.
const FIND = `
  SELECT f.organization_id AS "organizationId", f.chat_id AS "chatId", f.visitor_id AS "visitorId", f.email, f.after_seq AS "afterSeq",
    f.language, f.is_verified AS "isVerified"
  FROM unnest($1::text[], $2::integer[]) AS i (organization_id, seconds)
  CROSS JOIN LATERAL (
    SELECT c.organization_id, c.id AS chat_id, c.visitor_id, v.email, c.after_seq, c.metadata->>'language' AS language,
      (v.signed_at IS NOT NULL OR v.verified_email IS NOT DISTINCT FROM v.email) AS is_verified
    FROM (
      SELECT c.*, ${afterSeq('i.organization_id')} AS after_seq FROM (
        SELECT ${CHAT} FROM groups g CROSS JOIN LATERAL (
          SELECT ${CHAT} FROM chats c
          WHERE c.organization_id = i.organization_id AND c.group_id = g.id AND ${IS_OPEN}
            AND ${SLOT_OF_CHAT} >= ${sqlActivitySlot(ago('i.seconds + $3::integer'))}
            AND ${SLOT_OF_CHAT} <= ${sqlActivitySlot(ago('i.seconds'))} AND ${IS_DUE}
          OFFSET 0
        ) c WHERE g.organization_id = i.organization_id
        UNION ALL
        SELECT ${CHAT} FROM chats c
        WHERE c.organization_id = i.organization_id AND ${IS_ENDED} AND c.status_changed_at > ${ago('i.seconds + $3::integer')}
          AND ${IS_DUE}
      ) c OFFSET 0
    ) c
    JOIN visitors v ON v.organization_id = i.organization_id AND v.id = c.visitor_id
    WHERE v.email IS NOT NULL AND v.erasing_since IS NULL
      AND EXISTS (SELECT FROM messages m WHERE m.organization_id = i.organization_id AND m.chat_id = c.id AND m.seq > c.after_seq
        AND m.sender_type IN ('AGENT', 'BOT') AND m.deleted_at IS NULL)
      AND NOT EXISTS (SELECT FROM mails s
        WHERE s.organization_id = i.organization_id AND s.chat_id = c.id AND s.after_seq = c.after_seq)
      AND NOT EXISTS (SELECT FROM visitor_blocks b
        WHERE b.organization_id = i.organization_id AND b.visitor_id = v.id AND ${isInForce('b')})
    LIMIT ${MAX_OF_ORGANIZATION}
  ) f`;

/** A chat with messages that its visitor hasn't read. */
export interface MissedChat {
  organizationId: string;
  chatId: string;
  visitorId: string;
  email: string;
  afterSeq: number;
  language: string | null;
  isVerified: boolean;
}

/** The chats whose visitors missed an answer, and got no mail about it. @param reach how many seconds after their time */
export function findMissed(pool: Pool, limits: readonly MissedAfter[], reach: number): Promise<MissedChat[]> {
  const ids = limits.map(({ organizationId }) => organizationId);
  const values = [ids, limits.map(({ seconds }) => seconds), reach];
  const query = {
    name: 'find-missed-answers',
    text: FIND,
    values,
    items: [[0, 1]],
    failures: new Map<number, Error>(),
  };
  return queryOrganizations<MissedChat & Record<string, unknown>>(pool, query);
}

const INSERT = `
  INSERT INTO mails (organization_id, id, kind, recipient, token, chat_id, visitor_id, language, after_seq, due_at, created_at)
  VALUES ($1, $2, 'missed', $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT DO NOTHING RETURNING id`;

/** Stores the mail, unless another node has. */
export async function insertMissed(
  tx: EntityManager,
  { organizationId, chatId, visitorId, email, afterSeq: seq, language }: MissedChat,
  mail: { id: string; token: string },
  now: Date,
): Promise<boolean> {
  const values = [organizationId, mail.id, email, mail.token, chatId, visitorId, language, seq, now];
  const rows: unknown[] = await tx.query(INSERT, values);
  return rows.length > 0;
}

const SET_TOO_MANY = `UPDATE mails SET status = 'TOO_MANY' WHERE organization_id = $1 AND id = $2`;

/** Notes that the address has reached its limit: the stored mail is never sent. */
export async function setTooMany(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query(SET_TOO_MANY, [organizationId, id]);
}

/** What a mail about missed answers depends on. */
export interface MissedState {
  email: string | null;
  afterSeq: number;
  lastMessageAt: Date;
  isVerified: boolean;
  isBlocked: boolean;
  /** The token of the first mail of the chat's thread; null: there's none. */
  threadToken: string | null;
}

const FIND_STATE = `
  SELECT v.email, ${afterSeq('$1')} AS "afterSeq", c.last_message_at AS "lastMessageAt",
    (v.signed_at IS NOT NULL OR v.verified_email IS NOT DISTINCT FROM v.email) AS "isVerified",
    EXISTS (SELECT FROM visitor_blocks b
      WHERE b.organization_id = $1 AND b.visitor_id = v.id AND ${isInForce('b')}) AS "isBlocked",
    (SELECT m.token FROM mails m WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.status = 'SENT'
      ORDER BY m.id LIMIT 1) AS "threadToken"
  FROM chats c JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
  WHERE c.organization_id = $1 AND c.id = $2 AND c.erased_at IS NULL AND v.erasing_since IS NULL`;

/** Null: the chat or its visitor was erased. */
export async function findMissedState(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<MissedState | null> {
  const rows: MissedState[] = await manager.query(FIND_STATE, [organizationId, chatId]);
  return rows[0] ?? null;
}

/** A message in a mail. */
export interface MailedMessage {
  content: string;
  senderType: SenderType;
  senderName: string | null;
  isAi: boolean;
  fileNames: string[] | null;
}

const MESSAGES = `
  SELECT m.content, m.sender_type AS "senderType", m.sender_name AS "senderName",
    m.sender_type = 'BOT' AND m.sender_is_ai IS NOT FALSE AS "isAi",
    (SELECT array_agg(f->>'name') FROM jsonb_array_elements(m.files::jsonb) AS f) AS "fileNames"
  FROM messages m WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.deleted_at IS NULL`;
const NEWEST = `${MESSAGES} AND m.seq > $3 AND m.sender_type IN ('AGENT', 'BOT') ORDER BY m.seq DESC LIMIT $4`;
const BEFORE = `${MESSAGES} AND m.seq <= $3 AND m.sender_type <> 'SYSTEM' ORDER BY m.seq DESC LIMIT $4`;
const COUNT = `
  SELECT count(*)::integer AS count FROM messages m
  WHERE m.organization_id = $1 AND m.chat_id = $2 AND m.seq > $3 AND m.sender_type IN ('AGENT', 'BOT') AND m.deleted_at IS NULL`;

/** The newest missed messages, how many there are, and the last ones before them, each in order. */
export async function readMissedMessages(
  manager: EntityManager,
  { organizationId, chatId }: { organizationId: string; chatId: string },
  seq: number,
  most: { newest: number; before: number },
): Promise<{ newest: MailedMessage[]; before: MailedMessage[]; count: number }> {
  const read = (text: string, limit: number): Promise<MailedMessage[]> =>
    manager.query(text, [organizationId, chatId, seq, limit]);
  const newest = await read(NEWEST, most.newest);
  const before = await read(BEFORE, most.before);
  const [{ count }] = (await manager.query(COUNT, [organizationId, chatId, seq])) as [{ count: number }];
  return { newest: newest.toReversed(), before: before.toReversed(), count };
}
