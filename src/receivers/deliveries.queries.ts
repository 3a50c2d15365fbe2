import { jsonId, jsonObject, jsonTime } from '../platform/database/sql-json.js';

// The statement or transaction that makes a change also stores its events, with the exact bytes that are sent later. These
// functions build parts of such a statement: JSON from columns, without spaces.

/** The body of an event (CONTRACT: Webhooks). The ids of the event and of its deliveries end with `suffix`. */
export const jsonEvent = (suffix: string, type: string, timestamp: string, organizationId: string, data: string) =>
  jsonObject({
    id: jsonId(`('evt' || ${suffix})`),
    type: `'"' || ${type} || '"'`,
    timestamp: jsonTime(timestamp),
    organizationId: jsonId(organizationId),
    data,
  });

/** Whether the receiver `r` is enabled and gets events of a type. */
export const wants = (type: string) => `r.is_enabled AND (r.events IS NULL OR ${type} = ANY (r.events))`;

/**
 * Whether the receiver `r` gets events about chats of a group. If the group names a bot (`groupBotId`), the receivers of other bots don't.
 * Webhooks do, because they belong to the organization (CONTRACT: Who has a chat).
 */
export const getsChatsOf = (groupBotId: string) =>
  `(r.bot_id IS NULL OR ${groupBotId} IS NULL OR ${groupBotId} = r.bot_id)`;

/** The part of an id from the `_` on. */
export const idSuffix = (id: string) => `substr(${id}, 4)`;

/** Inserts deliveries. The chat must be locked when `nextval('deliveries_position')` is called. */
export const INTO_DELIVERIES = `
  INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at, traceparent)`;

/** The lanes of the deliveries that `delivery` has queued: an insertion that returns organization_id and receiver_id. */
export const LANES = `SELECT string_agg(DISTINCT organization_id || '/' || receiver_id, ' ') AS lanes FROM delivery`;
