import type { EntityManager } from 'typeorm';
import { isStay } from '../../chats/moves/chat-transitions.queries.js';
import { chatIdsOf, firstReplyAt, type ReportRange } from './report-range.js';

/** One day of a report (CONTRACT section 10). A hand-off counts on the day when it began. */
export interface ReportDay {
  /** `YYYY-MM-DD`, in the organization's time zone. */
  day: string;
  /** Chats that began. */
  created: number;
  /** Stays in the queue that began. */
  handoffs: number;
  /** Of these: an agent got the chat. */
  assigned: number;
  /** Of these: no agent got it in time. */
  unanswered: number;
  /** From queuing to the assignment; null without one. */
  medianWaitSeconds: number | null;
  /** From queuing to the first message of the agent; null without one. */
  medianFirstReplySeconds: number | null;
  /** Chats that ended and weren't reopened. */
  closed: number;
  /** Chats that were rated. */
  rated: number;
  /** Of these: the mean of the scores, 1 to 5, to two decimals; null without one. */
  averageScore: number | null;
}

// $2 and $3 are the first and the last day, $4 the time zone. Days are ranges of time, so that indexes apply. Ids sort by time: $5
// and $6 bound the ids of the first and the last day in any time zone.
const reportOf = (group: (column: string) => string, groups: string) => `
  WITH days AS MATERIALIZED (
    SELECT day::date, day::timestamp AT TIME ZONE $4 AS begins, (day + interval '1 day')::timestamp AT TIME ZONE $4 AS ends
    FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS day
  ), whole AS MATERIALIZED (
    SELECT min(begins) AS begins, max(ends) AS ends FROM days
  ), created AS (
    SELECT (c.created_at AT TIME ZONE $4)::date AS day, count(*)::integer AS number
    FROM chats c CROSS JOIN whole w
    WHERE c.organization_id = $1 AND c.id BETWEEN $5 AND $6 AND c.erased_at IS NULL
      AND c.created_at >= w.begins AND c.created_at < w.ends ${group('c.group_id')}
    GROUP BY 1
  ), closed AS (
    SELECT (e.at AT TIME ZONE $4)::date AS day, count(*)::integer AS number
    FROM whole w CROSS JOIN (${groups}) g CROSS JOIN LATERAL (
      SELECT status_changed_at AS at FROM chats
      WHERE organization_id = $1 AND group_id = g.id AND status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL
        AND status_changed_at >= w.begins AND status_changed_at < w.ends
    ) e
    GROUP BY 1
  ), stays AS (
    SELECT (h.began_at AT TIME ZONE $4)::date AS day, h.outcome, h.unanswered_at, h.queued_at,
      CASE WHEN h.outcome = 'ASSIGNED' THEN h.ended_at END AS assigned_at,
      ${firstReplyAt('h')} AS replied_at
    FROM handoffs h CROSS JOIN whole w
    WHERE h.organization_id = $1 AND h.began_at >= w.begins AND h.began_at < w.ends AND ${isStay('h')}
      ${group('h.group_id')}
  ), handoff AS (
    SELECT day, count(*)::integer AS number, count(assigned_at)::integer AS assigned, count(unanswered_at)::integer AS unanswered,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM assigned_at - queued_at)) AS wait,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM replied_at - queued_at)) AS reply
    FROM stays GROUP BY day
  ), rated AS (
    SELECT (r.rated_at AT TIME ZONE $4)::date AS day, count(*)::integer AS number, round(avg(r.score), 2)::float8 AS score
    FROM ratings r CROSS JOIN whole w
    WHERE r.organization_id = $1 AND r.rated_at >= w.begins AND r.rated_at < w.ends
      ${group('(SELECT c.group_id FROM chats c WHERE c.organization_id = $1 AND c.id = r.chat_id LIMIT 1)')}
    GROUP BY 1
  )
  SELECT d.day::text, COALESCE(created.number, 0) AS created, COALESCE(h.number, 0) AS handoffs,
    COALESCE(h.assigned, 0) AS assigned, COALESCE(h.unanswered, 0) AS unanswered,
    round(h.wait)::integer AS "medianWaitSeconds", round(h.reply)::integer AS "medianFirstReplySeconds",
    COALESCE(closed.number, 0) AS closed, COALESCE(rated.number, 0) AS rated, rated.score AS "averageScore"
  FROM days d LEFT JOIN created USING (day) LEFT JOIN closed USING (day) LEFT JOIN handoff h USING (day)
    LEFT JOIN rated USING (day)
  ORDER BY d.day`;

const OF_ORGANIZATION = reportOf(() => '', 'SELECT id FROM groups WHERE organization_id = $1');
const OF_GROUP = reportOf((column) => `AND ${column} = $7`, 'SELECT $7::text AS id');

/** One row for each day, in order. */
export function findReport(manager: EntityManager, organizationId: string, range: ReportRange): Promise<ReportDay[]> {
  const { from, to, timeZone, groupId } = range;
  const values = [organizationId, from, to, timeZone, ...chatIdsOf(range)];
  return groupId === undefined ? manager.query(OF_ORGANIZATION, values) : manager.query(OF_GROUP, [...values, groupId]);
}
