/** Counting waiting chats stops here. */
export const MAX_COUNTED = 1_000;
/** An estimate needs this many assignments within this many minutes. */
const MIN_ASSIGNMENTS = 3;
const WINDOW_MINUTES = 30;

/** The position of a row of `chats` of the organization `$1` in its group's queue, from 1 to 1,000. The longest wait is first. */
export const sqlPosition = (chat: string) => `
  (SELECT 1 + count(*)::integer FROM (
    SELECT FROM chats o
    WHERE o.organization_id = $1 AND o.group_id = ${chat}.group_id AND o.status = 'QUEUED'
      AND o.erased_at IS NULL AND (o.queued_at, o.id) < (${chat}.queued_at, ${chat}.id)
    LIMIT ${MAX_COUNTED - 1}) AS earlier)`;

/** The first 999 chats of a group's queue with their positions. @param group an alias with `organization_id` and `group_id` */
export const sqlPositions = (group: string) => `
  SELECT o.id, row_number() OVER (ORDER BY o.queued_at, o.id)::integer AS position
  FROM chats o
  WHERE o.organization_id = ${group}.organization_id AND o.group_id = ${group}.group_id AND o.status = 'QUEUED'
    AND o.erased_at IS NULL
  ORDER BY o.queued_at, o.id LIMIT ${MAX_COUNTED - 1}`;

/** The median time between two of a group's assignments in the last 30 minutes, in seconds; null with fewer than three. */
export const sqlPace = (organizationId: string, groupId: string) => `
  (SELECT CASE WHEN count(*) >= ${MIN_ASSIGNMENTS - 1} THEN percentile_cont(0.5) WITHIN GROUP (ORDER BY gap) END FROM (
    SELECT extract(epoch FROM h.ended_at - lag(h.ended_at) OVER (ORDER BY h.ended_at)) AS gap
    FROM handoffs h
    WHERE h.organization_id = ${organizationId} AND h.group_id = ${groupId} AND h.outcome = 'ASSIGNED'
      AND h.ended_at > clock_timestamp() - interval '${WINDOW_MINUTES} min') AS gaps
  WHERE gap IS NOT NULL)`;

/** How long the chat at a position will wait, in seconds; null without enough data. */
export function estimateWait(position: number, pace: number | null): number | null {
  return pace === null ? null : Math.round(position * pace);
}
