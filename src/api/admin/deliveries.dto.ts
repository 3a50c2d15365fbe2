import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType, eventIdOf } from '../../receivers/event-type.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Sized, sizeOfText } from '../../platform/validation/body-size.js';
import { Check, findTimeFault, MAX_TIME_LENGTH, OneOf } from '../../platform/validation/validators.js';
import type { DeliveryRow } from '../../webhooks/deliveries.queries.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

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
  @Sized(sizeOfText(MAX_TIME_LENGTH))
  @ApiProperty({ type: String, format: 'date-time' })
  since!: string;
}

class AttemptResponse {
  @Time()
  at!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The status of the answer; null without an answer' })
  status!: number | null;

  @TextOrNull()
  error!: string | null;

  @ApiProperty({ type: 'integer' })
  durationMs!: number;
}

export class DeliveryResponse {
  @ApiProperty({ example: 'dlv_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ description: 'The same for every webhook that gets the event' })
  eventId!: string;

  @ApiProperty({ enum: [...EVENT_TYPES] })
  type!: EventType;

  @TextOrNull({ description: 'Null for `visitor.updated`' })
  chatId!: string | null;

  @TextOrNull({ description: 'The visitor of `visitor.updated`; otherwise null' })
  visitorId!: string | null;

  @ApiProperty({ enum: [...DELIVERY_STATUSES] })
  status!: DeliveryStatus;

  @Time()
  createdAt!: Date;

  @Time({ nullable: true, description: 'Null unless it is pending' })
  nextAttemptAt!: Date | null;

  @ApiProperty({ type: () => [AttemptResponse] })
  attempts!: AttemptResponse[];
}

export class SentDeliveryResponse extends DeliveryResponse {
  @ApiProperty({ description: 'The body that is sent' })
  payload!: string;
}

export class DeliveriesResponse {
  @ApiProperty({ type: () => [DeliveryResponse] })
  deliveries!: DeliveryResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export class RedeliveriesResponse {
  @ApiProperty({ type: 'integer' })
  count!: number;
}

/** A delivery with its attempts. A single delivery also has its `payload`. */
export function toDeliveryResponse(row: DeliveryRow): DeliveryResponse {
  const { id, chatId: subject, eventType, status, createdAt, dueAt, attempts } = row;
  const isOfVisitor = eventType === 'visitor.updated';
  return {
    id,
    eventId: eventIdOf(id),
    type: eventType,
    chatId: isOfVisitor ? null : subject,
    visitorId: isOfVisitor ? subject : null,
    status,
    createdAt,
    nextAttemptAt: status === 'pending' ? (dueAt ?? createdAt) : null,
    attempts: attempts.map(({ at, ...attempt }) => ({ at: new Date(at).toISOString(), ...attempt })),
  };
}
