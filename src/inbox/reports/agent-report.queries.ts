import type { Pool } from 'pg';
import { lookUpByKey } from '../../chats/reading/chats.queries.js';
import { firstReplyAt, limitsOf, type ReportRange, ReportValues } from './report-range.js';

/** What an agent did in the days of a report (CONTRACT: Agent API). */
export interface AgentReport {
  id: string;
  name: string;
  isEnabled: boolean;
  /** Chats where the agent wrote. */
  chats: number;
  /** Messages that the agent wrote. */
  replies: number;
  /** Stays in the queue that began, and ended with the agent getting the chat. */
  assigned: number;
  /** Of these: from queuing to the first message of the agent; null without one. */
  medianFirstReplySeconds: number | null;
  /** Chats that were first rated, and that the agent had last. */
  rated: number;
  /** Of these: the mean of the scores, 1 to 5, to two decimals; null without one. */
  averageScore: number | null;
}

// $2 and $3 limit the time, $4 and $5 are the page.
const reportOf = (group: (column: string) => string, ofGroup: string, tagged: (chatId: string) => string) => `
  WITH page AS MATERIALIZED (
    SELECT id, name, is_enabled FROM agents WHERE organization_id = $1 AND id > $4 ORDER BY id LIMIT $5
  ), rated AS MATERIALIZED (
    SELECT c.last_agent_id AS agent_id, count(*)::integer AS number, round(avg(r.score), 2)::float8 AS score
    FROM ratings r JOIN ${lookUpByKey('chats', 'c', 'r.chat_id')}
    WHERE r.organization_id = $1 AND r.rated_at >= $2 AND r.rated_at < $3
      AND c.last_agent_id IN (SELECT id FROM page) ${group('c.group_id')} ${tagged('c.id')}
    GROUP BY 1
  )
  SELECT a.id, a.name, a.is_enabled AS "isEnabled", m.chats, m.replies, h.assigned,
    round(h.reply)::integer AS "medianFirstReplySeconds", COALESCE(r.number, 0) AS rated, r.score AS "averageScore"
  FROM page a CROSS JOIN LATERAL (
    SELECT count(DISTINCT m.chat_id)::integer AS chats, count(*)::integer AS replies FROM messages m
    WHERE m.organization_id = $1 AND m.sender_type = 'AGENT' AND m.sender_id = a.id
      AND m.created_at >= $2 AND m.created_at < $3 ${ofGroup} ${tagged('m.chat_id')}
  ) m CROSS JOIN LATERAL (
    SELECT count(*)::integer AS assigned, percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM replied_at - queued_at)) AS reply
    FROM (
      SELECT h.queued_at, ${firstReplyAt('h')} AS replied_at FROM handoffs h
      WHERE h.organization_id = $1 AND h.agent_id = a.id AND h.outcome = 'ASSIGNED'
        AND h.began_at >= $2 AND h.began_at < $3 ${group('h.group_id')} ${tagged('h.chat_id')}
    ) stay
  ) h LEFT JOIN rated r ON r.agent_id = a.id
  ORDER BY a.id`;

const GROUP_OF_MESSAGE = '(SELECT c.group_id FROM chats c WHERE c.organization_id = $1 AND c.id = m.chat_id LIMIT 1)';

/** A page of the agents, by id, with what each did. @param after the last agent of the previous page */
export async function findAgentReports(
  pool: Pool,
  organizationId: string,
  range: ReportRange,
  { after = '', limit }: { after?: string; limit: number },
): Promise<AgentReport[]> {
  const { groupId } = range;
  const values = new ReportValues([organizationId, ...limitsOf(range), after, limit]);
  const group = groupId === undefined ? null : values.add(groupId);
  const of = (column: string) => (group === null ? '' : `AND ${column} = ${group}`);
  const text = reportOf(of, of(GROUP_OF_MESSAGE), values.tagged(range));
  return (await pool.query<AgentReport>(text, values.list)).rows;
}
