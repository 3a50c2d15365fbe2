import type { EntityManager } from 'typeorm';
import { isStay } from '../../chats/moves/chat-transitions.queries.js';
import { DAY_MS, dayLimits } from '../../platform/locale/time-zone.js';
import { chatIdsOf, firstReplyAt, type ReportRange, ReportValues } from './report-range.js';

/** One day of a report (CONTRACT: Agent API). A hand-off counts on the day when it began. */
export interface ReportDay {
  /** `YYYY-MM-DD`, in the organization's time zone. */
  day: string;
  /** Chats that began. */
  created: number;
  /** Stays in the queue that began. */
  handoffs: number;
  /** Of these: an agent got the chat. */
  assigned: number;
  /** Of these: the agent who got it wrote, by now. */
  replied: number;
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
  /** Of these: no agent had the chat. */
  ratedWithoutAgent: number;
  /** Of the rated chats: the mean of the scores, 1 to 5, to two decimals; null without one. */
  averageScore: number | null;
}

// $2 has the days, and $3 when each begins, and when the last one ends: $4 and $5 are the first and the last of these. A row's day is its
// place among these times. Of a day that clocks skip, it's the next one. Ids sort by time: $6 and $7 bound the ids of the first and the
// last day in any time zone.
const dayOf = (time: string) => `width_bucket(${time}, $3::timestamptz[])`;
const within = (time: string) => `${time} >= $4 AND ${time} < $5`;
const ofRated = (column: string) =>
  `(SELECT c.${column} FROM chats c WHERE c.organization_id = $1 AND c.id = r.chat_id LIMIT 1)`;
const reportOf = (group: (column: string) => string, groups: string, tagged: (chatId: string) => string) => `
  WITH created AS (
    SELECT ${dayOf('c.created_at')} AS day, count(*)::integer AS number
    FROM chats c
    WHERE c.organization_id = $1 AND c.id BETWEEN $6 AND $7 AND c.erased_at IS NULL
      AND ${within('c.created_at')} ${group('c.group_id')} ${tagged('c.id')}
    GROUP BY 1
  ), closed AS (
    SELECT ${dayOf('e.at')} AS day, count(*)::integer AS number
    FROM (${groups}) g CROSS JOIN LATERAL (
      SELECT status_changed_at AS at FROM chats
      WHERE organization_id = $1 AND group_id = g.id AND status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL
        AND ${within('status_changed_at')} ${tagged('chats.id')}
    ) e
    GROUP BY 1
  ), stays AS (
    SELECT ${dayOf('h.began_at')} AS day, h.outcome, h.unanswered_at, h.queued_at,
      CASE WHEN h.outcome = 'ASSIGNED' THEN h.ended_at END AS assigned_at,
      ${firstReplyAt('h')} AS replied_at
    FROM handoffs h
    WHERE h.organization_id = $1 AND ${within('h.began_at')} AND ${isStay('h')}
      ${group('h.group_id')} ${tagged('h.chat_id')}
  ), handoff AS (
    SELECT day, count(*)::integer AS number, count(assigned_at)::integer AS assigned, count(replied_at)::integer AS replied, count(unanswered_at)::integer AS unanswered,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM assigned_at - queued_at)) AS wait,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM replied_at - queued_at)) AS reply
    FROM stays GROUP BY day
  ), rated AS (
    SELECT day, count(*)::integer AS number, (count(*) - count(agent_id))::integer AS alone, round(avg(score), 2)::float8 AS score
    FROM (
      SELECT ${dayOf('r.rated_at')} AS day, r.score, ${ofRated('last_agent_id')} AS agent_id FROM ratings r
      WHERE r.organization_id = $1 AND ${within('r.rated_at')} ${group(ofRated('group_id'))} ${tagged('r.chat_id')}
    ) r
    GROUP BY day
  )
  SELECT d.text AS day, COALESCE(created.number, 0) AS created, COALESCE(h.number, 0) AS handoffs,
    COALESCE(h.assigned, 0) AS assigned, COALESCE(h.replied, 0) AS replied, COALESCE(h.unanswered, 0) AS unanswered,
    round(h.wait)::integer AS "medianWaitSeconds", round(h.reply)::integer AS "medianFirstReplySeconds",
    COALESCE(closed.number, 0) AS closed, COALESCE(rated.number, 0) AS rated, COALESCE(rated.alone, 0) AS "ratedWithoutAgent",
    rated.score AS "averageScore"
  FROM unnest($2::text[]) WITH ORDINALITY AS d (text, day)
    LEFT JOIN created USING (day) LEFT JOIN closed USING (day) LEFT JOIN handoff h USING (day) LEFT JOIN rated USING (day)
  ORDER BY d.day`;

/** One row for each day, in order. */
export function findReport(manager: EntityManager, organizationId: string, range: ReportRange): Promise<ReportDay[]> {
  const { from, to, timeZone, groupId } = range;
  const limits = dayLimits(timeZone, from, to);
  const days = limits.slice(1).map((_, at) => new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10));
  const values = new ReportValues([organizationId, days, limits, limits[0], limits.at(-1), ...chatIdsOf(range)]);
  const tagged = values.tagged(range);
  if (groupId === undefined)
    return manager.query(
      reportOf(() => '', 'SELECT id FROM groups WHERE organization_id = $1', tagged),
      values.list,
    );
  const group = values.add(groupId);
  return manager.query(
    reportOf((column) => `AND ${column} = ${group}`, `SELECT ${group}::text AS id`, tagged),
    values.list,
  );
}
