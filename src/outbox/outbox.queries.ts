import { jsonId, jsonObject, jsonTime } from '../platform/database/sql-json.js';

// Events of webhooks are written by the statement, or in the transaction, that makes them true, with the very bytes that
// will be sent. Everything here is text of such a statement: JSON made without spaces, from columns.

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
