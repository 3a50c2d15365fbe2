import type { EntityManager } from 'typeorm';
import { type Lane, laneOf, parseLanes } from '../../receivers/lane.js';
import type { EventType } from '../../receivers/event-type.js';
import { getsChatsOf, idSuffix, INTO_DELIVERIES, jsonEvent, LANES, wants } from '../../receivers/deliveries.queries.js';
import { isDistributed } from '../../platform/database/citus/per-organization.js';
import { clientOf, queryNamed } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { jsonChat } from './chat-json.queries.js';

// The chat as it will be after the messages ($9 of them) that the same transaction stores next, at the time $7.
const WITH_NEXT_MESSAGE = {
  messageCount: '(c.message_count + $9::integer)',
  lastMessageAt: 'COALESCE($7::timestamptz, c.last_message_at)',
  firstResponseAt:
    'CASE WHEN $8::boolean THEN COALESCE(c.first_response_at, $7::timestamptz) ELSE c.first_response_at END',
};

const PAYLOAD = jsonEvent(
  idSuffix('$4'),
  '$3',
  '$5::timestamptz',
  '$1',
  `'{"chat":' || ${jsonChat(WITH_NEXT_MESSAGE)} || $6::text || '}'`,
);
const GROUP_BOT = '(SELECT g.bot_id FROM groups g WHERE g.organization_id = $1 AND g.id = c.group_id)';

const QUEUE_CHAT_EVENT = `
  WITH wanted AS MATERIALIZED (
    SELECT r.organization_id, r.id, r.bot_id FROM receivers r WHERE r.organization_id = $1 AND ${wants('$3')}
  ), event AS MATERIALIZED (
    SELECT ${PAYLOAD} AS payload, ${GROUP_BOT} AS group_bot_id
    FROM chats c
    WHERE c.organization_id = $1 AND c.id = $2 AND EXISTS (SELECT FROM wanted)
  ), delivery AS (
    ${INTO_DELIVERIES}
    SELECT $1, r.id, 'dlv' || ${idSuffix('$4')}, nextval('deliveries_position'), $2, $3, e.payload, $5, $10::text
    FROM wanted r CROSS JOIN event e WHERE ${getsChatsOf('e.group_bot_id')}
    RETURNING organization_id, receiver_id
  )
  ${LANES}`;

// A Citus cluster sends what an INSERT reads from WITH to all workers, so it fails while one of them is down. These two need only the
// worker with the organization.
const FIND_CHAT_EVENT = `
  SELECT r.id AS "receiverId", ${PAYLOAD} AS payload
  FROM receivers r JOIN chats c ON c.organization_id = $1 AND c.id = $2
  WHERE r.organization_id = $1 AND ${wants('$3')} AND ${getsChatsOf(GROUP_BOT)}`;
const STORE_CHAT_EVENT = `
  ${INTO_DELIVERIES}
  SELECT $1, d.receiver_id, 'dlv' || ${idSuffix('$4')}, nextval('deliveries_position'), $2, $3, d.payload, $5::timestamptz, $6::text
  FROM unnest($7::text[], $8::text[]) AS d (receiver_id, payload)`;

/** The messages that the transaction stores after the event. An event's chat is the one after the whole transaction. */
export interface NextMessage {
  at: Date;
  /** Defaults to one message. */
  count?: number;
  /** Whether a bot or an agent sends them. */
  isResponse?: boolean;
}

/**
 * Queues an event about a chat, in the transaction of `tx`, for every webhook that wants it. Returns the lanes that got it.
 * @param traceparent the trace that caused the event
 * @param more other members of the event's data
 */
export async function queueChatEvent(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  type: Exclude<EventType, 'message.created'>,
  traceparent: string | null,
  more: Record<string, unknown> = {},
  next?: NextMessage,
): Promise<Lane[]> {
  const members = JSON.stringify(more).slice(1, -1);
  const event = [organizationId, chatId, type, newId('evt'), new Date()];
  const after = [next?.at ?? null, next?.isResponse ?? false, next ? (next.count ?? 1) : 0];
  const values = [...event, members && `,${members}`, ...after];
  if (isDistributed(await clientOf(tx))) {
    const find = { name: 'find-chat-event', text: FIND_CHAT_EVENT, values };
    const found = await queryNamed<{ receiverId: string; payload: string }>(tx, find);
    if (found.length === 0) return [];
    const ids = found.map(({ receiverId }) => receiverId);
    const payloads = found.map(({ payload }) => payload);
    await tx.query(STORE_CHAT_EVENT, [...event, traceparent, ids, payloads]);
    return ids.map((id) => laneOf(organizationId, id));
  }
  const query = { name: 'queue-chat-event', text: QUEUE_CHAT_EVENT, values: [...values, traceparent] };
  const [row] = await queryNamed<{ lanes: string | null }>(tx, query);
  return row?.lanes ? parseLanes(row.lanes) : [];
}
