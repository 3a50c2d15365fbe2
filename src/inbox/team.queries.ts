import type { Pool } from 'pg';
import type { Colleague } from '../agents/colleagues.queries.js';
import { sqlPauseReason, sqlPresence, sqlPresenceSince } from '../agents/presence.queries.js';
import { lookUpByKey } from '../chats/reading/chats.queries.js';

interface NamedVisitor {
  id: string;
  name: string | null;
  email: string | null;
}

/** A chat that waits for a person's answer. */
export interface UnansweredChat {
  chatId: string;
  visitor: NamedVisitor;
  /** The time of the visitor's first message without an answer. */
  waitingSince: Date;
  /** From then on, the organization counts it as late. */
  lateAt: Date;
}

/** An agent as supervisors see them. */
export interface TeamMember extends Colleague {
  /** Since when they have this presence; null if that isn't known. */
  presenceSince: Date | null;
  /** The most chats that routing gives them. */
  capacity: number;
  /** Of the chats that they have, snoozed ones too, the one whose visitor has waited longest for an answer. */
  oldestUnanswered: UnansweredChat | null;
}

type StoredMember = Omit<TeamMember, 'oldestUnanswered'> & {
  chatId: string | null;
  visitor: NamedVisitor;
  waitingSince: Date;
  lateAfterSeconds: number;
};

const VISITOR = `json_build_object('id', v.id, 'name', v.name, 'email', v.email) AS visitor`;

const MEMBERS = `
  SELECT a.id, a.name, a.avatar_url AS "avatarUrl", a.role, a.open_chats AS "openChats", a.capacity,
    ${sqlPresence('a', '$1')} AS presence, ${sqlPauseReason('a')} AS "pauseReason", ${sqlPresenceSince('a', '$1')} AS "presenceSince",
    ARRAY(SELECT m.group_id FROM agent_groups m
          WHERE m.organization_id = $1 AND m.agent_id = a.id ORDER BY m.group_id) AS "groupIds",
    c.id AS "chatId", ${VISITOR}, c.waiting_since AS "waitingSince",
    (SELECT late_after_seconds FROM organizations WHERE id = $1) AS "lateAfterSeconds"
  FROM (SELECT * FROM agents WHERE organization_id = $1 AND id > $2 AND is_enabled ORDER BY id LIMIT $3) a
  LEFT JOIN LATERAL (
    SELECT id, visitor_id, waiting_since FROM chats
    WHERE organization_id = $1 AND agent_id = a.id AND waiting_since IS NOT NULL AND erased_at IS NULL
    ORDER BY waiting_since, id LIMIT 1
  ) c ON true
  LEFT JOIN ${lookUpByKey('visitors', 'v', 'c.visitor_id')}
  ORDER BY a.id`;

/** The enabled agents of an organization after an id, with their load. */
export async function listTeam(
  pool: Pool,
  organizationId: string,
  { after = '', limit }: { after?: string; limit: number },
): Promise<TeamMember[]> {
  const values = [organizationId, after, limit];
  const { rows } = await pool.query<StoredMember>({ name: 'team', text: MEMBERS, values });
  return rows.map(({ chatId, visitor, waitingSince, lateAfterSeconds, ...member }) => ({
    ...member,
    oldestUnanswered:
      chatId === null
        ? null
        : { chatId, visitor, waitingSince, lateAt: new Date(waitingSince.getTime() + lateAfterSeconds * 1_000) },
  }));
}

/** The first chat of a group's queue. */
export interface LongestWaiting {
  chatId: string;
  visitor: NamedVisitor;
  queuedAt: Date;
}

const LONGEST = `
  SELECT g.id AS "groupId", c.id AS "chatId", ${VISITOR}, c.queued_at AS "queuedAt"
  FROM groups g
  CROSS JOIN LATERAL (
    SELECT id, visitor_id, queued_at FROM chats
    WHERE organization_id = $1 AND group_id = g.id AND status = 'QUEUED' AND erased_at IS NULL
    ORDER BY queued_at, id LIMIT 1
  ) c
  JOIN ${lookUpByKey('visitors', 'v', 'c.visitor_id')}
  WHERE g.organization_id = $1`;

/** The chat that has waited longest in each group, by the group's id. Groups without one are left out. */
export async function findLongestWaiting(pool: Pool, organizationId: string): Promise<Map<string, LongestWaiting>> {
  const { rows } = await pool.query<LongestWaiting & { groupId: string }>({
    name: 'team-longest-waiting',
    text: LONGEST,
    values: [organizationId],
  });
  return new Map(rows.map(({ groupId, ...chat }) => [groupId, chat]));
}
