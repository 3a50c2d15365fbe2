import type { Pool, PoolClient } from 'pg';
import { sqlActivitySlot } from '../chats/model/chat-activity.js';
import { jsonChat, ONLY_CHANNEL } from '../chats/reading/chat-json.queries.js';
import { getsChatsOf, idSuffix, INTO_DELIVERIES, jsonEvent, LANES, wants } from '../outbox/outbox.queries.js';
import { jsonObject } from '../platform/database/sql-json.js';
import { jsonOf } from '../platform/lib/json.js';
import { type Append, type Appended, takesMessage, wantsMessageOf } from './append.queries.js';
import { INTO_KEYS, unlessReserved } from '../idempotency/idempotency.queries.js';
import { jsonMessage } from './message-json.queries.js';

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
      replyToMessageId: 'n.reply_to_message_id',
      replyToValue: 'n.reply_to_value',
    }),
    chat: jsonChat({
      channel: ONLY_CHANNEL,
      messageCount: 'n.seq',
      lastMessageAt: 'n.created_at',
      firstResponseAt: 'n.first_response_at',
    }),
  }),
);

const TAKES = takesMessage('f.', 'i.sender_type', 'i.sender_id', 'i.if_owner_is_bot');

// APPEND for many messages. Leaves out messages that were stored before and messages to locked chats, so that they delay no other
// message. It never waits for a chat, and for a key only while another transaction reserves it. The messages of one chat get
// their seq in the order of the arrays. Tables are read row by row, in a form that PostgreSQL can't turn into a scan of the whole
// table.
const APPEND_TOGETHER = `
  WITH input AS MATERIALIZED (
    SELECT i.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::timestamptz[], $11::text[], $12::text[], $13::bytea[], $14::text[], $15::text[],
      $16::text[], $18::text[], $19::boolean[]) WITH ORDINALITY
      AS i (organization_id, chat_id, id, type, content, metadata, sender_type, sender_id, sender_name, created_at,
        client_message_id, key, fingerprint, response, reply_to_message_id, reply_to_value, traceparent, if_owner_is_bot, ordinal)
    WHERE (i.key IS NULL OR (
        SELECT k.created_at FROM idempotency_keys k
        WHERE k.organization_id = i.organization_id AND k.bot_id = i.sender_id AND k.endpoint = 'messages' AND k.key = i.key
      ) > $17::timestamptz IS NOT TRUE)
      AND (i.client_message_id IS NULL OR (
        SELECT m.seq FROM messages m
        WHERE m.organization_id = i.organization_id AND m.sender_id = i.sender_id
          AND m.client_message_id = i.client_message_id
      ) IS NULL)
  ), free AS MATERIALIZED (
    SELECT c.organization_id, c.id, c.visitor_id, c.group_id, c.agent_id, c.status, c.first_response_at FROM chats c
    WHERE (c.organization_id, c.id) IN (SELECT organization_id, chat_id FROM input) AND c.erased_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED
  ), reserved AS (
    ${INTO_KEYS}
    SELECT i.organization_id, i.sender_id, 'messages', i.key, i.fingerprint, i.response::json, i.created_at
    FROM input i JOIN free f ON f.organization_id = i.organization_id AND f.id = i.chat_id
    WHERE i.key IS NOT NULL AND ${TAKES}
    ORDER BY i.organization_id, i.sender_id, i.key
    ${unlessReserved('$17')}
  ), admitted AS MATERIALIZED (
    SELECT i.*, f.first_response_at, row_number() OVER (PARTITION BY i.organization_id, i.chat_id ORDER BY i.ordinal) AS nth,
      bool_or(i.sender_type IN ('BOT', 'AGENT')) OVER (PARTITION BY i.organization_id, i.chat_id ORDER BY i.ordinal
        ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) IS TRUE AS is_answered
    FROM input i JOIN free f ON f.organization_id = i.organization_id AND f.id = i.chat_id
    WHERE (i.key IS NULL OR (i.organization_id, i.sender_id, i.key) IN (SELECT organization_id, bot_id, key FROM reserved))
      AND ${TAKES}
  ), said AS MATERIALIZED (
    SELECT organization_id, chat_id, count(*)::integer AS messages,
      (array_agg(created_at ORDER BY ordinal DESC))[1] AS last_at,
      (array_agg(created_at ORDER BY ordinal) FILTER (WHERE sender_type IN ('BOT', 'AGENT')))[1] AS response_at,
      min(ordinal) FILTER (WHERE sender_type IN ('BOT', 'AGENT')) AS response_ordinal,
      min(created_at) FILTER (WHERE sender_type = 'VISITOR' AND NOT is_answered) AS waiting_since,
      max(nth) FILTER (WHERE sender_type = 'VISITOR') AS last_visitor_nth,
      min(created_at) FILTER (WHERE sender_type = 'AGENT') AS agent_replied_at,
      CASE WHEN bool_or(sender_type = 'AGENT') THEN clock_timestamp() END AS agent_wrote_at
    FROM admitted GROUP BY organization_id, chat_id
  ), chat AS (
    UPDATE chats c SET
      message_count = c.message_count + s.messages,
      last_message_at = s.last_at,
      activity_slot = ${sqlActivitySlot('s.last_at')},
      first_response_at = COALESCE(c.first_response_at, s.response_at),
      waiting_since = CASE WHEN s.response_ordinal IS NULL THEN COALESCE(c.waiting_since, s.waiting_since) ELSE s.waiting_since END,
      last_visitor_seq = COALESCE((c.message_count + s.last_visitor_nth)::integer, c.last_visitor_seq),
      agent_replied_at = COALESCE(c.agent_replied_at, s.agent_replied_at),
      agent_wrote_at = COALESCE(s.agent_wrote_at, c.agent_wrote_at)
    FROM said s
    WHERE c.organization_id = s.organization_id AND c.id = s.chat_id
    RETURNING c.*, c.message_count - s.messages AS before, s.response_ordinal
  ), numbered AS MATERIALIZED (
    SELECT i.organization_id, i.chat_id, i.id, i.type, i.content, i.metadata, i.sender_type, i.sender_id, i.sender_name,
      i.created_at, i.client_message_id, i.reply_to_message_id, i.reply_to_value, i.traceparent, i.ordinal, (c.before + i.nth)::integer AS seq,
      CASE WHEN i.ordinal >= c.response_ordinal THEN c.first_response_at ELSE i.first_response_at END AS first_response_at
    FROM admitted i JOIN chat c ON c.organization_id = i.organization_id AND c.id = i.chat_id
  ), message AS (
    INSERT INTO messages (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
      client_message_id, created_at, reply_to_message_id, reply_to_value)
    SELECT organization_id, chat_id, seq, id, type, content, metadata::json, sender_type, sender_id, sender_name,
      client_message_id, created_at, reply_to_message_id, reply_to_value
    FROM numbered
  ), wanted AS MATERIALIZED (
    SELECT w.organization_id, w.id, w.bot_id, w.sender_types FROM webhooks w
    WHERE w.organization_id IN (SELECT organization_id FROM input) AND ${wants(`'message.created'`)}
  ), event AS MATERIALIZED (
    SELECT n.organization_id, n.chat_id, n.id, n.sender_type, n.created_at, n.traceparent, n.ordinal, c.group_id, ${EVENT_TOGETHER} AS payload
    FROM numbered n JOIN chat c ON c.organization_id = n.organization_id AND c.id = n.chat_id
    WHERE EXISTS (SELECT FROM wanted)
      AND n.organization_id IN (SELECT organization_id FROM wanted w WHERE ${wantsMessageOf('n.sender_type')})
  ), delivery AS (
    ${INTO_DELIVERIES}
    SELECT organization_id, webhook_id, 'dlv' || ${idSuffix('id')}, nextval('deliveries_position'), chat_id,
      'message.created', payload, created_at, traceparent
    FROM (
      SELECT e.*, w.id AS webhook_id
      FROM event e JOIN wanted w ON w.organization_id = e.organization_id AND ${wantsMessageOf('e.sender_type')}
        AND ${getsChatsOf('e.group_id')}
      ORDER BY e.ordinal
    ) AS in_order
    RETURNING organization_id, webhook_id
  )
  SELECT ordinal::integer, seq, NULL AS lanes FROM numbered
  UNION ALL
  SELECT 0, 0, lanes FROM (${LANES}) AS queued WHERE lanes IS NOT NULL`;

/**
 * Stores messages in one statement and one commit. `lanes` are the lanes of all of them. No two of them may have the same key, nor the same
 * sender and `clientMessageId`. Returns null for a message that was left out, because its chat is unknown or locked, or it was
 * stored before. `appendMessage` waits for the lock and finds out which.
 */
export async function appendTogether(
  client: Pool | PoolClient,
  appends: readonly Append[],
  expiredBefore: Date,
): Promise<{ stored: (Appended | null)[]; lanes: string | null }> {
  const messages = appends.map(({ message }) => message);
  const reservations = appends.map(({ reservation }) => reservation);
  const { rows } = await client.query<Appended & { ordinal: number }>({
    name: 'append-together',
    text: APPEND_TOGETHER,
    values: [
      messages.map(({ organizationId }) => organizationId),
      messages.map(({ chatId }) => chatId),
      messages.map(({ id }) => id),
      messages.map(({ type }) => type),
      messages.map(({ content }) => content),
      messages.map(({ metadata }) => metadata && jsonOf(metadata)),
      messages.map(({ sender }) => sender.type),
      messages.map(({ sender }) => sender.id),
      messages.map(({ sender }) => sender.name),
      messages.map(({ createdAt }) => createdAt),
      messages.map(({ clientMessageId }) => clientMessageId),
      reservations.map((reservation) => reservation?.key),
      reservations.map((reservation) => reservation?.fingerprint),
      reservations.map((reservation) => reservation && JSON.stringify(reservation.response)),
      messages.map(({ replyTo }) => replyTo?.messageId),
      messages.map(({ replyTo }) => replyTo?.value),
      expiredBefore,
      messages.map(({ traceparent }) => traceparent),
      messages.map(({ ifOwnerIsBot }) => ifOwnerIsBot),
    ],
  });
  const stored = messages.map((): Appended | null => null);
  let lanes: string | null = null;
  for (const row of rows) {
    if (row.ordinal === 0) lanes = row.lanes;
    else stored[row.ordinal - 1] = { seq: row.seq, lanes: null };
  }
  return { stored, lanes };
}
