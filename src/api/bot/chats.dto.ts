import { ApiProperty } from '@nestjs/swagger';
import type { ClosedChat } from '../../handoff/chat-status.service.js';
import { Metadata, OneOf, Text } from '../../platform/validation/validators.js';
import { ChatResponse, ChatsQuery } from '../chats.dto.js';

export class BotChatsQuery extends ChatsQuery {
  @Text(1, 64, { optional: true, description: 'Only the chats of this visitor' })
  visitorId?: string;
}

/** The body of `POST /api/bot/chats` (CONTRACT: Bot API). */
export class OpenBotChatRequest {
  @Text(1, 64, {
    optional: true,
    description: 'The visitor. Give this or `externalId`',
    example: 'vis_01h455vb4pex5vsknk084sn02q',
  })
  visitorId?: string;

  @Text(1, 255, { optional: true, description: 'The visitor, by the `sub` of the identity that your server signed' })
  externalId?: string;

  @Text(1, 64, { optional: true, description: 'The group of a new chat. The default group when omitted' })
  groupId?: string;

  @Metadata({ description: 'The `metadata` of a new chat, which the visitor and agents see' })
  metadata?: Record<string, unknown>;
}

export class OpenedBotChatResponse {
  @ApiProperty({ type: () => ChatResponse })
  chat!: ChatResponse;

  @ApiProperty({ description: 'Whether this request created it' })
  isNew!: boolean;
}

/** The body of `POST /api/bot/chats/{chatId}/close`. */
export class CloseChatRequest {
  @OneOf(['BOT'], {
    optional: true,
    description:
      'Close the chat only if the bots have it; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`',
  })
  ifOwner?: 'BOT';
}

export class ClosedBotChatResponse implements ClosedChat {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ enum: ['NOBODY'] })
  owner!: 'NOBODY';
}
