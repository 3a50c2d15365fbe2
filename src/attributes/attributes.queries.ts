import type { EntityManager } from 'typeorm';
import { jsonVisitor } from '../chats/reading/chat-json.queries.js';
import { type Lane, laneOf } from '../receivers/lane.js';
import { idSuffix, INTO_DELIVERIES, jsonEvent, wants } from '../receivers/deliveries.queries.js';
import { queryNamed } from '../platform/database/transaction.js';
import { newId } from '../platform/lib/ids.js';
import type { Attributes } from './attributes.js';

interface StoredAttributes {
  attributes: Attributes | null;
}

const FIND_OF_CHAT = 'SELECT attributes FROM chats WHERE organization_id = $1 AND id = $2';

/** The attributes of a chat that the transaction has locked. */
export async function findAttributesOfChat(tx: EntityManager, organizationId: string, id: string) {
  const query = { name: 'attributes-of-chat', text: FIND_OF_CHAT, values: [organizationId, id] };
  return (await queryNamed<StoredAttributes>(tx, query))[0]?.attributes ?? null;
}

const STORE_OF_CHAT = `
  UPDATE chats SET attributes = $3::json, attributes_at = $4, rev = rev + 1 WHERE organization_id = $1 AND id = $2`;

const storedOf = (attributes: Attributes) => (Object.keys(attributes).length > 0 ? JSON.stringify(attributes) : null);

/** Stores the attributes of a locked chat, and raises its `rev`. */
export async function storeAttributesOfChat(
  tx: EntityManager,
  organizationId: string,
  id: string,
  attributes: Attributes,
): Promise<void> {
  const values = [organizationId, id, storedOf(attributes), new Date()];
  await queryNamed(tx, { name: 'store-attributes-of-chat', text: STORE_OF_CHAT, values });
}

/** The attributes of a visitor. */
export interface AttributesOfVisitor {
  attributes: Attributes | null;
  verifiedAttributes: Attributes | null;
}

const LOCK_VISITOR = `
  SELECT attributes, verified_attributes AS "verifiedAttributes" FROM visitors
  WHERE organization_id = $1 AND id = $2 AND erasing_since IS NULL AND external_id IS DISTINCT FROM '' FOR NO KEY UPDATE`;

/** Locks a visitor until the end of the transaction. Null if the visitor doesn't exist, or is being erased. */
export async function lockAttributesOfVisitor(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<AttributesOfVisitor | null> {
  const query = { name: 'lock-attributes-of-visitor', text: LOCK_VISITOR, values: [organizationId, id] };
  return (await queryNamed<AttributesOfVisitor & Record<string, unknown>>(tx, query))[0] ?? null;
}

const STORE_OF_VISITOR =
  'UPDATE visitors SET attributes = $3::json, attributes_at = $4 WHERE organization_id = $1 AND id = $2';
const STORE_VERIFIED = 'UPDATE visitors SET verified_attributes = $3::json WHERE organization_id = $1 AND id = $2';

/** Stores the attributes of a locked visitor. */
export async function storeAttributesOfVisitor(
  tx: EntityManager,
  organizationId: string,
  id: string,
  attributes: Attributes,
): Promise<void> {
  const values = [organizationId, id, storedOf(attributes), new Date()];
  await queryNamed(tx, { name: 'store-attributes-of-visitor', text: STORE_OF_VISITOR, values });
}

/** Stores what a signed identity says of a locked visitor. */
export async function storeVerifiedAttributes(
  tx: EntityManager,
  organizationId: string,
  id: string,
  attributes: Attributes,
): Promise<void> {
  const values = [organizationId, id, storedOf(attributes)];
  await queryNamed(tx, { name: 'store-verified-attributes', text: STORE_VERIFIED, values });
}

// In the order of their ids, as every transaction locks chats.
const LOCK_OPEN_CHATS = `
  SELECT id FROM chats WHERE organization_id = $1 AND visitor_id = $2 AND status IN ('ACTIVE', 'QUEUED') AND erased_at IS NULL
  ORDER BY id FOR NO KEY UPDATE`;
const RAISE = 'UPDATE chats SET rev = rev + 1 WHERE organization_id = $1 AND id = ANY ($2)';

/** Raises the `rev` of the open chats of a locked visitor. Returns their ids. */
export async function raiseOpenChats(tx: EntityManager, organizationId: string, visitorId: string): Promise<string[]> {
  const lock = { name: 'lock-open-chats', text: LOCK_OPEN_CHATS, values: [organizationId, visitorId] };
  const ids = (await queryNamed<{ id: string }>(tx, lock)).map(({ id }) => id);
  if (ids.length > 0) await queryNamed(tx, { name: 'raise-chats', text: RAISE, values: [organizationId, ids] });
  return ids;
}

const PAYLOAD = jsonEvent(
  idSuffix('$4'),
  '$3',
  '$5::timestamptz',
  '$1',
  `'{"visitor":' || ${jsonVisitor('v')} || $6::text || '}'`,
);
const FIND_EVENT = `
  SELECT r.id AS "receiverId", ${PAYLOAD} AS payload
  FROM receivers r JOIN visitors v ON v.organization_id = $1 AND v.id = $2
  WHERE r.organization_id = $1 AND ${wants('$3')}`;

// `chat_id` has the visitor's id, so that the visitor's events are sent in order, and erasing the visitor removes them.
const STORE_EVENT = `
  ${INTO_DELIVERIES}
  SELECT $1, d.receiver_id, 'dlv' || ${idSuffix('$4')}, nextval('deliveries_position'), $2, $3, d.payload, $5::timestamptz, $6::text
  FROM unnest($7::text[], $8::text[]) AS d (receiver_id, payload)`;

/**
 * Queues `visitor.updated` for every receiver that wants it, in the transaction `tx`, which has locked the visitor. Returns the lanes that
 * got it.
 * @param more other members of the event's data
 */
export async function queueVisitorEvent(
  tx: EntityManager,
  organizationId: string,
  visitorId: string,
  traceparent: string | null,
  more: Record<string, unknown>,
): Promise<Lane[]> {
  const event = [organizationId, visitorId, 'visitor.updated', newId('evt'), new Date()];
  const values = [...event, `,${JSON.stringify(more).slice(1, -1)}`];
  const find = { name: 'find-visitor-event', text: FIND_EVENT, values };
  const found = await queryNamed<{ receiverId: string; payload: string }>(tx, find);
  if (found.length === 0) return [];
  const deliveries = [found.map(({ receiverId }) => receiverId), found.map(({ payload }) => payload)];
  await tx.query(STORE_EVENT, [...event, traceparent, ...deliveries]);
  return found.map(({ receiverId }) => laneOf(organizationId, receiverId));
}
