import { Body, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BotStatesService } from '../../chats/reading/bot-states.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { BotApi } from './bot-api.decorator.js';
import { ChatStateResponse, SetStateRequest } from './states.dto.js';

@BotApi('chats', 'Chats')
export class StatesController {
  constructor(private readonly states: BotStatesService) {}

  @Get(':chatId/state')
  @ApiOperation({
    operationId: 'getState',
    summary: "Get the bot's state of a chat",
    description: 'What this bot keeps about the chat. Other bots, agents, and the visitor never see it.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ChatStateResponse })
  @ApiProblems('not_found')
  get(@Context() context: RequestContext, @Id('chatId') chatId: string): Promise<ChatStateResponse> {
    return this.states.get(context, chatId);
  }

  @Put(':chatId/state')
  @ApiOperation({
    operationId: 'setState',
    summary: "Replace the bot's state of a chat",
    description: 'With `version`, only if the state still has it. So two copies of a bot never overwrite each other.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ChatStateResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  @ApiProblems('not_found', 'precondition_failed')
  set(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() { state, version }: SetStateRequest,
  ): Promise<ChatStateResponse> {
    return this.states.set(context, chatId, state, version ?? null);
  }
}
