import type { EntityManager } from 'typeorm';
import type { Receiver } from './receiver.entity.js';

const INSERT = `
  INSERT INTO receivers (organization_id, id, kind, bot_id, events, sender_types, is_enabled, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** A receiver that is being created. */
export type NewReceiver = Omit<Receiver, 'disabledReason' | 'bot' | 'organization'>;

/** Creates a receiver: events are stored for it from now on. */
export async function insertReceiver(tx: EntityManager, row: NewReceiver): Promise<void> {
  const { organizationId, id, kind, botId, events, senderTypes, isEnabled, createdAt } = row;
  await tx.query(INSERT, [organizationId, id, kind, botId, events, senderTypes, isEnabled, createdAt]);
}

const CHANGE = `
  UPDATE receivers SET events = $3, sender_types = $4, is_enabled = $5, disabled_reason = $6 WHERE organization_id = $1 AND id = $2`;
const FILTER = 'UPDATE receivers SET events = $3, sender_types = $4 WHERE organization_id = $1 AND id = $2';

/** Replaces what a receiver gets, and its state. */
export async function changeReceiver(
  tx: EntityManager,
  {
    organizationId,
    id,
    events,
    senderTypes,
    isEnabled,
    disabledReason,
  }: Omit<Receiver, 'kind' | 'botId' | 'createdAt'>,
): Promise<void> {
  await tx.query(CHANGE, [organizationId, id, events, senderTypes, isEnabled, disabledReason]);
}

/** Replaces what a receiver gets. Waiting events stay. */
export async function changeFilters(
  tx: EntityManager,
  { organizationId, id, events, senderTypes }: Pick<Receiver, 'organizationId' | 'id' | 'events' | 'senderTypes'>,
): Promise<void> {
  await tx.query(FILTER, [organizationId, id, events, senderTypes]);
}

const REMOVE = 'DELETE FROM receivers WHERE organization_id = $1 AND id = $2';

/** Removes a receiver, and its row in the table of its kind. Its deliveries are removed later, in batches. */
export async function removeReceiver(tx: EntityManager, organizationId: string, id: string): Promise<void> {
  await tx.query(REMOVE, [organizationId, id]);
}
