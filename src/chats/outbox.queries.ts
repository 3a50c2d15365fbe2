import type { EntityManager } from 'typeorm';
import { newId } from '../common/ids.js';
import type { EventType } from './event-type.js';
import { sqlIsVerified } from './visitors.queries.js';

// Events of webhooks are written by the statement, or in the transaction, that makes them true, with the very bytes that
// will be sent. Everything here is text of such a statement: JSON made without spaces, from columns.

/** A time as JSON, as JavaScript writes it; `null` when it is null. */
export const jsonTime = (time: string) =>
  `COALESCE('"' || to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`;

/** Text as JSON; `null` when it is null. */
export const jsonText = (text: string) => `COALESCE(to_json(${text})::text, 'null')`;

/**
 * JSON of members, each a name and the expression of its JSON. Names and expressions are ours, never input.
 * @param more an expression of what follows the last member: text that begins with a comma, or nothing
 */
export const jsonObject = (members: Record<string, string>, more = `''`) =>
  `'{${Object.entries(members)
    .map(([name, json]) => `"${name}":' || ${json} || '`)
    .join(',')}' || ${more} || '}'`;

const jsonId = (id: string) => `COALESCE('"' || ${id} || '"', 'null')`;

// A group or visitor that is younger than the statement's view is known by its id alone: the chat was moved while its lock was
// waited for. `unknown` is what the members of `more` are then.
const jsonNamed = (
  table: string,
  id: string,
  more: Record<string, string> = {},
  unknown: Record<string, string> = {},
) => `COALESCE(
  (SELECT ${jsonObject({ id: jsonId('r.id'), name: jsonText('r.name'), ...more })}
  FROM ${table} r WHERE r.organization_id = c.organization_id AND r.id = c.${id}),
  ${jsonObject({ id: jsonId(`c.${id}`), name: `'null'`, ...unknown })})`;

const VISITOR = { email: jsonText('r.email'), isVerified: `${sqlIsVerified('r')}::text` };
const UNKNOWN_VISITOR = { email: `'null'`, isVerified: `'false'` };

/**
 * The chat of an event, a row of `chats` called `c`: what the bot API answers, without messages and with who has it. The
 * names around it are looked up row by row: joins of a few rows among large tables are planned badly.
 */
export const jsonChat = ({
  messageCount = 'c.message_count',
  lastMessageAt = 'c.last_message_at',
  firstResponseAt = 'c.first_response_at',
} = {}) =>
  jsonObject({
    id: jsonId('c.id'),
    status: jsonId('c.status'),
    channel: `'"WIDGET"'`,
    createdAt: jsonTime('c.created_at'),
    lastMessageAt: jsonTime(lastMessageAt),
    firstResponseAt: jsonTime(firstResponseAt),
    messageCount,
    visitor: jsonNamed('visitors', 'visitor_id', VISITOR, UNKNOWN_VISITOR),
    group: jsonNamed('groups', 'group_id'),
    assignedTo: `CASE WHEN c.agent_id IS NULL THEN 'null' ELSE ${jsonNamed('agents', 'agent_id')} END`,
  });

/** The body of an event (CONTRACT section 4). `suffix` is what its id, and that of its deliveries, ends with. */
export const jsonEvent = (suffix: string, type: string, timestamp: string, organizationId: string, data: string) =>
  jsonObject({
    id: jsonId(`('evt' || ${suffix})`),
    type: `'"' || ${type} || '"'`,
    timestamp: jsonTime(timestamp),
    organizationId: jsonId(organizationId),
    data,
  });

/** Whether the webhook `w` wants events of a type. */
export const wants = (type: string) => `w.is_enabled AND (w.events IS NULL OR ${type} = ANY (w.events))`;

/** What of an id tells it from others of its kind: `_` and all that follows. */
export const idSuffix = (id: string) => `substr(${id}, 4)`;

/** Where deliveries go; `nextval('deliveries_position')` must be drawn while the chat is locked. */
export const INTO_DELIVERIES = `
  INSERT INTO deliveries (organization_id, webhook_id, id, position, chat_id, event_type, payload, created_at, traceparent)`;

/** The lanes that `delivery`, an insertion that returns organization_id and webhook_id, has queued something in. */
export const LANES = `SELECT string_agg(DISTINCT organization_id || '/' || webhook_id, ' ') AS lanes FROM delivery`;

const QUEUE_CHAT_EVENT = `
  WITH wanted AS MATERIALIZED (
    SELECT w.id FROM webhooks w WHERE w.organization_id = $1 AND ${wants('$3')}
  ), event AS MATERIALIZED (
    SELECT ${jsonEvent(idSuffix('$4'), '$3', '$5::timestamptz', '$1', `'{"chat":' || ${jsonChat()} || $6::text || '}'`)} AS payload
    FROM chats c
    WHERE c.organization_id = $1 AND c.id = $2 AND EXISTS (SELECT FROM wanted)
  ), delivery AS (
    ${INTO_DELIVERIES}
    SELECT $1, w.id, 'dlv' || ${idSuffix('$4')}, nextval('deliveries_position'), $2, $3, e.payload, $5, $7::text
    FROM wanted w CROSS JOIN event e
    RETURNING organization_id, webhook_id
  )
  ${LANES}`;

/**
 * Queues an event about a chat as it is now, in the transaction of `tx`, for every webhook that wants it. Answers the lanes
 * it waits in, null when nobody wants it.
 * @param traceparent the trace it belongs to
 * @param more what its data has beside the chat
 */
export async function queueChatEvent(
  tx: EntityManager,
  organizationId: string,
  chatId: string,
  type: Exclude<EventType, 'message.created'>,
  traceparent: string | null,
  more: Record<string, unknown> = {},
): Promise<string | null> {
  const members = JSON.stringify(more).slice(1, -1);
  const values = [organizationId, chatId, type, newId('evt'), new Date(), members && `,${members}`, traceparent];
  const [row]: { lanes: string | null }[] = await tx.query(QUEUE_CHAT_EVENT, values);
  return row?.lanes ?? null;
}
