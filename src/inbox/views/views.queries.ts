import type { Pool } from 'pg';
import type { Position } from '../../platform/lib/cursor.js';
import { SLOT_OF_CHAT, sqlActiveAt, sqlActivitySlot } from '../../chats/model/chat-activity.js';
import {
  type AttributeFilter,
  chatColumns,
  shapeOfAttributes,
  sqlHasAttributes,
} from '../../chats/reading/attributes-sql.js';
import { sqlHasTags, type TagFilter } from '../../chats/reading/tags-sql.js';
import { rowsOf, type StoredRow } from './rows.queries.js';
import { groupsSeenBy, seesAllGroups, type Viewer } from '../../chats/model/chat-rights.js';

/** The lists of chats that agents see (CONTRACT: Agent API). */
export const VIEWS = ['MINE', 'SNOOZED', 'WAITING', 'BOT', 'OPEN', 'CLOSED'] as const;
export type View = (typeof VIEWS)[number];

/** The most rows of a page. */
export const MAX_ROWS = 100;

/** The views that can be filtered by an agent. */
export const VIEWS_BY_AGENT: readonly View[] = ['SNOOZED', 'OPEN', 'CLOSED'];

/** A page of a view. */
export interface ViewFilter {
  view: View;
  /** Only chats of this group, which the viewer sees. */
  groupId?: string;
  /** Only chats of this agent; in CLOSED, chats that the agent had last. */
  agentId?: string;
  /** Only chats with a visitor's message without an answer; in MINE, or with `agentId`. */
  isUnanswered?: boolean;
  tags?: TagFilter;
  attributes?: AttributeFilter;
  /** Only rows after this position. */
  after?: Position;
  limit: number;
}

/** Where SNOOZED lists chats that wake when the visitor writes: after those with a time. */
const UNTIL_VISITOR = new Date('9999-01-01T00:00:00.000Z');

interface Shape {
  /** The view's chats, in the words of the partial index that has them in the view's order. */
  which: string;
  /** They are sorted by this time, then by id. */
  at: string;
  /** What comes before the time in the index: it has the same order, and is less exact. */
  slot?: { of: string; at: (time: string) => string };
  direction: 'ASC' | 'DESC';
}

const BY_ACTIVITY = {
  at: sqlActiveAt(),
  slot: { of: SLOT_OF_CHAT, at: sqlActivitySlot },
  direction: 'DESC',
} as const;

const SHAPES: Record<View, Shape> = {
  MINE: {
    which: 'erased_at IS NULL AND snoozed_by IS NULL',
    at: 'COALESCE(last_message_at, created_at)',
    direction: 'DESC',
  },
  SNOOZED: {
    which: 'erased_at IS NULL AND snoozed_by IS NOT NULL',
    at: `COALESCE(snoozed_until, '${UNTIL_VISITOR.toISOString()}')`,
    direction: 'ASC',
  },
  WAITING: { which: `status = 'QUEUED' AND erased_at IS NULL`, at: 'queued_at', direction: 'ASC' },
  BOT: { which: `status = 'ACTIVE' AND agent_id IS NULL AND erased_at IS NULL`, ...BY_ACTIVITY },
  OPEN: { which: `status IN ('ACTIVE', 'QUEUED') AND erased_at IS NULL`, ...BY_ACTIVITY },
  CLOSED: {
    which: `status IN ('CLOSED', 'ARCHIVED') AND erased_at IS NULL`,
    at: 'status_changed_at',
    direction: 'DESC',
  },
};

/** A row's position in a view; null for a chat that a node of the previous release queued, until it gets its time. */
export function positionIn(view: View, row: StoredRow): Position | null {
  const times: Record<View, Date | null> = {
    MINE: row.lastMessageAt ?? row.createdAt,
    SNOOZED: row.snoozedUntil ?? UNTIL_VISITOR,
    WAITING: row.queuedAt,
    BOT: row.activeAt,
    OPEN: row.activeAt,
    CLOSED: row.closedAt,
  };
  const at = times[view];
  return at && { at, id: row.id };
}

/** The rows of a view, in its order. The statement's text depends on the filter, so that each variant uses its index. */
export async function findView(pool: Pool, viewer: Viewer, filter: ViewFilter): Promise<StoredRow[]> {
  const { view, groupId, agentId, isUnanswered = false, tags, attributes, after, limit } = filter;
  const values: unknown[] = [viewer.organizationId, limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const { direction } = SHAPES[view];
  const keyset = after === undefined ? '' : keysetOf(SHAPES[view], param(after.at), param(after.id));
  const tagged = tags === undefined ? '' : `AND ${sqlHasTags(tags, 'chats.id', param)}`;
  const known = attributes === undefined ? '' : `AND ${sqlHasAttributes(attributes, chatColumns('chats'), param)}`;
  const branches = branchesOf(filter, `${keyset} ${tagged} ${known}`, viewer, param);
  const order = `at ${direction}, id ${direction}`;
  const text = rowsOf(`
    SELECT id, row_number() OVER (ORDER BY ${order}) AS ordinal FROM (
      ${branches.join(' UNION ALL ')}
    ) k ORDER BY ${order} LIMIT $2`);
  // The name makes PostgreSQL plan it once.
  const variant = [seesAllGroups(viewer.role), groupId !== undefined, agentId !== undefined, isUnanswered];
  const ofTags = tags === undefined ? '' : ` tags ${tags.tagIds.length} ${tags.isRare}`;
  const name = `inbox ${view} ${variant.join(' ')} ${after !== undefined}${ofTags}${shapeOfAttributes(attributes)}`;
  const { rows } = await pool.query<StoredRow>({ name, text, values });
  return rows;
}

type Param = (value: unknown) => string;

function keysetOf({ at, slot, direction }: Shape, time: string, id: string): string {
  const sign = direction === 'ASC' ? '>' : '<';
  const [columns, values] = [`${at}, id`, `${time}::timestamptz, ${id}`];
  if (!slot) return `AND (${columns}) ${sign} (${values})`;
  return `AND (${slot.of}, ${columns}) ${sign} (${slot.at(`${time}::timestamptz`)}, ${values})`;
}

// Every branch returns at most a page. `rest` has the conditions of the position and the tags. The limit is a literal, because for a parameter the planner expects a tenth of all chats.
const pageOf = ({ which, at, slot, direction }: Shape, whose: string, rest: string) => `
  SELECT id, ${at} AS at FROM chats WHERE organization_id = $1 AND ${whose} AND ${which} ${rest}
  ORDER BY ${slot ? `${slot.of} ${direction}, ` : ''}${at} ${direction}, id ${direction} LIMIT ${MAX_ROWS + 1}`;

function branchesOf(filter: ViewFilter, rest: string, viewer: Viewer, param: Param): string[] {
  const { view, groupId, agentId, isUnanswered } = filter;
  const isOwn = view === 'MINE' || view === 'SNOOZED';
  if (!isOwn && agentId === undefined) return branchesOfGroups(view, rest, groupId, viewer, param);
  const conditions = [`${view === 'CLOSED' ? 'last_agent_id' : 'agent_id'} = ${param(agentId ?? viewer.agentId)}`];
  if (groupId !== undefined) conditions.push(`group_id = ${param(groupId)}`);
  else if (agentId !== undefined && !seesAllGroups(viewer.role)) {
    const own = param(viewer.agentId);
    conditions.push(`(agent_id = ${own} OR group_id IN (${groupsSeenBy(viewer.role, own)}))`);
  }
  if (isUnanswered) conditions.push('waiting_since IS NOT NULL');
  return [`(${pageOf(SHAPES[view], conditions.join(' AND '), rest)})`];
}

function branchesOfGroups(
  view: View,
  rest: string,
  groupId: string | undefined,
  viewer: Viewer,
  param: Param,
): string[] {
  const shape = SHAPES[view];
  if (groupId !== undefined) return [`(${pageOf(shape, `group_id = ${param(groupId)}`, rest)})`];
  // The ended chats of all groups together have their own index.
  if (view === 'CLOSED' && seesAllGroups(viewer.role)) return [`(${pageOf(shape, 'true', rest)})`];
  const agentId = seesAllGroups(viewer.role) ? '' : param(viewer.agentId);
  const groups = groupsSeenBy(viewer.role, agentId);
  const ofGroups = `SELECT p.id, p.at FROM (${groups}) g CROSS JOIN LATERAL (${pageOf(shape, 'group_id = g.id', rest)}) p`;
  // An agent may have a chat of a group without being in it. Only open chats have an agent.
  const isElsewhere = view === 'OPEN' && agentId !== '';
  const own = `agent_id = ${agentId} AND group_id NOT IN (${groups})`;
  return isElsewhere ? [ofGroups, `(${pageOf(shape, own, rest)})`] : [ofGroups];
}
