import type { Pool } from 'pg';
import type { ChatStatus } from '../../chats/model/chat-status.js';
import type { FailureCause } from '../../chats/model/handoff.entity.js';
import { isStay } from '../../chats/moves/chat-transitions.queries.js';
import { type MessageRating, MESSAGE_RATINGS_COLUMN } from '../../chats/reading/message-ratings.queries.js';
import { type Rating, RATING_COLUMN } from '../../chats/reading/ratings.queries.js';
import { jsonObject, jsonText, jsonTime } from '../../platform/database/sql-json.js';
import type { StoredAttributes } from '../../visitors/visitors.queries.js';
import { blockColumn, type VisitorBlock } from '../../visitors/visitor-blocks.queries.js';
import { MAILS_COLUMN, type StoredMailToCheck } from './mails-to-check.js';
import { ROW_COLUMNS, ROW_TABLES, type StoredRow } from './rows.queries.js';
import { isSeen, seenAs, type Viewer } from '../../chats/model/chat-rights.js';

/** The most earlier chats of a detail. */
const MAX_EARLIER = 10;

/** A chat's latest stay in the queue, running or ended, or the text of an agent's later transfer. */
export interface HandoffSummary {
  id: string;
  reason: string | null;
  /** For agents; visitors never see it. */
  summary: string | null;
  /** The error that made a bot hand the chat over. */
  cause: FailureCause | null;
  queuedAt: string;
}

/** An earlier chat of the same visitor. */
export interface EarlierChat {
  id: string;
  status: ChatStatus;
  createdAt: string;
  closedAt: string | null;
  messageCount: number;
}

/** What became of the newest mail about missed answers of a chat. */
export interface ChatMissedMail {
  /** It's about the messages after this one. */
  afterSeq: number;
  status: 'WAITING' | 'SENT' | 'BOUNCED' | 'FAILED' | 'TOO_MANY';
  /** When it was sent; otherwise, when it was queued. */
  at: string;
}

export interface StoredDetail extends StoredRow {
  visitorMetadata: Record<string, unknown> | null;
  visitorAttributes: StoredAttributes;
  visitorVerifiedAttributes: StoredAttributes;
  visitorCreatedAt: Date;
  metadata: Record<string, unknown> | null;
  attributes: StoredAttributes;
  title: string | null;
  handoff: HandoffSummary | null;
  earlierChats: EarlierChat[];
  rating: Rating | null;
  messageRatings: MessageRating[];
  block: VisitorBlock | null;
  /** Whether the organization sends transcripts if mail is set up. */
  sendsTranscripts: boolean;
  /** Null without any. */
  mails: StoredMailToCheck[] | null;
  missedMail: ChatMissedMail | null;
}

const HANDOFF = jsonObject({
  id: jsonText('h.id'),
  reason: jsonText('h.reason'),
  summary: jsonText('h.summary'),
  cause: "COALESCE(h.cause::text, 'null')",
  queuedAt: jsonTime('h.queued_at'),
});

const EARLIER = jsonObject({
  id: jsonText('e.id'),
  status: jsonText('e.status'),
  createdAt: jsonTime('e.created_at'),
  closedAt: jsonTime(`CASE WHEN e.status IN ('CLOSED', 'ARCHIVED') THEN e.status_changed_at END`),
  messageCount: 'e.message_count',
});

const MISSED_MAIL = jsonObject({
  afterSeq: 'm.after_seq',
  status: jsonText('m.status'),
  at: jsonTime('COALESCE(m.sent_at, m.created_at)'),
});

const OF_MAILS = `
  (SELECT o.mail_settings->>'transcript' IS DISTINCT FROM 'NEVER' FROM organizations o WHERE o.id = $1) AS "sendsTranscripts",
  (SELECT (${MISSED_MAIL})::json FROM mails m
    WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.after_seq IS NOT NULL AND m.status <> 'LAPSED'
    ORDER BY m.after_seq DESC LIMIT 1) AS "missedMail"`;

const DETAIL = `
  SELECT ${ROW_COLUMNS}, v.metadata AS "visitorMetadata", v.attributes AS "visitorAttributes",
    v.verified_attributes AS "visitorVerifiedAttributes", v.created_at AS "visitorCreatedAt", c.metadata, c.attributes, c.title, ${RATING_COLUMN}, ${MESSAGE_RATINGS_COLUMN}, ${blockColumn('$1', 'c.visitor_id')}, ${MAILS_COLUMN}, ${OF_MAILS}, handoff.json::json AS handoff, earlier.json::json AS "earlierChats"
  FROM chats c ${ROW_TABLES}
  LEFT JOIN LATERAL (
    SELECT ${HANDOFF} AS json FROM handoffs h
    WHERE h.organization_id = $1 AND h.chat_id = c.id AND (h.summary IS NOT NULL OR ${isStay('h')})
    ORDER BY h.id DESC LIMIT 1
  ) handoff ON true
  CROSS JOIN LATERAL (
    SELECT COALESCE('[' || string_agg(${EARLIER}, ',' ORDER BY e.id DESC) || ']', '[]') AS json FROM (
      SELECT * FROM chats e
      WHERE e.organization_id = $1 AND e.visitor_id = c.visitor_id AND e.id < c.id AND ${isSeen('e')}
      ORDER BY e.id DESC LIMIT ${MAX_EARLIER}
    ) e
  ) earlier
  WHERE c.organization_id = $1 AND c.id = $3 AND ${isSeen('c')}`;

/** Null for a chat that the viewer may not see. */
export async function findDetail(pool: Pool, viewer: Viewer, id: string): Promise<StoredDetail | null> {
  const values = [viewer.organizationId, seenAs(viewer), id];
  const { rows } = await pool.query<StoredDetail>({ name: 'inbox-detail', text: DETAIL, values });
  return rows[0] ?? null;
}
