import { ApiProperty } from '@nestjs/swagger';
import { MAX_TITLE } from '../chats/moves/chat-titles.queries.js';
import { Name } from '../platform/validation/validators.js';

/** The body of `PATCH /api/bot/chats/{chatId}` and `PATCH /api/agent/chats/{chatId}` (CONTRACT section 2). */
export class ChangeChatRequest {
  @Name(MAX_TITLE, {
    optional: true,
    nullable: true,
    description: "The chat's title in lists. Null removes it: the visitor's first words are shown again",
    example: 'Order 4711: wrong size',
  })
  title?: string | null;
}

export class ChangedChatResponse {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;
}
