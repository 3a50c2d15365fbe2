import { jsonId, jsonObject, jsonTime } from '../platform/database/sql-json.js';

// Webhook events are written by the statement or transaction that makes them true, with the exact bytes that will be
// sent. The functions here build parts of such a statement: JSON from columns, without spaces.

/** The body of an event (CONTRACT section 4). The ids of the event and of its deliveries end with `suffix`. */
export const jsonEvent = (suffix: string, type: string, timestamp: string, organizationId: string, data: string) =>
  jsonObject({
    id: jsonId(`('evt' || ${suffix})`),
    type: `'"' || ${type} || '"'`,
    timestamp: jsonTime(timestamp),
    organizationId: jsonId(organizationId),
    data,
  });

/** Whether the webhook `w` is enabled and subscribes to events of a type. */
export const wants = (type: string) => `w.is_enabled AND (w.events IS NULL OR ${type} = ANY (w.events))`;

/** The part of an id after its prefix: `_` and the characters that follow. */
export const idSuffix = (id: string) => `substr(${id}, 4)`;

/** The insertion of deliveries; `nextval('deliveries_position')` must be called while the chat is locked. */
export const INTO_DELIVERIES = `
  INSERT INTO deliveries (organization_id, webhook_id, id, position, chat_id, event_type, payload, created_at, traceparent)`;

/** The lanes in which `delivery`, an insertion that returns organization_id and webhook_id, has queued deliveries. */
export const LANES = `SELECT string_agg(DISTINCT organization_id || '/' || webhook_id, ' ') AS lanes FROM delivery`;
