import { Body, Patch } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AttributesService } from '../../attributes/attributes.service.js';
import { ChatTitlesService } from '../../chats/moves/chat-titles.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ChangeChatRequest, ChangedChatResponse } from '../chat-changes.dto.js';
import { BODY, Describes } from '../describes.js';
import { BotApi } from './bot-api.decorator.js';

@BotApi('chats', 'Chats')
export class TitlesController {
  constructor(
    private readonly titles: ChatTitlesService,
    private readonly attributes: AttributesService,
  ) {}

  @Patch(':chatId')
  @ApiParam({ name: 'chatId' })
  @Describes('changeChat', 200, ChangedChatResponse, {
    summary: 'Give a chat a title, or attributes',
    description:
      'The visitor reads the title in the list of their chats, and agents beside the chat. Attributes are merged by key, and only bots, agents, and administrators read them. Without a field, nothing changes.',
    problems: [...BODY, 'not_found'],
  })
  async change(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { title, attributes }: ChangeChatRequest,
  ): Promise<ChangedChatResponse> {
    await this.attributes.changeOfChat(context, chatId, attributes);
    return this.titles.set(context.organizationId, chatId, title);
  }
}
