import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { AiDisclosure } from '../../platform/locale/ai-disclosure.js';
import type { Channel } from '../model/channel.js';
import type { ChatStatus } from '../model/chat-status.js';
import { sqlIsOpen, sqlNextOpening } from '../../organizations/office-hours.queries.js';
import { isDistributed } from '../../platform/database/citus/per-organization.js';
import { clientOf } from '../../platform/database/transaction.js';
import { sqlIsStaffed } from '../../agents/presence.queries.js';
import { sqlPace, sqlPosition } from './queue-sql.js';
import { type Rating, RATING_COLUMN } from './ratings.queries.js';
import { READ_COLUMNS, type ReadRow } from './reads.queries.js';
import { sqlExternalId, sqlIsVerified, type StoredAttributes } from '../../visitors/visitors.queries.js';

/** A chat with the names of its visitor, group and agent. */
export interface ChatRow {
  id: string;
  status: ChatStatus;
  channel: Channel;
  /** The title that a bot or an agent gave it. */
  title: string | null;
  metadata: Record<string, unknown> | null;
  attributes: StoredAttributes;
  messageCount: number;
  createdAt: Date;
  lastMessageAt: Date | null;
  firstResponseAt: Date | null;
  visitorId: string;
  visitorName: string | null;
  visitorEmail: string | null;
  /** Whether name and email came with a signed identity. */
  visitorIsVerified: boolean;
  /** The id that the customer's own server signed. */
  visitorExternalId: string | null;
  visitorMetadata: Record<string, unknown> | null;
  visitorAttributes: StoredAttributes;
  visitorVerifiedAttributes: StoredAttributes;
  groupId: string;
  groupName: string;
  /** The only bot that gets the group's chats. */
  groupBotId: string | null;
  agentId: string | null;
  agentName: string | null;
}

/** A chat as its visitor sees it. */
export type ChatStateRow = ChatRow &
  ReadRow & {
    agentAvatarUrl: string | null;
    rating: Rating | null;
    /** The position in the queue; null unless the chat waits. */
    position: number | null;
    /** The median time between two assignments of its group, in seconds; null if unknown. */
    pace: number | null;
    /** Whether it's within the group's office hours, and when it opens. */
    isOpen: boolean;
    /** Whether an agent of its group is online; false unless it waits. */
    isStaffed: boolean;
    nextOpening: Date | null;
  };

/** The columns of a ChatRow, from the tables that CHAT_NAMES joins to `chats c`. */
export const CHAT_COLUMNS = `
  c.id, c.status, c.channel, c.title, c.metadata, c.attributes, c.message_count AS "messageCount", c.created_at AS "createdAt",
  c.last_message_at AS "lastMessageAt", c.first_response_at AS "firstResponseAt",
  v.id AS "visitorId", v.name AS "visitorName", v.email AS "visitorEmail",
  ${sqlIsVerified('v')} AS "visitorIsVerified", ${sqlExternalId('v')} AS "visitorExternalId", v.metadata AS "visitorMetadata",
  v.attributes AS "visitorAttributes", v.verified_attributes AS "visitorVerifiedAttributes",
  g.id AS "groupId", g.name AS "groupName", g.bot_id AS "groupBotId", a.id AS "agentId", a.name AS "agentName"`;

/**
 * Joins one row by its whole key. With a plain join, PostgreSQL reads all groups of the organization for each chat if it expects
 * few chats.
 * @param id its id in the organization `$1`
 */
export const lookUpByKey = (table: string, name: string, id: string) =>
  `LATERAL (SELECT * FROM ${table} WHERE organization_id = $1 AND id = ${id} LIMIT 1) ${name} ON true`;

export const CHAT_NAMES = `
  JOIN ${lookUpByKey('visitors', 'v', 'c.visitor_id')}
  JOIN ${lookUpByKey('groups', 'g', 'c.group_id')}
  LEFT JOIN ${lookUpByKey('agents', 'a', 'c.agent_id')}`;

const STATE = `
  SELECT ${CHAT_COLUMNS}, a.avatar_url AS "agentAvatarUrl", ${READ_COLUMNS}, ${RATING_COLUMN},
    CASE WHEN c.status = 'QUEUED' THEN ${sqlPosition('c')} END AS position,
    CASE WHEN c.status = 'QUEUED' THEN ${sqlPace('$1', 'c.group_id')} END AS pace,
    c.status = 'QUEUED' AND ${sqlIsStaffed('c.group_id', '$1')} AS "isStaffed",
    ${sqlIsOpen('g')} AS "isOpen", ${sqlNextOpening('g')} AS "nextOpening"
  FROM chats c ${CHAT_NAMES}
  WHERE c.organization_id = $1 AND c.id = $2`;
const STATE_OF_VISITOR = `${STATE} AND c.visitor_id = $3`;

/** @param visitorId if given, the chat must be this visitor's */
export async function findChatState(
  manager: EntityManager,
  organizationId: string,
  id: string,
  visitorId?: string,
): Promise<ChatStateRow | null> {
  const rows: ChatStateRow[] =
    visitorId === undefined
      ? await manager.query(STATE, [organizationId, id])
      : await manager.query(STATE_OF_VISITOR, [organizationId, id, visitorId]);
  return rows[0] ?? null;
}

const OF_VISITOR = `
  SELECT c.organization_id AS "organizationId", c.id, c.message_count AS "messageCount", v.id AS "visitorId", v.name AS "visitorName"
  FROM chats c JOIN visitors v ON v.organization_id = c.organization_id AND v.id = c.visitor_id
  WHERE c.organization_id = $1 AND c.visitor_id = $2 AND c.id = $3`;

/** The part of a chat that a visitor's requests need. */
export interface OwnChat {
  organizationId: string;
  id: string;
  messageCount: number;
  visitorId: string;
  visitorName: string | null;
}

/** Null for another visitor's chat. */
export async function findChatOfVisitor(
  pool: Pool,
  organizationId: string,
  visitorId: string,
  id: string,
): Promise<OwnChat | null> {
  const query = { name: 'chat-of-visitor', text: OF_VISITOR, values: [organizationId, visitorId, id] };
  const { rows } = await pool.query<OwnChat>(query);
  return rows[0] ?? null;
}

/** What the visitor of the chat `c` of the organization `$1` read before the first word of an AI, as JSON; null if no AI wrote, or it isn't known. */
export const AI_DISCLOSURE_COLUMN = `
  CASE WHEN c.ai_disclosure IS NOT NULL THEN (
    SELECT json_build_object('text', c.ai_disclosure ->> 'text', 'locale', c.ai_disclosure ->> 'locale', 'seq', m.seq)
    FROM messages m
    WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.sender_type = 'BOT' AND m.sender_is_ai IS NOT FALSE
    ORDER BY m.seq LIMIT 1
  ) END AS "aiDisclosure"`;

/** What a visitor read, and the `seq` of the message that it stands above. */
export type ShownDisclosure = AiDisclosure & { seq: number };

const DISCLOSURE = `SELECT ${AI_DISCLOSURE_COLUMN} FROM chats c WHERE c.organization_id = $1 AND c.id = $2`;

export async function findDisclosure(
  client: Pick<Pool, 'query'>,
  organizationId: string,
  id: string,
): Promise<ShownDisclosure | null> {
  const { rows } = await client.query<{ aiDisclosure: ShownDisclosure | null }>(DISCLOSURE, [organizationId, id]);
  return rows[0]?.aiDisclosure ?? null;
}

// The lock keeps the group from being deleted during the transaction. The chat is ACTIVE if the organization has a bot, otherwise
// QUEUED. Queue times are the database's, which all nodes share.
const findTarget = (group: string) => `
    SELECT g.id, g.max_wait_seconds, g.on_unanswered,
      NOT EXISTS (SELECT 1 FROM bots b WHERE b.organization_id = $1) AS waits,
      date_trunc('milliseconds', clock_timestamp()) AS now
    FROM groups g WHERE g.organization_id = $1 AND ${group}
    FOR KEY SHARE OF g`;
const INTO_CHATS = `
    INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, metadata, created_at,
      channel, ai_disclosure)`;
const INTO_HANDOFFS = `
    INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, by_id, by_name, began_at, queued_at, due_at, on_unanswered)`;
const createIn = (group: string) => `
  WITH target AS MATERIALIZED (${findTarget(group)}
  ), chat AS (${INTO_CHATS}
    SELECT $1, $2, $3, id, CASE WHEN waits THEN 'QUEUED' ELSE 'ACTIVE' END, $4, CASE WHEN waits THEN now END, $5, $4, $10, $11
    FROM target
  ), handoff AS (${INTO_HANDOFFS}
    SELECT $1, $6, $2, id, $7, $8, $9, now, now,
      now + make_interval(secs => NULLIF(max_wait_seconds, 0)), on_unanswered
    FROM target WHERE waits
  )
  SELECT waits FROM target`;
const CREATE_IN_DEFAULT = createIn('g.is_default');
const CREATE_IN_GROUP = createIn('g.id = $12');

// A Citus cluster sends what an INSERT reads from WITH to all workers, so it fails while one of them is down.
const FIND_DEFAULT = findTarget('g.is_default');
const FIND_GROUP = findTarget('g.id = $2');
const INSERT_CHAT = `${INTO_CHATS} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, $9, $10)`;
const INSERT_HANDOFF = `${INTO_HANDOFFS}
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8::timestamptz + make_interval(secs => NULLIF($9::integer, 0)), $10)`;

interface Target {
  id: string;
  max_wait_seconds: number;
  on_unanswered: string;
  waits: boolean;
  now: Date;
}

export interface NewChat {
  organizationId: string;
  id: string;
  visitorId: string;
  /** Null: the default group. */
  groupId: string | null;
  channel: Channel;
  metadata: Record<string, unknown> | null;
  /** What the visitor reads before the first word of an AI; null: not known. */
  aiDisclosure: AiDisclosure | null;
  createdAt: Date;
}

/**
 * Inserts a chat, and its hand-off if it waits for an agent. Returns whether it waits; null for an unknown group.
 * @param by who creates the chat
 */
export async function insertChat(
  manager: EntityManager,
  chat: NewChat,
  handoffId: string,
  by: { type: string; id: string | null; name: string | null },
): Promise<boolean | null> {
  if (isDistributed(await clientOf(manager))) return insertOnCluster(manager, chat, handoffId, by);
  const { organizationId, id, visitorId, groupId, channel, metadata, aiDisclosure, createdAt } = chat;
  const handoff = [handoffId, by.type, by.id, by.name];
  const what = [
    metadata && JSON.stringify(metadata),
    ...handoff,
    channel,
    aiDisclosure && JSON.stringify(aiDisclosure),
  ];
  const values = [organizationId, id, visitorId, createdAt, ...what];
  const rows: { waits: boolean }[] =
    groupId === null
      ? await manager.query(CREATE_IN_DEFAULT, values)
      : await manager.query(CREATE_IN_GROUP, [...values, groupId]);
  return rows[0]?.waits ?? null;
}

async function insertOnCluster(
  manager: EntityManager,
  { organizationId, id, visitorId, groupId, channel, metadata, aiDisclosure, createdAt }: NewChat,
  handoffId: string,
  by: { type: string; id: string | null; name: string | null },
): Promise<boolean | null> {
  const [target]: Target[] =
    groupId === null
      ? await manager.query(FIND_DEFAULT, [organizationId])
      : await manager.query(FIND_GROUP, [organizationId, groupId]);
  if (!target) return null;
  const { id: group, waits, now } = target;
  const times = [waits ? 'QUEUED' : 'ACTIVE', createdAt, waits ? now : null];
  const what = [metadata && JSON.stringify(metadata), channel, aiDisclosure && JSON.stringify(aiDisclosure)];
  await manager.query(INSERT_CHAT, [organizationId, id, visitorId, group, ...times, ...what]);
  const due = [now, target.max_wait_seconds, target.on_unanswered];
  if (waits)
    await manager.query(INSERT_HANDOFF, [organizationId, handoffId, id, group, by.type, by.id, by.name, ...due]);
  return waits;
}
