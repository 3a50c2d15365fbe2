import type { Pool, PoolClient } from 'pg';
import {
  idSuffix,
  INTO_DELIVERIES,
  jsonChat,
  jsonEvent,
  jsonObject,
  jsonText,
  jsonTime,
  LANES,
  wants,
} from '../chats/outbox.queries.js';
import type { Idempotency } from './idempotency.js';
import { INTO_KEYS, unlessTaken } from './idempotency.queries.js';
import type { MessageType, Sender } from './message.js';

/** A message on its way into a chat. */
export interface NewMessage {
  organizationId: string;
  chatId: string;
  id: string;
  type: MessageType;
  content: string;
  metadata: Record<string, unknown> | null;
  sender: Sender;
  createdAt: Date;
  /** The client's own name for it: the same of one sender is never stored twice. */
  clientMessageId: string | null;
}

/** An idempotency key to claim together with the message, and the answer it will stand for. */
export interface KeyClaim extends Idempotency {
  response: object;
  /** A key made before this is free again. */
  expiredBefore: Date;
}

export interface Appended {
  seq: number;
  /** Whether the message woke a closed or archived chat. */
  hasReopened: boolean;
  /** The lanes of webhooks it waits in; null when no webhook wants it. */
  lanes: string | null;
}

// The message everywhere, as toMessageResponse makes it; what is in quotes here needs no escaping.
const jsonMessage = (m: Record<string, string>) =>
  jsonObject({
    id: `'"' || ${m.id} || '"'`,
    chatId: `'"' || ${m.chatId} || '"'`,
    seq: m.seq!,
    type: `'"' || ${m.type} || '"'`,
    content: jsonText(m.content!),
    metadata: `COALESCE(${m.metadata}, '{}')`,
    sender: jsonObject({
      type: `'"' || ${m.senderType} || '"'`,
      id: jsonText(m.senderId!),
      name: jsonText(m.senderName!),
    }),
    createdAt: jsonTime(m.createdAt!),
  });

const wantsMessageOf = (senderType: string) => `(w.sender_types IS NULL OR ${senderType} = ANY (w.sender_types))`;

const EVENT = jsonEvent(
  idSuffix('$3'),
  `'message.created'`,
  '$10::timestamptz',
  '$1',
  jsonObject({
    message: jsonMessage({
      id: '$3',
      chatId: '$2',
      seq: 'c.message_count',
      type: '$4',
      content: '$5::text',
      metadata: '$6::text',
      senderType: '$7',
      senderId: '$8::text',
      senderName: '$9::text',
      createdAt: '$10::timestamptz',
    }),
    chat: jsonChat(),
  }),
);

// Everything that a message changes, in one statement: one round trip, one commit, all or nothing. The chat's row stays
// locked until the commit, so commit order is seq order and seq has no gap. The key is claimed before the chat is
// touched: whoever races for it waits there for the other's commit, then finds it taken and changes nothing.
const APPEND = `
  WITH claim AS (
    ${INTO_KEYS}
    SELECT $1, $8, $12, $13, $14::bytea, $15::json, $10::timestamptz
    WHERE $13::text IS NOT NULL AND EXISTS (SELECT FROM chats WHERE organization_id = $1 AND id = $2)
    ${unlessTaken('$16')}
  ), chat AS (
    UPDATE chats SET
      message_count = message_count + 1,
      last_message_at = $10,
      first_response_at = CASE WHEN $7 IN ('BOT', 'AGENT') THEN COALESCE(first_response_at, $10) ELSE first_response_at END,
      status_changed_at = CASE WHEN status IN ('CLOSED', 'ARCHIVED') THEN $10 ELSE status_changed_at END,
      status = CASE WHEN status IN ('CLOSED', 'ARCHIVED') THEN 'ACTIVE' ELSE status END
    WHERE organization_id = $1 AND id = $2 AND ($13::text IS NULL OR EXISTS (SELECT FROM claim))
    RETURNING *
  ), message AS (
    INSERT INTO messages (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
      client_message_id, created_at)
    SELECT $1, $2, message_count, $3, $4, $5, $6::json, $7, $8, $9, $11, $10 FROM chat
  ), wanted AS MATERIALIZED (
    SELECT w.id FROM webhooks w
    WHERE w.organization_id = $1 AND ${wants(`'message.created'`)} AND ${wantsMessageOf('$7')}
  ), event AS MATERIALIZED (
    SELECT ${EVENT} AS payload FROM chat c WHERE EXISTS (SELECT FROM wanted)
  ), delivery AS (
    ${INTO_DELIVERIES}
    SELECT $1, w.id, 'dlv' || ${idSuffix('$3')}, nextval('deliveries_position'), $2, 'message.created', e.payload, $10
    FROM wanted w CROSS JOIN event e
    RETURNING organization_id, webhook_id
  )
  SELECT message_count AS seq, status_changed_at = $10 AS "hasReopened", (${LANES}) AS lanes FROM chat`;

/**
 * Stores a message and all it changes. Null when nothing was stored, because there is no such chat or its idempotency
 * key is taken: `findKeptResult` tells which.
 */
export async function appendMessage(
  client: Pool | PoolClient,
  message: NewMessage,
  claim: KeyClaim | null,
): Promise<Appended | null> {
  const { sender } = message;
  const { rows } = await client.query<Appended>({
    name: 'append-message',
    text: APPEND,
    values: [
      message.organizationId,
      message.chatId,
      message.id,
      message.type,
      message.content,
      message.metadata && JSON.stringify(message.metadata),
      sender.type,
      sender.id,
      sender.name,
      message.createdAt,
      message.clientMessageId,
      claim?.endpoint,
      claim?.key,
      claim?.fingerprint,
      claim && JSON.stringify(claim.response),
      claim?.expiredBefore,
    ],
  });
  return rows[0] ?? null;
}

const EVENT_TOGETHER = jsonEvent(
  idSuffix('n.id'),
  `'message.created'`,
  'n.created_at',
  'n.organization_id',
  jsonObject({
    message: jsonMessage({
      id: 'n.id',
      chatId: 'n.chat_id',
      seq: 'n.seq',
      type: 'n.type',
      content: 'n.content',
      metadata: 'n.metadata',
      senderType: 'n.sender_type',
      senderId: 'n.sender_id',
      senderName: 'n.sender_name',
      createdAt: 'n.created_at',
    }),
    chat: jsonChat({ messageCount: 'n.seq', lastMessageAt: 'n.created_at' }),
  }),
);

// The same for many messages at once. A chat that somebody else holds locked is passed over, so that it stalls none of its
// neighbours; no lock is ever waited for, so no order of chats can deadlock. The messages of one chat get their seq in the
// order in which they stand.
const APPEND_TOGETHER = `
  WITH input AS MATERIALIZED (
    SELECT i.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::timestamptz[]) WITH ORDINALITY AS i (organization_id, chat_id, id, type, content, metadata,
      sender_type, sender_id, sender_name, created_at, place)
  ), free AS MATERIALIZED (
    SELECT c.organization_id, c.id FROM chats c
    WHERE (c.organization_id, c.id) IN (SELECT organization_id, chat_id FROM input)
    FOR NO KEY UPDATE SKIP LOCKED
  ), said AS MATERIALIZED (
    SELECT organization_id, chat_id, count(*)::integer AS messages,
      (array_agg(created_at ORDER BY place DESC))[1] AS last_at,
      (array_agg(created_at ORDER BY place) FILTER (WHERE sender_type IN ('BOT', 'AGENT')))[1] AS response_at
    FROM input GROUP BY organization_id, chat_id
  ), chat AS (
    UPDATE chats c SET
      message_count = c.message_count + s.messages,
      last_message_at = s.last_at,
      first_response_at = COALESCE(c.first_response_at, s.response_at),
      status_changed_at = CASE WHEN c.status IN ('CLOSED', 'ARCHIVED') THEN s.last_at ELSE c.status_changed_at END,
      status = CASE WHEN c.status IN ('CLOSED', 'ARCHIVED') THEN 'ACTIVE' ELSE c.status END
    FROM said s JOIN free f ON f.organization_id = s.organization_id AND f.id = s.chat_id
    WHERE c.organization_id = s.organization_id AND c.id = s.chat_id
    RETURNING c.*, c.message_count - s.messages AS before, c.status_changed_at = s.last_at AS reopened
  ), numbered AS MATERIALIZED (
    SELECT i.*, c.before + (row_number() OVER (PARTITION BY c.organization_id, c.id ORDER BY i.place))::integer AS seq,
      c.reopened
    FROM input i JOIN chat c ON c.organization_id = i.organization_id AND c.id = i.chat_id
  ), message AS (
    INSERT INTO messages (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
      created_at)
    SELECT organization_id, chat_id, seq, id, type, content, metadata::json, sender_type, sender_id, sender_name, created_at
    FROM numbered
  ), wanted AS MATERIALIZED (
    SELECT w.organization_id, w.id, w.sender_types FROM webhooks w
    WHERE w.organization_id IN (SELECT organization_id FROM input) AND ${wants(`'message.created'`)}
  ), event AS MATERIALIZED (
    SELECT n.organization_id, n.chat_id, n.id, n.sender_type, n.created_at, n.place, ${EVENT_TOGETHER} AS payload
    FROM numbered n JOIN chat c ON c.organization_id = n.organization_id AND c.id = n.chat_id
    WHERE EXISTS (SELECT FROM wanted)
      AND n.organization_id IN (SELECT organization_id FROM wanted w WHERE ${wantsMessageOf('n.sender_type')})
  ), delivery AS (
    ${INTO_DELIVERIES}
    SELECT organization_id, webhook_id, 'dlv' || ${idSuffix('id')}, nextval('deliveries_position'), chat_id,
      'message.created', payload, created_at
    FROM (
      SELECT e.*, w.id AS webhook_id
      FROM event e JOIN wanted w ON w.organization_id = e.organization_id AND ${wantsMessageOf('e.sender_type')}
      ORDER BY e.place
    ) AS in_order
    RETURNING organization_id, webhook_id
  )
  SELECT place::integer, seq, reopened AS "hasReopened", NULL AS lanes FROM numbered
  UNION ALL
  SELECT 0, 0, false, lanes FROM (${LANES}) AS queued WHERE lanes IS NOT NULL`;

/**
 * Stores messages without idempotency keys or client ids in one statement and one commit; `lanes` are those of all. Null
 * for a message that was left out, because there is no such chat or another holds it: `appendMessage` waits for it and
 * tells which.
 */
export async function appendTogether(
  client: Pool | PoolClient,
  messages: readonly NewMessage[],
): Promise<{ stored: (Appended | null)[]; lanes: string | null }> {
  const { rows } = await client.query<Appended & { place: number }>({
    name: 'append-together',
    text: APPEND_TOGETHER,
    values: [
      messages.map(({ organizationId }) => organizationId),
      messages.map(({ chatId }) => chatId),
      messages.map(({ id }) => id),
      messages.map(({ type }) => type),
      messages.map(({ content }) => content),
      messages.map(({ metadata }) => metadata && JSON.stringify(metadata)),
      messages.map(({ sender }) => sender.type),
      messages.map(({ sender }) => sender.id),
      messages.map(({ sender }) => sender.name),
      messages.map(({ createdAt }) => createdAt),
    ],
  });
  const stored = messages.map((): Appended | null => null);
  let lanes: string | null = null;
  for (const row of rows) {
    if (row.place === 0) lanes = row.lanes;
    else stored[row.place - 1] = { seq: row.seq, hasReopened: row.hasReopened, lanes: null };
  }
  return { stored, lanes };
}
