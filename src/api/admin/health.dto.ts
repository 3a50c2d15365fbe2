import { ApiProperty } from '@nestjs/swagger';
import { TROUBLE_KINDS, type Trouble, type TroubleKind } from '../../inbox/health.queries.js';
import { TextOrNull, Time } from './response-fields.js';

class TroubleResponse implements Trouble {
  @ApiProperty({ enum: [...TROUBLE_KINDS] })
  kind!: TroubleKind;

  @TextOrNull({
    description:
      'Of the webhook, bot, or group, or of the chat whose e-mail waits for the longest time; null for e-mails that fail, and for chats that any bot could take',
  })
  id!: string | null;

  @TextOrNull({ description: 'The webhook’s URL, or the name of the bot or group' })
  name!: string | null;

  @Time({ nullable: true, description: 'When it began, as far as it’s known' })
  since!: Date | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Deliveries that were given up, chats without an answer, turns that failed in a row, waiting chats, e-mails, or chats with an e-mail to check; at most 1,000',
  })
  count!: number | null;
}

export class HealthResponse {
  @ApiProperty({ type: () => [TroubleResponse] })
  troubles!: TroubleResponse[];
}
