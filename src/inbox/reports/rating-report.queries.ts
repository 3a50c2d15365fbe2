import type { Pool } from 'pg';
import { lookUpByKey } from '../../chats/reading/chats.queries.js';
import type { Named } from '../../chats/reading/chat-state.js';
import type { Position } from '../../platform/lib/cursor.js';
import { limitsOf, type ReportRange, ReportValues } from './report-range.js';

/** The most ratings that one page reads. With filters, a page may have fewer ratings than its limit. */
const MAX_READ = 500;

/** A rating in a report, with the chat's visitor, its last agent, and its group. */
export interface ReportedRating {
  chatId: string;
  /** 1 to 5; 5 is the best. */
  score: number;
  comment: string | null;
  ratedAt: Date;
  visitor: { id: string; name: string | null };
  /** Null if no agent had the chat, or the agent was removed. */
  agent: Named | null;
  group: Named;
}

export interface RatingFilter extends ReportRange {
  /** Only chats that this agent had last. */
  agentId?: string;
  /** Only ratings with a comment. */
  hasComment: boolean;
  /** Only ratings before this one. */
  before?: Position;
  limit: number;
}

// The newest first: which of them match is decided for at most MAX_READ ratings.
const findOf = (tagged: string) => `
  SELECT r.chat_id AS id, r.rated_at AS at,
    ($4::text IS NULL OR c.group_id = $4) AND ($5::text IS NULL OR c.last_agent_id = $5)
      AND (NOT $6::boolean OR r.comment IS NOT NULL) ${tagged} AS "isWanted"
  FROM (
    SELECT r.organization_id, r.chat_id, r.rated_at, r.comment FROM ratings r
    WHERE r.organization_id = $1 AND r.rated_at >= $2 AND r.rated_at < $3
      AND r.rated_at <= $7::timestamptz AND (r.rated_at < $7::timestamptz OR r.chat_id < $8)
    ORDER BY r.rated_at DESC, r.chat_id DESC LIMIT ${MAX_READ}
  ) r JOIN ${lookUpByKey('chats', 'c', 'r.chat_id')}
  ORDER BY r.rated_at DESC, r.chat_id DESC`;

const NAMED = (table: string) => `json_build_object('id', ${table}.id, 'name', ${table}.name)`;

const READ = `
  SELECT r.chat_id AS "chatId", r.score, r.comment, r.rated_at AS "ratedAt", ${NAMED('v')} AS visitor,
    CASE WHEN a.id IS NOT NULL THEN ${NAMED('a')} END AS agent, ${NAMED('g')} AS "group"
  FROM ratings r
  JOIN ${lookUpByKey('chats', 'c', 'r.chat_id')}
  JOIN ${lookUpByKey('groups', 'g', 'c.group_id')}
  JOIN ${lookUpByKey('visitors', 'v', 'c.visitor_id')}
  LEFT JOIN ${lookUpByKey('agents', 'a', 'c.last_agent_id')}
  WHERE r.organization_id = $1 AND r.chat_id = ANY ($2)
  ORDER BY r.rated_at DESC, r.chat_id DESC`;

/** A page of the ratings, newest first, and where the next page begins. */
export async function findRatings(
  pool: Pool,
  organizationId: string,
  { agentId, hasComment, before, limit, ...range }: RatingFilter,
): Promise<{ ratings: ReportedRating[]; end: Position | null }> {
  const filters = [organizationId, ...limitsOf(range), range.groupId ?? null, agentId ?? null, hasComment];
  const values = new ReportValues([...filters, before?.at ?? 'infinity', before?.id ?? '']);
  const text = findOf(values.tagged(range)('r.chat_id'));
  const { rows } = await pool.query<Position & { isWanted: boolean }>(text, values.list);
  const wanted = rows.filter(({ isWanted }) => isWanted);
  const page = wanted.slice(0, limit);
  const ids = page.map((rating) => rating.id);
  const ratings = page.length > 0 ? (await pool.query<ReportedRating>(READ, [organizationId, ids])).rows : [];
  if (wanted.length > limit) return { ratings, end: page.at(-1)! };
  return { ratings, end: rows.length === MAX_READ ? rows.at(-1)! : null };
}
