import { ApiProperty } from '@nestjs/swagger';
import { Name } from '../../platform/validation/validators.js';
import type { NewBot } from '../../bots/bots.service.js';
import type { BotRow } from '../../bots/bots.queries.js';
import type { Page } from '../../platform/validation/paging.js';
import { OptionalFlag } from './optional-flag.js';
import { EVENT_REFERENCE } from '../events.dto.js';
import { SubscriptionResponse } from '../subscriptions.dto.js';
import { NextCursor, Time } from './response-fields.js';

class BotOptions {
  @OptionalFlag('Whether the bot may only act in chats that it has. A new bot: false')
  onlyOwnChats?: boolean;

  @OptionalFlag(
    "Whether it's an AI, which visitors read before its first word. A new bot, and one with a connection: true",
  )
  isAi?: boolean;
}

export class CreateBotDto extends BotOptions implements NewBot {
  @Name(200)
  name!: string;
}

export class UpdateBotDto extends BotOptions implements Partial<NewBot> {
  @Name(200, { optional: true })
  name?: string;
}

export class BotResponse {
  @ApiProperty({ example: 'bot_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'Whether it may only act in chats that it has' })
  onlyOwnChats!: boolean;

  @ApiProperty({ description: "Whether it's an AI, which visitors read before its first word" })
  isAi!: boolean;

  @ApiProperty({ description: 'Whether events are kept for it, to be fetched' })
  hasSubscription!: boolean;

  @ApiProperty({ description: 'Whether an address answers for it' })
  hasConnection!: boolean;

  @Time()
  createdAt!: Date;
}

export class BotsResponse {
  @ApiProperty({ type: () => [BotResponse] })
  bots!: BotResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toBotResponse({
  id,
  name,
  onlyOwnChats,
  isAi,
  hasSubscription,
  hasConnection,
  createdAt,
}: BotRow): BotResponse {
  return { id, name, onlyOwnChats, isAi, hasSubscription, hasConnection, createdAt };
}

/** A bot's subscription and progress, so that administrators see if a bot has stopped polling. */
export class BotSubscriptionResponse extends SubscriptionResponse {
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The time of the oldest of them' })
  oldestAt!: Date | null;
}

export class BotEventsResponse {
  @ApiProperty({ type: 'array', items: EVENT_REFERENCE, description: 'What the bot gets next, oldest first' })
  events!: object[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toBotEventsResponse({ items, nextCursor }: Page<string>): BotEventsResponse {
  return { events: items.map((payload) => JSON.parse(payload) as object), nextCursor };
}
