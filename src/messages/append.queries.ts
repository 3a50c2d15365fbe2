import type { Pool, PoolClient } from 'pg';
import { sqlActivitySlot } from '../chats/model/chat-activity.js';
import { jsonChat, ONLY_CHANNEL } from '../chats/reading/chat-json.queries.js';
import { getsChatsOf, idSuffix, INTO_DELIVERIES, jsonEvent, LANES, wants } from '../outbox/outbox.queries.js';
import { jsonObject } from '../platform/database/sql-json.js';
import { jsonOf } from '../platform/lib/json.js';
import type { Idempotency } from '../idempotency/idempotency.js';
import { INTO_KEYS, unlessReserved } from '../idempotency/idempotency.queries.js';
import { jsonMessage } from './message-json.queries.js';
import type { MessageType, ReplyTo, Sender } from './message.js';

/** A message to store. */
export interface NewMessage {
  organizationId: string;
  chatId: string;
  id: string;
  type: MessageType;
  content: string;
  metadata: Record<string, unknown> | null;
  sender: Sender;
  createdAt: Date;
  /** The client's own id: a sender's messages with the same one are stored once. */
  clientMessageId: string | null;
  /** When the service accepted it, in milliseconds of `performance.now()`. */
  startedAt: number;
  /** The request's trace. */
  traceparent: string | null;
  /** The choice that it answers. */
  replyTo: ReplyTo | null;
  /** Stores the message only while the bots have the chat. */
  ifOwnerIsBot: boolean;
}

/** An idempotency key to reserve together with the message, and the response to store for it. */
export interface KeyReservation extends Idempotency {
  response: object;
  /** Keys used before this time are free again. */
  expiredBefore: Date;
}

/** A message to store, with the idempotency key of its request, if any. */
export interface Append {
  message: NewMessage;
  reservation: KeyReservation | null;
}

export interface Appended {
  seq: number;
  /** The webhook lanes that got its event; null if no webhook wants it. */
  lanes: string | null;
}

/** SQL: whether the webhook `w` wants a sender's messages. */
export const wantsMessageOf = (senderType: string) =>
  `(w.sender_types IS NULL OR ${senderType} = ANY (w.sender_types))`;

/**
 * SQL: whether a chat accepts a sender's message in its current state. With `ifOwner`, the sender is a bot, and another bot that the
 * chat's group names has the chat instead of it. An ended chat must be reopened first, in a separate
 * transaction, because that starts a hand-off, changes an agent's load and queues an event.
 * @param chat the name of its row, with a dot
 */
export const takesMessage = (chat: string, senderType: string, senderId: string, ifOwnerIsBot: string) => `
      ${chat}status IN ('ACTIVE', 'QUEUED')
      AND (${senderType} <> 'VISITOR' OR ${chat}visitor_id = ${senderId})
      AND (${senderType} <> 'AGENT' OR ${chat}agent_id IS NOT DISTINCT FROM ${senderId})
      AND (${ifOwnerIsBot} IS NOT TRUE OR (${chat}status = 'ACTIVE' AND ${chat}agent_id IS NULL AND NOT EXISTS (
        SELECT FROM groups g
        WHERE g.organization_id = ${chat}organization_id AND g.id = ${chat}group_id AND g.bot_id <> ${senderId})))`;

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
      replyToMessageId: '$17::text',
      replyToValue: '$18::text',
    }),
    chat: jsonChat({ channel: ONLY_CHANNEL }),
  }),
);

// Everything that a message changes, in one statement: one round trip, one commit, all or nothing. The chat's row stays locked
// until the commit, so commit order is seq order, and seq has no gaps. If two requests have the same key, the second waits for
// the first to commit, finds the key taken, and changes nothing. Every statement locks chats before keys, keys in order, and
// holds no lock while it waits for a chat, so they can't deadlock. (Two nodes that store the same clientMessageIds in a different
// order can: PostgreSQL ends one statement, and its messages are stored one by one.) `agent_wrote_at` is the database's time,
// because routing compares it with that clock.
const appendStatement = (lock: string, takes = takesMessage('chats.', '$7::text', '$8::text', '$20::boolean')) => `
  WITH held AS MATERIALIZED (
    SELECT id FROM chats WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL
      AND ${takes} ${lock}
  ), reserved AS (
    ${INTO_KEYS}
    SELECT $1, $8, $12, $13, $14::bytea, $15::json, $10::timestamptz
    WHERE $13::text IS NOT NULL AND EXISTS (SELECT FROM held)
    ${unlessReserved('$16')}
  ), chat AS (
    UPDATE chats SET
      message_count = message_count + 1,
      last_message_at = $10,
      activity_slot = ${sqlActivitySlot('$10::timestamptz')},
      first_response_at = CASE WHEN $7 IN ('BOT', 'AGENT') THEN COALESCE(first_response_at, $10) ELSE first_response_at END,
      waiting_since = CASE $7 WHEN 'VISITOR' THEN COALESCE(waiting_since, $10) WHEN 'SYSTEM' THEN waiting_since END,
      last_visitor_seq = CASE $7 WHEN 'VISITOR' THEN message_count + 1 ELSE last_visitor_seq END,
      agent_replied_at = CASE $7 WHEN 'AGENT' THEN COALESCE(agent_replied_at, $10) ELSE agent_replied_at END,
      agent_wrote_at = CASE $7 WHEN 'AGENT' THEN clock_timestamp() ELSE agent_wrote_at END
    WHERE organization_id = $1 AND id = $2 AND EXISTS (SELECT FROM held)
      AND ($13::text IS NULL OR EXISTS (SELECT FROM reserved))
    RETURNING *
  ), message AS (
    INSERT INTO messages (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
      client_message_id, created_at, reply_to_message_id, reply_to_value)
    SELECT $1, $2, message_count, $3, $4, $5, $6::json, $7, $8, $9, $11, $10, $17, $18 FROM chat
  ), wanted AS MATERIALIZED (
    SELECT w.organization_id, w.id, w.bot_id FROM webhooks w
    WHERE w.organization_id = $1 AND ${wants(`'message.created'`)} AND ${wantsMessageOf('$7')}
  ), event AS MATERIALIZED (
    SELECT ${EVENT} AS payload, c.group_id FROM chat c WHERE EXISTS (SELECT FROM wanted)
  ), delivery AS (
    ${INTO_DELIVERIES}
    SELECT $1, w.id, 'dlv' || ${idSuffix('$3')}, nextval('deliveries_position'), $2, 'message.created', e.payload, $10, $19::text
    FROM wanted w CROSS JOIN event e WHERE ${getsChatsOf('e.group_id')}
    RETURNING organization_id, webhook_id
  )
  SELECT message_count AS seq, (${LANES}) AS lanes FROM chat`;

export const APPEND = appendStatement('FOR NO KEY UPDATE');
const APPEND_IF_FREE = appendStatement('FOR NO KEY UPDATE SKIP LOCKED');
const APPEND_TO_CLOSED = appendStatement(
  'FOR NO KEY UPDATE',
  `status = 'CLOSED' AND $7::text = 'SYSTEM' AND $8::text IS NULL AND $20::boolean IS NOT TRUE`,
);

/**
 * Stores a message with all its effects. Returns null if nothing was stored: the chat is unknown, erased, ended, another
 * visitor's or another agent's, or the idempotency key is taken. The caller finds out which.
 */
export function appendMessage(client: Pool | PoolClient, append: Append): Promise<Appended | null> {
  return run(client, 'append-message', APPEND, append);
}

/** The same without waiting for the chat's lock: returns null for a locked chat too. */
export function appendIfFree(client: Pool | PoolClient, append: Append): Promise<Appended | null> {
  return run(client, 'append-if-free', APPEND_IF_FREE, append);
}

/** The same for a system message in a chat that the transaction has closed. Returns null for any other chat. */
export function appendToClosed(client: Pool | PoolClient, append: Append): Promise<Appended | null> {
  return run(client, 'append-to-closed', APPEND_TO_CLOSED, append);
}

async function run(
  client: Pool | PoolClient,
  name: string,
  text: string,
  { message, reservation }: Append,
): Promise<Appended | null> {
  const { sender } = message;
  const { rows } = await client.query<Appended>({
    name,
    text,
    values: [
      message.organizationId,
      message.chatId,
      message.id,
      message.type,
      message.content,
      message.metadata && jsonOf(message.metadata),
      sender.type,
      sender.id,
      sender.name,
      message.createdAt,
      message.clientMessageId,
      reservation?.endpoint,
      reservation?.key,
      reservation?.fingerprint,
      reservation && JSON.stringify(reservation.response),
      reservation?.expiredBefore,
      message.replyTo?.messageId,
      message.replyTo?.value,
      message.traceparent,
      message.ifOwnerIsBot,
    ],
  });
  return rows[0] ?? null;
}
