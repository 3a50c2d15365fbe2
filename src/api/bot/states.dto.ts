import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { StoredState } from '../../chats/reading/bot-states.queries.js';
import { RequiredMetadata, WholeNumber } from '../../platform/validation/validators.js';

/** The body of `PUT /api/bot/chats/{chatId}/state` (CONTRACT: Bot API). */
export class SetStateRequest {
  @RequiredMetadata({ description: 'A JSON object of at most 10,240 bytes', example: { step: 'address' } })
  state!: Record<string, unknown>;

  @WholeNumber(0, 2_147_483_647, {
    optional: true,
    description: 'The version that is replaced; 0: there is none yet. Another one is 412. Omitted: any',
  })
  version?: number;
}

@ApiSchema({ name: 'BotState' })
export class ChatStateResponse implements StoredState {
  @ApiProperty({ type: 'object', additionalProperties: true, description: '`{}` when nothing was kept' })
  state!: Record<string, unknown>;

  @ApiProperty({ type: 'integer', description: 'Rises by one with every change; 0 when nothing was kept' })
  version!: number;
}
