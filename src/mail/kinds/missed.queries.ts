import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { SLOT_OF_CHAT, sqlActivitySlot } from '../../chats/model/chat-activity.js';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import { isInForce } from '../../visitors/visitor-blocks.queries.js';
import { afterSeq, MAILED_MESSAGES, type MailedMessage, type VisitorAddress } from './mailed-chat.queries.js';
import { IS_VERIFIED } from '../model/verified.js';

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

const IS_DUE = `
  c.last_message_at <= ${ago('i.seconds')} AND c.last_message_at > ${ago('i.seconds + $3::integer')}
    AND c.message_count > c.last_visitor_seq`;
const CHAT = `c.organization_id, c.id, c.visitor_id, c.last_visitor_seq, c.metadata`;

// The chats whose last message is about as old as the limit. Open chats are found by their group in ix_chats_open_activity, ended ones in
// ix_chats_ended_of_all.
const FIND = `
  SELECT f.organization_id AS "organizationId", f.chat_id AS "chatId", f.visitor_id AS "visitorId", f.email, f.after_seq AS "afterSeq",
    f.language, f.is_verified AS "isVerified"
  FROM unnest($1::text[], $2::integer[]) AS i (organization_id, seconds)
  CROSS JOIN LATERAL (
    SELECT c.organization_id, c.id AS chat_id, c.visitor_id, v.email, c.after_seq, c.metadata->>'language' AS language,
      ${IS_VERIFIED} AS is_verified
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
export interface MissedChat extends VisitorAddress {
  afterSeq: number;
}

/** The chats whose visitors missed an answer, and got no mail about it. @param reach how many seconds ago the mail may have become due */
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

const NEWEST = `${MAILED_MESSAGES} AND m.seq > $3 AND m.sender_type IN ('AGENT', 'BOT') ORDER BY m.seq DESC LIMIT $4`;
const BEFORE = `${MAILED_MESSAGES} AND m.seq <= $3 AND m.sender_type <> 'SYSTEM' ORDER BY m.seq DESC LIMIT $4`;
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
