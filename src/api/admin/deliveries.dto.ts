import { EVENT_TYPES, type EventType } from '../../outbox/event-type.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { Check, findTimeFault, OneOf } from '../../platform/http/validators.js';
import type { DeliveryRow } from '../../webhooks/deliveries.queries.js';
import { eventIdOf } from '../../webhooks/dispatcher.js';

export const DELIVERY_STATUSES = ['pending', 'in_flight', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export class DeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { optional: true })
  status?: DeliveryStatus;

  @OneOf(EVENT_TYPES, { optional: true })
  type?: EventType;
}

export class RedeliverDto {
  /** All dead deliveries created at this time or later. */
  @Check('time', findTimeFault)
  since!: string;
}

/** A delivery with its attempts. A single delivery also has its `payload`. */
export function toDeliveryResponse(row: DeliveryRow) {
  const { id, chatId, eventType, status, createdAt, dueAt, attempts } = row;
  return {
    id,
    eventId: eventIdOf(id),
    type: eventType,
    chatId,
    status,
    createdAt,
    nextAttemptAt: status === 'pending' ? (dueAt ?? createdAt) : null,
    attempts: attempts.map(({ at, ...attempt }) => ({ at: new Date(at).toISOString(), ...attempt })),
  };
}
