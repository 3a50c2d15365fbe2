import { Body, Patch } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { ChatTitlesService } from '../../chats/moves/chat-titles.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ChangeChatRequest, ChangedChatResponse } from '../chat-changes.dto.js';
import { BODY, Describes } from '../describes.js';
import { BotApi } from './bot-api.decorator.js';

@BotApi('chats', 'Chats')
export class TitlesController {
  constructor(private readonly titles: ChatTitlesService) {}

  @Patch(':chatId')
  @ApiParam({ name: 'chatId' })
  @Describes('changeChat', 200, ChangedChatResponse, {
    summary: 'Give a chat a title',
    description: 'The visitor reads it in the list of their chats, and agents beside the chat. Nothing else changes.',
    problems: [...BODY, 'not_found'],
  })
  change(
    @Context() { organizationId }: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { title }: ChangeChatRequest,
  ): Promise<ChangedChatResponse> {
    return this.titles.set(organizationId, chatId, title);
  }
}
