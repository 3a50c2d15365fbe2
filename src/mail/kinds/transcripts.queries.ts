import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { queryOrganizations } from '../../platform/database/citus/per-organization.js';
import { isInForce } from '../../visitors/visitor-blocks.queries.js';
import { MAILED_MESSAGES, type MailedMessage, type VisitorAddress } from './mailed-chat.queries.js';
import { IS_VERIFIED } from '../model/verified.js';

/** The most messages and characters of a transcript. It has the newest ones. */
const MAX_MESSAGES = 500;
const MAX_TEXT = 200_000;

const MESSAGES = `${MAILED_MESSAGES} AND m.sender_type <> 'SYSTEM' ORDER BY m.seq DESC LIMIT ${MAX_MESSAGES + 1}`;

/** What people and bots wrote in a chat, in order, and whether there's more before. */
export async function readTranscript(
  manager: EntityManager,
  organizationId: string,
  chatId: string,
): Promise<{ messages: MailedMessage[]; hasMore: boolean }> {
  const newest: MailedMessage[] = await manager.query(MESSAGES, [organizationId, chatId]);
  let left = MAX_TEXT;
  const kept = newest.slice(0, MAX_MESSAGES).filter(({ content }) => (left -= content.length) >= 0);
  return { messages: kept.toReversed(), hasMore: kept.length < newest.length };
}

/** The most transcripts of a chat in an hour. */
export const MAX_AN_HOUR = 5;
const HOUR_MS = 3_600_000;

/** Since when the transcripts of a chat count towards its limit. */
export const countedSince = (now: Date) => new Date(now.getTime() - HOUR_MS);

const ADDRESS = `v.email, c.metadata->>'language' AS language, ${IS_VERIFIED} AS "isVerified"`;

/** The visitor of a chat who may have no address. */
export type ChatVisitor = Omit<VisitorAddress, 'email'> & { email: string | null };

const LOCK = `
  SELECT c.organization_id AS "organizationId", c.id AS "chatId", c.visitor_id AS "visitorId", ${ADDRESS}
  FROM chats c JOIN visitors v ON v.organization_id = $1 AND v.id = c.visitor_id
  WHERE c.organization_id = $1 AND c.id = $2 AND c.erased_at IS NULL AND v.erasing_since IS NULL FOR NO KEY UPDATE OF c`;
const COUNT = `
  SELECT count(*)::integer AS count FROM mails
  WHERE organization_id = $1 AND chat_id = $2 AND kind = 'transcript' AND created_at > $3`;

/** Locks a chat. Returns its visitor, and the number of its transcripts since a time; null if the chat was erased. */
export async function lockTranscripts(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  since: Date,
): Promise<{ visitor: ChatVisitor; count: number } | null> {
  const [visitor]: ChatVisitor[] = await tx.query(LOCK, [organizationId, chatId]);
  if (!visitor) return null;
  const [{ count }] = (await tx.query(COUNT, [organizationId, chatId, since])) as [{ count: number }];
  return { visitor, count };
}

const SENDING = `
  SELECT id, (mail_settings->>'transcriptSince')::timestamptz AS since FROM organizations
  WHERE deleted_at IS NULL AND mail_settings->>'transcript' = 'ALWAYS'`;

/** An organization that sends a transcript of each chat that ended after a time. */
export interface SendsTranscripts {
  id: string;
  since: Date | null;
}

export async function findSendingTranscripts(pool: Pool): Promise<SendsTranscripts[]> {
  return (await pool.query<SendsTranscripts>({ name: 'find-sending-transcripts', text: SENDING })).rows;
}

/** The most chats of an organization in a run. Others follow in the next runs. */
const MAX_OF_ORGANIZATION = 100;

const ENDED = `
  SELECT f.* FROM unnest($1::text[], $2::timestamptz[]) AS i (organization_id, since)
  CROSS JOIN LATERAL (
    SELECT c.organization_id AS "organizationId", c.id AS "chatId", c.visitor_id AS "visitorId", c.status_changed_at AS "endedAt", ${ADDRESS}
    FROM chats c JOIN visitors v ON v.organization_id = i.organization_id AND v.id = c.visitor_id
    WHERE c.organization_id = i.organization_id AND c.status IN ('CLOSED', 'ARCHIVED') AND c.status_changed_at > i.since
      AND c.erased_at IS NULL AND c.message_count > 0 AND v.email IS NOT NULL AND v.erasing_since IS NULL
      AND NOT EXISTS (SELECT FROM mails s
        WHERE s.organization_id = i.organization_id AND s.chat_id = c.id AND s.ended_at = c.status_changed_at)
      AND (SELECT count(*) FROM mails s
        WHERE s.organization_id = i.organization_id AND s.chat_id = c.id AND s.kind = 'transcript' AND s.created_at > $3) < ${MAX_AN_HOUR}
      AND NOT EXISTS (SELECT FROM visitor_blocks b
        WHERE b.organization_id = i.organization_id AND b.visitor_id = v.id AND ${isInForce('b')})
    ORDER BY c.status_changed_at LIMIT ${MAX_OF_ORGANIZATION}
  ) f`;

/** A chat that ended, with its visitor. */
export interface EndedChat extends VisitorAddress {
  endedAt: Date;
}

/** The chats that ended since the organization's time, and that have no transcript for that end yet. */
export function findEnded(pool: Pool, since: readonly { id: string; since: Date }[]): Promise<EndedChat[]> {
  const query = {
    name: 'find-ended-chats',
    text: ENDED,
    values: [since.map(({ id }) => id), since.map((organization) => organization.since), countedSince(new Date())],
    items: [[0, 1]],
    failures: new Map<number, Error>(),
  };
  return queryOrganizations<EndedChat & Record<string, unknown>>(pool, query);
}
