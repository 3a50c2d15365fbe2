import type { Pool } from 'pg';
import type { Position } from '../platform/lib/cursor.js';
import { rowsOf, type StoredRow } from './rows.queries.js';
import { groupsSeenBy, seesAllGroups, type Viewer } from '../chats/model/chat-rights.js';

/** The lists of chats that agents see (CONTRACT section 10). */
export const VIEWS = ['MINE', 'WAITING', 'BOT', 'OPEN', 'CLOSED'] as const;
export type View = (typeof VIEWS)[number];

/** The most rows of a page. */
export const MAX_ROWS = 100;

/** A page of a view. */
export interface ViewFilter {
  view: View;
  /** Only chats of this group, which the viewer sees. */
  groupId?: string;
  /** Only rows after this position. */
  after?: Position;
  limit: number;
}

interface Shape {
  /** The view's chats, in the words of the partial index that has them in the view's order. */
  which: string;
  /** They are sorted by this time, then by id. */
  at: string;
  direction: 'ASC' | 'DESC';
}

const SHAPES: Record<View, Shape> = {
  MINE: { which: 'erased_at IS NULL', at: 'COALESCE(last_message_at, created_at)', direction: 'DESC' },
  WAITING: { which: `status = 'QUEUED' AND erased_at IS NULL`, at: 'queued_at', direction: 'ASC' },
  BOT: { which: `status = 'ACTIVE' AND agent_id IS NULL AND erased_at IS NULL`, at: 'created_at', direction: 'DESC' },
  OPEN: { which: `status IN ('ACTIVE', 'QUEUED') AND erased_at IS NULL`, at: 'created_at', direction: 'DESC' },
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
    WAITING: row.queuedAt,
    BOT: row.createdAt,
    OPEN: row.createdAt,
    CLOSED: row.closedAt,
  };
  const at = times[view];
  return at && { at, id: row.id };
}

/** The rows of a view, in its order. The statement's text depends on the filter, so that each variant uses its index. */
export async function findView(pool: Pool, viewer: Viewer, filter: ViewFilter): Promise<StoredRow[]> {
  const { view, groupId, after, limit } = filter;
  const values: unknown[] = [viewer.organizationId, limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const { at, direction } = SHAPES[view];
  const sides = after && `(${param(after.at)}::timestamptz, ${param(after.id)})`;
  const keyset = sides === undefined ? '' : `AND (${at}, id) ${direction === 'ASC' ? '>' : '<'} ${sides}`;
  const branches =
    view === 'MINE'
      ? [branchOfAgent(keyset, groupId, viewer, param)]
      : branchesOfGroups(view, keyset, groupId, viewer, param);
  const order = `at ${direction}, id ${direction}`;
  const text = rowsOf(`
    SELECT id, row_number() OVER (ORDER BY ${order}) AS place FROM (
      ${branches.join(' UNION ALL ')}
    ) k ORDER BY ${order} LIMIT $2`);
  // The name makes PostgreSQL plan it once.
  const name = `inbox ${view} ${seesAllGroups(viewer.role)} ${groupId !== undefined} ${after !== undefined}`;
  const { rows } = await pool.query<StoredRow>({ name, text, values });
  return rows;
}

type Param = (value: unknown) => string;

// Every branch returns at most a page. The limit is a literal, because for a parameter the planner expects a tenth of all chats.
const pageOf = ({ which, at, direction }: Shape, whose: string, keyset: string) => `
  SELECT id, ${at} AS at FROM chats WHERE organization_id = $1 AND ${whose} AND ${which} ${keyset}
  ORDER BY ${at} ${direction}, id ${direction} LIMIT ${MAX_ROWS + 1}`;

function branchOfAgent(keyset: string, groupId: string | undefined, { agentId }: Viewer, param: Param): string {
  const ofGroup = groupId === undefined ? '' : ` AND group_id = ${param(groupId)}`;
  return `(${pageOf(SHAPES.MINE, `agent_id = ${param(agentId)}${ofGroup}`, keyset)})`;
}

function branchesOfGroups(
  view: View,
  keyset: string,
  groupId: string | undefined,
  viewer: Viewer,
  param: Param,
): string[] {
  const shape = SHAPES[view];
  if (groupId !== undefined) return [`(${pageOf(shape, `group_id = ${param(groupId)}`, keyset)})`];
  // The ended chats of all groups together have their own index.
  if (view === 'CLOSED' && seesAllGroups(viewer.role)) return [`(${pageOf(shape, 'true', keyset)})`];
  const agentId = seesAllGroups(viewer.role) ? '' : param(viewer.agentId);
  const groups = groupsSeenBy(viewer.role, agentId);
  const ofGroups = `SELECT p.id, p.at FROM (${groups}) g CROSS JOIN LATERAL (${pageOf(shape, 'group_id = g.id', keyset)}) p`;
  // An agent may have a chat of a group without being in it. Only open chats have an agent.
  const isElsewhere = view === 'OPEN' && agentId !== '';
  const own = `agent_id = ${agentId} AND group_id NOT IN (${groups})`;
  return isElsewhere ? [ofGroups, `(${pageOf(shape, own, keyset)})`] : [ofGroups];
}
