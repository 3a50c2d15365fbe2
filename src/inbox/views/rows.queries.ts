import type { Pool } from 'pg';
import type { Side } from '../../chats/model/chat-read.entity.js';
import type { Channel } from '../../chats/model/channel.js';
import { isSeen, seenAs, sqlAgentMaySee, type Viewer } from '../../chats/model/chat-rights.js';
import { sqlActiveAt } from '../../chats/model/chat-activity.js';
import type { ChatStatus } from '../../chats/model/chat-status.js';
import { jsonSender } from '../../chats/reading/chat-json.queries.js';
import { CHAT_NAMES, lookUpByKey } from '../../chats/reading/chats.queries.js';
import { sqlIsVerified } from '../../visitors/visitors.queries.js';
import { SCORE_COLUMN } from '../../chats/reading/ratings.queries.js';
import type { ReadRow } from '../../chats/reading/reads.queries.js';
import { TAGS_COLUMN } from '../../chats/reading/tags-sql.js';
import { jsonObject, jsonText, jsonTime } from '../../platform/database/sql-json.js';
import { MAILS_TO_CHECK_COLUMN } from './mails-to-check.js';
import type { MessageType, Sender } from '../../messages/message.js';

/** The last message of a chat, with the first 300 characters of its content. */
export interface LastMessage {
  id: string;
  seq: number;
  type: MessageType;
  content: string;
  sender: Sender;
  /** The metadata of a system message, so that clients can word it themselves; null for other messages. */
  metadata: Record<string, unknown> | null;
  createdAt: string;
  /** Absent without any. */
  files?: { name: string; type: string }[];
}

/** The stored columns of an InboxRow. */
export interface StoredRow extends ReadRow {
  id: string;
  status: ChatStatus;
  channel: Channel;
  groupId: string;
  groupName: string;
  agentId: string | null;
  agentName: string | null;
  lastAgentId: string | null;
  lastAgentName: string | null;
  visitorId: string;
  visitorName: string | null;
  visitorEmail: string | null;
  /** Whether name and email came with a signed identity. */
  visitorIsVerified: boolean;
  lastMessage: LastMessage | null;
  /** If `lastMessage` is the service's own: what a person or a bot wrote before it. */
  lastWords: LastMessage | null;
  messageCount: number;
  isUnread: boolean;
  readByAgents: number;
  waitingSince: Date | null;
  botSilentSince: Date | null;
  queuedAt: Date | null;
  isSnoozed: boolean;
  snoozedUntil: Date | null;
  createdAt: Date;
  lastMessageAt: Date | null;
  /** The time that orders lists of open chats. */
  activeAt: Date;
  closedAt: Date | null;
  rev: number;
  score: number | null;
  /** Null without any. */
  tags: string[] | null;
  mailsToCheck: number;
  offerId: string | null;
  offeredTo: string | null;
  offerExpiresAt: Date | null;
}

/** Whole messages would make a page of 1.5 MB. */
const lastMessage = (m: string) =>
  jsonObject(
    {
      id: jsonText(`${m}.id`),
      seq: `${m}.seq`,
      type: jsonText(`${m}.type`),
      content: jsonText(`left(${m}.content, 300)`),
      sender: jsonSender(m),
      metadata: `CASE WHEN ${m}.sender_type = 'SYSTEM' THEN COALESCE(${m}.metadata::text, '{}') ELSE 'null' END`,
      createdAt: jsonTime(`${m}.created_at`),
    },
    `CASE WHEN ${m}.files IS NULL THEN '' ELSE ',"files":' || (
      SELECT json_agg(json_build_object('name', f.file ->> 'name', 'type', f.file ->> 'type'))::text
      FROM json_array_elements(${m}.files) AS f (file)) END`,
  );

/** How many messages before the last one are searched for a row's words. If none of them has any, the row has the visitor's last ones. */
const WORDS_AMONG = 20;

/** The columns of a StoredRow, from the tables that ROW_TABLES joins to `chats c` of the organization `$1`. */
export const ROW_COLUMNS = `
  c.id, c.status, c.channel, g.id AS "groupId", g.name AS "groupName", a.id AS "agentId", a.name AS "agentName",
  l.id AS "lastAgentId", l.name AS "lastAgentName", v.id AS "visitorId", v.name AS "visitorName", v.email AS "visitorEmail",
  ${sqlIsVerified('v')} AS "visitorIsVerified",
  m."lastMessage", w."lastWords", c.message_count AS "messageCount", c.last_visitor_seq > r."readByAgents" AS "isUnread",
  r."readByVisitor", r."readByOrganization", r."readByAgents",
  c.waiting_since AS "waitingSince", silence.since AS "botSilentSince", CASE WHEN c.status = 'QUEUED' THEN c.queued_at END AS "queuedAt",
  c.snoozed_by IS NOT NULL AS "isSnoozed", c.snoozed_until AS "snoozedUntil",
  c.created_at AS "createdAt", c.last_message_at AS "lastMessageAt", ${sqlActiveAt('c.')} AS "activeAt",
  CASE WHEN c.status IN ('CLOSED', 'ARCHIVED') THEN c.status_changed_at END AS "closedAt", c.rev, ${SCORE_COLUMN}, ${TAGS_COLUMN}, ${MAILS_TO_CHECK_COLUMN},
  o.id AS "offerId", o.agent_id AS "offeredTo", o.expires_at AS "offerExpiresAt"`;

// Skipped, because otherwise every row in the list of ended chats would show it. A chat archived while it was open has none. For the
// same reason, a waiting chat shows what its visitor last wrote, and not that it was transferred.
const CLOSING_MESSAGE = `
        SELECT FROM messages e WHERE e.organization_id = $1 AND e.chat_id = c.id AND e.seq = c.message_count
          AND e.sender_type = 'SYSTEM' AND e.metadata ->> 'event' = 'chat.closed'`;

// All marks are at most three adjacent rows.
const readBy = (side: Side) => `COALESCE(max(r.seq) FILTER (WHERE r.side = '${side}'), 0)`;

export const ROW_TABLES = `${CHAT_NAMES}
  LEFT JOIN ${lookUpByKey('agents', 'l', 'c.last_agent_id')}
  LEFT JOIN LATERAL (
    SELECT (${lastMessage('m')})::json AS "lastMessage", m.seq, m.sender_type FROM messages m
    WHERE m.organization_id = $1 AND m.chat_id = c.id
      AND m.seq = CASE WHEN c.status = 'QUEUED' AND c.last_visitor_seq > 0 THEN c.last_visitor_seq
        WHEN c.status IN ('CLOSED', 'ARCHIVED') AND EXISTS (${CLOSING_MESSAGE}) THEN c.message_count - 1 ELSE c.message_count END
    LIMIT 1
  ) m ON true
  LEFT JOIN LATERAL (
    SELECT (${lastMessage('w')})::json AS "lastWords" FROM messages w
    WHERE w.organization_id = $1 AND w.chat_id = c.id AND m.sender_type = 'SYSTEM'
      AND w.seq = COALESCE((
        SELECT s.seq FROM messages s
        WHERE s.organization_id = $1 AND s.chat_id = c.id AND s.seq < m.seq AND s.seq >= m.seq - ${WORDS_AMONG}
          AND s.sender_type <> 'SYSTEM'
        ORDER BY s.seq DESC LIMIT 1
      ), c.last_visitor_seq)
    LIMIT 1
  ) w ON true
  CROSS JOIN LATERAL (
    SELECT ${readBy('visitor')} AS "readByVisitor", ${readBy('organization')} AS "readByOrganization",
      ${readBy('agents')} AS "readByAgents"
    FROM chat_reads r WHERE r.organization_id = $1 AND r.chat_id = c.id
  ) r
  LEFT JOIN LATERAL (
    SELECT id, agent_id, expires_at FROM chat_offers o
    WHERE o.organization_id = $1 AND o.chat_id = c.id AND o.ended_at IS NULL LIMIT 1
  ) o ON true
  LEFT JOIN LATERAL (
    SELECT since FROM bot_silences s
    WHERE s.organization_id = $1 AND s.chat_id = c.id AND c.status = 'ACTIVE' AND c.agent_id IS NULL AND c.waiting_since <= s.since
    LIMIT 1
  ) silence ON true`;

/**
 * The rows of a page, in its order, in one statement.
 * @param page SQL with the columns `id`, a chat in the organization `$1`, and `ordinal`
 * @param columns the columns of the rows
 */
export const rowsOf = (page: string, columns = ROW_COLUMNS) => `
  SELECT ${columns}, p.ordinal FROM (${page}) p
  CROSS JOIN LATERAL (SELECT * FROM chats WHERE organization_id = $1 AND id = p.id AND erased_at IS NULL LIMIT 1) c
  ${ROW_TABLES}
  ORDER BY p.ordinal`;

const OF_CHATS = rowsOf('SELECT id, ordinal FROM unnest($2::text[]) WITH ORDINALITY AS k (id, ordinal)');

/** The rows of these chats, in this order. Erased and removed chats are left out. */
export async function findRows(pool: Pool, organizationId: string, chatIds: readonly string[]): Promise<StoredRow[]> {
  const { rows } = await pool.query<StoredRow>({
    name: 'inbox-rows',
    text: OF_CHATS,
    values: [organizationId, chatIds],
  });
  return rows;
}

const FOR_AGENT = rowsOf(
  'SELECT $2::text AS id, 1 AS ordinal',
  `${ROW_COLUMNS}, EXISTS (
    SELECT FROM agents viewer
    WHERE viewer.organization_id = $1 AND viewer.id = $3 AND viewer.is_enabled AND ${sqlAgentMaySee('viewer', 'c')}) AS "isSeen"`,
);

/** The row of a chat, and whether the agent may see it. Null for an erased or removed chat. */
export async function findRowFor(
  pool: Pool,
  organizationId: string,
  chatId: string,
  agentId: string,
): Promise<(StoredRow & { isSeen: boolean }) | null> {
  const values = [organizationId, chatId, agentId];
  const { rows } = await pool.query<StoredRow & { isSeen: boolean }>({
    name: 'inbox-row-for',
    text: FOR_AGENT,
    values,
  });
  return rows[0] ?? null;
}

/** An agent has room for at most 100 chats, counting offers. */
const MAX_OFFERS = 100;

const OFFERED_TO_AGENT = rowsOf(`
  SELECT o.chat_id AS id, row_number() OVER (ORDER BY o.expires_at, o.id) AS ordinal FROM chat_offers o
  WHERE o.organization_id = $1 AND o.agent_id = $3 AND o.ended_at IS NULL AND o.expires_at > clock_timestamp()
    AND EXISTS (SELECT FROM chats c WHERE c.organization_id = $1 AND c.id = o.chat_id AND ${isSeen('c')})
  ORDER BY o.expires_at, o.id LIMIT ${MAX_OFFERS}`);

/** The rows of chats offered to the viewer, soonest expiry first. */
export async function findOffered(pool: Pool, viewer: Viewer): Promise<StoredRow[]> {
  const values = [viewer.organizationId, seenAs(viewer), viewer.agentId];
  const { rows } = await pool.query<StoredRow>({ name: 'inbox-offers', text: OFFERED_TO_AGENT, values });
  return rows;
}
