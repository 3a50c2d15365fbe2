import type { Pool } from 'pg';
import type { Owner, ChatStatus } from '../chats/model/chat-status.js';
import { MAX_TITLE } from '../chats/moves/chat-titles.queries.js';
import {
  type AttributeFilter,
  chatColumns,
  shapeOfAttributes,
  sqlHasAttributes,
} from '../chats/reading/attributes-sql.js';
import { CHAT_COLUMNS, CHAT_NAMES, type ChatRow } from '../chats/reading/chats.queries.js';
import { READ_COLUMNS, type ReadRow } from '../chats/reading/reads.queries.js';
import { sqlHasTags, TAGS_COLUMN, type TagFilter } from '../chats/reading/tags-sql.js';
import { MAX_PAGE_SIZE } from '../platform/validation/paging.js';
import { JSON_OF_MESSAGE_ROW } from './message-json.queries.js';
import type { MessageView } from './message.js';
import { MAX_ANSWER_BYTES } from './messages.queries.js';

/** A chat with its latest messages, oldest first. */
export interface ChatOverview extends ChatRow {
  /** By name; null without any. */
  tags: string[] | null;
  messages: MessageView[];
}

// seq has no gaps, so the five latest messages are found without sorting. PostgreSQL renders them as the response's JSON: rendering
// them again in this process took as long as the rest of a page.
const LATEST_MESSAGES = `
  SELECT COALESCE('[' || string_agg(${JSON_OF_MESSAGE_ROW}, ',' ORDER BY m.seq) || ']', '[]') AS messages
  FROM messages m
  WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.seq > c.message_count - 5`;

// Each combination of filters has its own statement, so that PostgreSQL can use the filter's index: `$2 IS NULL OR status = $2`
// uses none. The largest page is a literal, because for a parameter the planner expects a tenth of all chats. PostgreSQL counts
// the bytes, so that it sends only what fits into the response.
const listBy = (condition: string, order: string) => `
  SELECT * FROM (
    SELECT ${CHAT_COLUMNS}, ${READ_COLUMNS}, ${TAGS_COLUMN}, latest.messages, count(*) OVER ()::integer AS found, sum(octet_length(latest.messages))
      OVER (ORDER BY c.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (
      SELECT * FROM (
        SELECT * FROM chats WHERE organization_id = $1 AND ${condition} ORDER BY ${order} LIMIT ${MAX_PAGE_SIZE + 1}
      ) largest ORDER BY id DESC LIMIT $2
    ) c ${CHAT_NAMES} CROSS JOIN LATERAL (${LATEST_MESSAGES}) latest
  ) page
  WHERE COALESCE(before, 0) < ${MAX_ANSWER_BYTES}
  ORDER BY id DESC`;

/** The filter of a list of chats. */
export interface ChatFilter {
  status?: ChatStatus;
  owner?: Owner;
  visitorId?: string;
  tags?: TagFilter;
  attributes?: AttributeFilter;
  /** Only chats before this id. */
  before?: string;
  limit: number;
}

// As ranges of ix_chats_status, like a filter by status.
const OWNED_BY: Record<Owner, string> = {
  BOT: `status BETWEEN 'ACTIVE' AND 'ACTIVE' AND agent_id IS NULL`,
  AGENT: `status BETWEEN 'ACTIVE' AND 'ACTIVE' AND agent_id IS NOT NULL`,
  QUEUE: `status BETWEEN 'QUEUED' AND 'QUEUED'`,
  NOBODY: `status IN ('CLOSED', 'ARCHIVED')`,
};

/** A chat of a list. */
export interface ListedChat extends ChatOverview, ReadRow {
  /** How many chats were found, up to the limit. Fewer are returned if they don't fit into a response. */
  found: number;
}

/** Lists chats, newest first, each with its five latest messages: as many as fit into a response, at least one. */
export async function listChatOverviews(pool: Pool, organizationId: string, filter: ChatFilter): Promise<ListedChat[]> {
  const { status, owner, before, visitorId, tags, attributes, limit } = filter;
  const values: unknown[] = [organizationId, limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions: Record<string, string> = {};
  const where = (name: string, condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) conditions[name] = condition(param(value));
  };
  // A range that is part of the order: only ix_chats_status has both. With `=`, if almost all chats have one status, the planner
  // assumes that every status is frequent, and walks the primary key.
  where('status', (parameter) => `status BETWEEN ${parameter} AND ${parameter}`, status);
  if (owner !== undefined) conditions[`owner ${owner}`] = OWNED_BY[owner];
  where('visitor', (parameter) => `visitor_id = ${parameter}`, visitorId);
  if (tags) {
    const name = `tags ${tags.tagIds.length} ${tags.isRare}`;
    conditions[name] = sqlHasTags(tags, 'chats.id', param);
  }
  if (attributes) conditions[shapeOfAttributes(attributes)] = sqlHasAttributes(attributes, chatColumns('chats'), param);
  where('before', (parameter) => `id < ${parameter}`, before);
  const isOfOneStatus = status !== undefined || (owner !== undefined && owner !== 'NOBODY');
  const order = isOfOneStatus && visitorId === undefined ? 'status DESC, id DESC' : 'id DESC';
  const text = listBy(['true', ...Object.values(conditions)].join(' AND '), order);
  // The name makes PostgreSQL plan it once; planning takes as long as finding the page.
  const name = ['list-chats', ...Object.keys(conditions)].join(' ');
  const { rows } = await pool.query<Stored<ListedChat>>({ name, text, values });
  return rows.map(withMessages);
}

const ONE = `
  SELECT ${CHAT_COLUMNS}, ${TAGS_COLUMN}, latest.messages FROM chats c ${CHAT_NAMES} CROSS JOIN LATERAL (${LATEST_MESSAGES}) latest
  WHERE c.organization_id = $1 AND c.id = $2`;

export async function findChatOverview(
  client: Pick<Pool, 'query'>,
  organizationId: string,
  id: string,
): Promise<ChatOverview | null> {
  const values = [organizationId, id];
  const { rows } = await client.query<Stored<ChatOverview>>({ name: 'find-chat', text: ONE, values });
  return rows[0] ? withMessages(rows[0]) : null;
}

type Stored<T> = Omit<T, 'messages'> & { messages: string };

function withMessages<T extends ChatOverview>(row: Stored<T>): T {
  return Object.assign(row, { messages: JSON.parse(row.messages) as MessageView[] }) as unknown as T;
}

/** Only the first messages are searched for a title, which limits the cost of chats where the visitor never writes. */
const MAX_SEQ = 20;

const FIND_TITLES = `
  SELECT c.id, said.title FROM unnest($2::text[]) AS c (id) CROSS JOIN LATERAL (
    SELECT left(m.content, ${MAX_TITLE}) AS title FROM messages m
    WHERE m.organization_id = $1 AND m.chat_id = c.id AND m.seq <= ${MAX_SEQ}
      AND m.sender_type = 'VISITOR' AND m.deleted_at IS NULL AND m.content <> ''
    ORDER BY m.seq LIMIT 1
  ) said`;

/** The visitor's first words in each chat, by the chat's id. A chat without any is missing. */
export async function findTitles(
  pool: Pool,
  organizationId: string,
  chatIds: readonly string[],
): Promise<Map<string, string>> {
  if (chatIds.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; title: string }>(FIND_TITLES, [organizationId, chatIds]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}
