import type { Pool } from 'pg';
import { isStay } from '../../chats/moves/chat-transitions.queries.js';
import { lookUpByKey } from '../../chats/reading/chats.queries.js';
import { chatIdsOf, firstReplyAt, limitsOf, type ReportRange, ReportValues } from './report-range.js';

/** How many chats one statement reads. */
const PAGE_SIZE = 200;

/** A chat in an export. Waits are of its first stay in the queue. */
export interface ExportedChat {
  id: string;
  createdAt: Date;
  closedAt: Date | null;
  status: string;
  channel: string;
  groupName: string;
  visitorId: string;
  visitorName: string | null;
  visitorEmail: string | null;
  agentName: string | null;
  messageCount: number;
  firstResponseSeconds: number | null;
  queuedAt: Date | null;
  outcome: string | null;
  isUnanswered: boolean | null;
  waitSeconds: number | null;
  firstReplySeconds: number | null;
  score: number | null;
  comment: string | null;
  ratedAt: Date | null;
}

const secondsFrom = (begin: string, end: string) => `round(EXTRACT(EPOCH FROM ${end} - ${begin}))::integer`;

// Ids sort by time, so a page is a range of the primary key. Chats outside of the days, at its ends, and chats of
// other groups are read and left out.
const findOf = (tagged: string) => `
  SELECT c.id, c.created_at AS "createdAt", c.created_at >= $2 AND c.created_at < $3
      AND ($6::text IS NULL OR c.group_id = $6) AND c.erased_at IS NULL ${tagged} AS "isWanted",
    CASE WHEN c.status IN ('CLOSED', 'ARCHIVED') THEN c.status_changed_at END AS "closedAt", c.status, c.channel,
    g.name AS "groupName", v.id AS "visitorId", v.name AS "visitorName", v.email AS "visitorEmail", a.name AS "agentName",
    c.message_count AS "messageCount", ${secondsFrom('c.created_at', 'c.first_response_at')} AS "firstResponseSeconds",
    h.queued_at AS "queuedAt", h.outcome, CASE WHEN h.id IS NOT NULL THEN h.unanswered_at IS NOT NULL END AS "isUnanswered",
    ${secondsFrom('h.queued_at', `CASE WHEN h.outcome = 'ASSIGNED' THEN h.ended_at END`)} AS "waitSeconds",
    ${secondsFrom('h.queued_at', 'h.replied_at')} AS "firstReplySeconds", r.score, r.comment, r.rated_at AS "ratedAt"
  FROM (
    SELECT * FROM chats WHERE organization_id = $1 AND id > $4 AND id <= $5 ORDER BY id LIMIT ${PAGE_SIZE}
  ) c
  JOIN ${lookUpByKey('groups', 'g', 'c.group_id')}
  JOIN ${lookUpByKey('visitors', 'v', 'c.visitor_id')}
  LEFT JOIN ${lookUpByKey('agents', 'a', 'c.last_agent_id')}
  LEFT JOIN LATERAL (SELECT * FROM ratings WHERE organization_id = $1 AND chat_id = c.id LIMIT 1) r ON true
  LEFT JOIN LATERAL (
    SELECT h.*, ${firstReplyAt('h')} AS replied_at FROM handoffs h
    WHERE h.organization_id = $1 AND h.chat_id = c.id AND ${isStay('h')} ORDER BY h.id LIMIT 1
  ) h ON true
  ORDER BY c.id`;

/** The chats that began in the range, oldest first, in pages. */
export async function* findExportedChats(
  pool: Pool,
  organizationId: string,
  range: ReportRange,
): AsyncGenerator<ExportedChat[], void> {
  const limits = limitsOf(range);
  const [firstId, lastId] = chatIdsOf(range);
  for (let after = firstId; ;) {
    const values = new ReportValues([organizationId, ...limits, after, lastId, range.groupId ?? null]);
    const text = findOf(values.tagged(range)('c.id'));
    const { rows } = await pool.query<ExportedChat & { isWanted: boolean }>(text, values.list);
    yield rows.filter(({ isWanted }) => isWanted);
    if (rows.length < PAGE_SIZE) return;
    after = rows.at(-1)!.id;
  }
}
