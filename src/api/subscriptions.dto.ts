import { ApiProperty } from '@nestjs/swagger';
import { SENDER_TYPES, type SenderType } from '../messages/message.js';
import { EVENT_TYPES, type EventType } from '../receivers/event-type.js';
import type { SubscriptionView } from '../pull/subscription.js';

/** What a bot fetches, and how far it is, for bots and administrators (CONTRACT: Polling for events). */
export class SubscriptionResponse implements SubscriptionView {
  @ApiProperty({ enum: [...EVENT_TYPES], isArray: true })
  events!: readonly EventType[];

  @ApiProperty({ enum: [...SENDER_TYPES], isArray: true })
  senderTypes!: readonly SenderType[];

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The last call for events' })
  lastPolledAt!: Date | null;

  @ApiProperty({ type: 'integer', description: 'How many events are not done' })
  pending!: number;
}
