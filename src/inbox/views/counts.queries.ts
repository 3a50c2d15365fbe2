import type { Pool } from 'pg';
import { READ_BY_AGENTS } from '../../chats/reading/reads.queries.js';
import { groupsSeenBy, seesAllGroups, type Viewer } from '../../chats/model/chat-rights.js';

/** Counting stops here. */
const MAX_COUNT = 999;

/** The sizes of an agent's views, up to 999 each. */
export interface Counts {
  mine: number;
  /** The agent's chats with a visitor's message after the agents' read mark. */
  mineUnread: number;
  /** The agent's snoozed chats. */
  snoozed: number;
  /** Includes chats that are offered to an agent. */
  waiting: number;
  bot: number;
  /** Notes that mention the agent and that the agent hasn't seen. */
  mentions: number;
}

const OWN = 'SELECT FROM chats c WHERE c.organization_id = $1 AND c.agent_id = $2 AND c.erased_at IS NULL';
const MINE = `${OWN} AND c.snoozed_by IS NULL`;

const mentions = (groups: string) => `
  SELECT FROM note_mentions m JOIN chats c ON c.organization_id = $1 AND c.id = m.chat_id
  WHERE m.organization_id = $1 AND m.agent_id = $2 AND m.seen_at IS NULL AND c.erased_at IS NULL
    AND (c.agent_id = $2 OR c.group_id IN (${groups}))`;

const upTo = (rows: string) => `(SELECT count(*)::integer FROM (${rows} LIMIT ${MAX_COUNT}) counted)`;

/** SQL: how many chats of the groups `groups` are of a kind, up to MAX_COUNT. Each group is counted in its partial index. */
const countOf = (groups: string, kind: string) =>
  upTo(`SELECT FROM (${groups}) g CROSS JOIN LATERAL (
    SELECT FROM chats WHERE organization_id = $1 AND group_id = g.id AND ${kind} LIMIT ${MAX_COUNT}
  ) c`);

// Must match the conditions of the partial indexes.
const WAITING = `status = 'QUEUED' AND erased_at IS NULL`;
const WITH_BOT = `status = 'ACTIVE' AND agent_id IS NULL AND erased_at IS NULL`;

const counts = (groups: string) => `
  SELECT ${upTo(MINE)} AS mine,
    ${upTo(`${MINE} AND c.last_visitor_seq > ${READ_BY_AGENTS}`)} AS "mineUnread",
    ${upTo(`${OWN} AND c.snoozed_by IS NOT NULL`)} AS snoozed,
    ${countOf(groups, WAITING)} AS waiting, ${countOf(groups, WITH_BOT)} AS bot, ${upTo(mentions(groups))} AS mentions`;

export async function countChats(pool: Pool, { organizationId, agentId, role }: Viewer): Promise<Counts> {
  const name = `inbox-counts ${seesAllGroups(role)}`;
  const text = counts(groupsSeenBy(role, '$2'));
  const { rows } = await pool.query<Counts>({ name, text, values: [organizationId, agentId] });
  return rows[0]!;
}
