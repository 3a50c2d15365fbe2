import { SENDER_TYPES, type SenderType } from '../../messages/message.js';
import { EVENT_TYPES, type EventType } from '../../outbox/event-type.js';
import type { SubscriptionView } from '../../pull/subscription.js';
import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../platform/http/validators.js';
import type { Bot } from '../../bots/bot.entity.js';
import { NextCursor, Time } from './answer-fields.js';

export class CreateBotDto {
  @Text(1, 200)
  name!: string;
}

export class UpdateBotDto {
  @Text(1, 200, { optional: true })
  name?: string;
}

export class BotResponse {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @Time()
  createdAt!: Date;
}

export class BotsResponse {
  @ApiProperty({ type: () => [BotResponse] })
  bots!: BotResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toBotResponse({ id, name, createdAt }: Bot): BotResponse {
  return { id, name, createdAt };
}

/** What a bot fetches, and how far it is (CONTRACT section 11). */
export class BotSubscriptionResponse implements SubscriptionView {
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

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The time of the oldest of them' })
  oldestAt!: Date | null;
}
