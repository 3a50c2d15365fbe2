import type pg from 'pg';
import { sqlActivitySlot } from '../../chats/model/chat-activity.js';
import { refused } from './read-lines.js';

const AGENTS = 'SELECT id, email_key AS "emailKey" FROM agents WHERE organization_id = $1';
const ORGANIZATION = `
  SELECT name, retention_days AS "retentionDays" FROM organizations WHERE id = $1 AND deleted_at IS NULL`;
const GROUP =
  'SELECT id FROM groups WHERE organization_id = $1 AND CASE WHEN $2::text IS NULL THEN is_default ELSE id = $2 END';

export interface Organization {
  name: string;
  retentionDays: number | null;
}

export async function findOrganization(client: pg.Client, id: string): Promise<Organization | undefined> {
  return (await client.query<Organization>(ORGANIZATION, [id])).rows[0];
}

/** The ids of organizations that aren't deleted, two at most. */
export async function findOrganizations(client: pg.Client): Promise<string[]> {
  const text = 'SELECT id FROM organizations WHERE deleted_at IS NULL ORDER BY id LIMIT 2';
  return (await client.query<{ id: string }>(text)).rows.map(({ id }) => id);
}

/** @param groupId default: the default group */
export async function findGroup(
  client: pg.Client,
  organizationId: string,
  groupId?: string,
): Promise<string | undefined> {
  return (await client.query<{ id: string }>(GROUP, [organizationId, groupId ?? null])).rows[0]?.id;
}

/** The agents' ids by the key of their address. */
export async function findAgents(client: pg.Client, organizationId: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; emailKey: string }>(AGENTS, [organizationId]);
  return new Map(rows.map(({ id, emailKey }) => [emailKey, id]));
}

/** A visitor to create, unless there's one with this id or external id. */
export interface NewVisitor {
  organizationId: string;
  id: string;
  name: string | undefined;
  email: string | undefined;
  metadata: object;
  externalId: string | undefined;
  createdAt: Date;
}

const FIND_VISITOR = `
  SELECT id, name, email, external_id AS "externalId", erasing_since IS NOT NULL AS "isErasing" FROM visitors
  WHERE organization_id = $1 AND (id = $2 OR external_id = $3) ORDER BY id = $2 DESC LIMIT 1`;
const INSERT_VISITOR = `
  INSERT INTO visitors (organization_id, id, name, email, metadata, external_id, is_kept, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, true, $7) ON CONFLICT DO NOTHING`;

interface FoundVisitor {
  id: string;
  name: string | null;
  email: string | null;
  externalId: string | null;
  isErasing: boolean;
}

/** Finds or creates a visitor. Returns its id; undefined for one that's being erased. @throws CliError for the id of someone else */
export async function takeVisitor(client: pg.Client, visitor: NewVisitor): Promise<string | undefined> {
  const { organizationId, id, name, email, metadata, externalId, createdAt } = visitor;
  const find = async () =>
    (await client.query<FoundVisitor>(FIND_VISITOR, [organizationId, id, externalId ?? null])).rows[0];
  let found = await find();
  if (!found) {
    const values = [
      organizationId,
      id,
      name ?? null,
      email ?? null,
      JSON.stringify(metadata),
      externalId ?? null,
      createdAt,
    ];
    await client.query(INSERT_VISITOR, values);
    found = await find();
  }
  if (found?.isErasing !== false) return undefined;
  if (found.id === id) requireSamePerson(found, visitor);
  return found.id;
}

// Ids are computed from the other system's, and two installations of it have the same numbers. An address may change, or a name.
function requireSamePerson(found: FoundVisitor, { name, email, externalId }: NewVisitor): void {
  const differ = (one: string | null, other: string | undefined) =>
    one !== null && other !== undefined && one !== other;
  const isOther = differ(found.externalId, externalId) || (differ(found.email, email) && differ(found.name, name));
  if (!isOther) return;
  const [here, there] = [found.externalId ?? found.email, externalId ?? email];
  throw refused(
    `visitor ${found.id} is ${here} here, and ${there} in what's imported: import another installation into an organization of its own`,
  );
}

export interface NewChat {
  organizationId: string;
  id: string;
  visitorId: string;
  groupId: string;
  metadata: object;
  createdAt: Date;
}

// The next statement sets its counts and its end by its messages.
const INSERT_CHAT = `
  INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, metadata, created_at)
  VALUES ($1, $2, $3, $4, 'CLOSED', $5, $6, $5) ON CONFLICT DO NOTHING`;
const LOCK_CHAT = `
  SELECT message_count AS "messageCount", erased_at IS NOT NULL AS "isErased" FROM chats
  WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`;
const STORED = 'SELECT id FROM messages WHERE organization_id = $1 AND chat_id = $2';

/** The ids of the messages that a chat has; undefined if it's erased. */
export async function takeChat(
  client: pg.Client,
  chat: NewChat,
): Promise<{ isNew: boolean; stored: Set<string>; lastSeq: number } | undefined> {
  const { organizationId, id, visitorId, groupId, metadata, createdAt } = chat;
  const made = await client.query(INSERT_CHAT, [
    organizationId,
    id,
    visitorId,
    groupId,
    createdAt,
    JSON.stringify(metadata),
  ]);
  if (made.rowCount === 1) return { isNew: true, stored: new Set(), lastSeq: 0 };
  const { rows } = await client.query<{ messageCount: number; isErased: boolean }>(LOCK_CHAT, [organizationId, id]);
  if (rows[0]?.isErased !== false) return undefined;
  const stored = await client.query<{ id: string }>(STORED, [organizationId, id]);
  return { isNew: false, stored: new Set(stored.rows.map((row) => row.id)), lastSeq: rows[0].messageCount };
}

export interface NewMessage {
  id: string;
  seq: number;
  content: string;
  type: 'VISITOR' | 'AGENT' | 'BOT';
  senderId: string;
  senderName: string | undefined;
  at: Date;
}

const INSERT_MESSAGES = `
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, sender_name, created_at)
  SELECT $1, $2, n.seq, n.id, 'TEXT', n.content, n.type, n.sender_id, n.sender_name, n.at
  FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
    AS n (seq, id, content, type, sender_id, sender_name, at)`;

// What the service itself keeps about a chat's messages, by what's stored now.
const COUNT_MESSAGES = `
  UPDATE chats c SET
    message_count = m.last_seq, last_message_at = m.last_at, activity_slot = ${sqlActivitySlot('m.last_at')}, status_changed_at = m.last_at,
    last_visitor_seq = m.visitor_seq, first_response_at = m.first_response_at, agent_wrote_at = m.agent_wrote_at,
    last_agent_id = m.last_agent_id, rev = c.rev + $4
  FROM (
    SELECT max(seq) AS last_seq, max(created_at) AS last_at,
      coalesce(max(seq) FILTER (WHERE sender_type = 'VISITOR'), 0) AS visitor_seq,
      min(created_at) FILTER (WHERE sender_type IN ('AGENT', 'BOT')) AS first_response_at,
      max(created_at) FILTER (WHERE sender_type = 'AGENT') AS agent_wrote_at,
      (array_agg(sender_id ORDER BY seq DESC) FILTER (WHERE sender_type = 'AGENT' AND sender_id = ANY ($3)))[1] AS last_agent_id
    FROM messages WHERE organization_id = $1 AND chat_id = $2
  ) AS m
  WHERE c.organization_id = $1 AND c.id = $2 AND m.last_seq IS NOT NULL`;

// Visitors have read what happened before the import, so that they get no e-mail about it.
const READ_MESSAGES = `
  INSERT INTO chat_reads AS r (organization_id, chat_id, side, seq, updated_at)
  SELECT c.organization_id, c.id, 'visitor', c.message_count, c.last_message_at FROM chats c
  WHERE c.organization_id = $1 AND c.id = $2 AND c.message_count > 0
  ON CONFLICT (organization_id, chat_id, side) DO UPDATE SET seq = excluded.seq WHERE r.seq < excluded.seq`;

/** @param agents the ids of the organization's agents */
export async function insertMessages(
  client: pg.Client,
  { organizationId, id }: NewChat,
  messages: readonly NewMessage[],
  agents: readonly string[],
  isNew: boolean,
): Promise<void> {
  const columns = [
    messages.map(({ seq }) => seq),
    messages.map((one) => one.id),
    messages.map(({ content }) => content),
    messages.map(({ type }) => type),
    messages.map(({ senderId }) => senderId),
    messages.map(({ senderName }) => senderName ?? null),
    messages.map(({ at }) => at),
  ];
  await client.query(INSERT_MESSAGES, [organizationId, id, ...columns]);
  await client.query(COUNT_MESSAGES, [organizationId, id, agents, isNew ? 0 : 1]);
  await client.query(READ_MESSAGES, [organizationId, id]);
}

export interface NewNote {
  id: string;
  content: string;
  authorId: string;
  authorName: string;
  afterSeq: number;
  at: Date;
}

const INSERT_NOTES = `
  INSERT INTO notes (organization_id, chat_id, id, content, author_id, author_name, after_seq, created_at)
  SELECT $1, $2, n.id, n.content, n.author_id, n.author_name, n.after_seq, n.at
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[])
    AS n (id, content, author_id, author_name, after_seq, at)
  ON CONFLICT DO NOTHING`;

// The index reads a chat whose row was changed.
const COUNT_CHANGE = 'UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = $2';

/**
 * Returns how many are new.
 * @param hasChanged whether the chat was changed already, with its messages
 */
export async function insertNotes(
  client: pg.Client,
  { organizationId, id }: NewChat,
  notes: readonly NewNote[],
  hasChanged: boolean,
): Promise<number> {
  const columns = [
    notes.map((one) => one.id),
    notes.map(({ content }) => content),
    notes.map(({ authorId }) => authorId),
    notes.map(({ authorName }) => authorName),
    notes.map(({ afterSeq }) => afterSeq),
    notes.map(({ at }) => at),
  ];
  const count = (await client.query(INSERT_NOTES, [organizationId, id, ...columns])).rowCount ?? 0;
  if (count > 0 && !hasChanged) await client.query(COUNT_CHANGE, [organizationId, id]);
  return count;
}
