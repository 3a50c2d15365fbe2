import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BotApi } from './bot-api.decorator.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ReadMarks } from '../chats.dto.js';
import { ReadsService } from '../../chats/reading/reads.service.js';
import { BotTypingDto, BotTypingResponse, ReadDto, ReadResponse } from '../signals.dto.js';
import { OwnRate } from '../../auth/bots/bot.guard.js';
import { BotTyping } from '../../live/typing/bot-typing.js';

@BotApi('chats', 'Chats')
export class SignalsController {
  constructor(
    private readonly typing: BotTyping,
    private readonly reads: ReadsService,
  ) {}

  @Post(':chatId/typing')
  @HttpCode(200)
  @OwnRate('bot_typing')
  @ApiOperation({
    operationId: 'setTyping',
    summary: 'Send a typing signal',
    description:
      'With `text`, the visitor sees what you have written so far. Repeat it every few seconds: it ends by itself after 10 s, and with the message.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: BotTypingResponse })
  @ApiProblems(
    'validation_failed',
    'malformed_json',
    'body_too_large',
    'not_found',
    'not_owner',
    'unsupported_media_type',
  )
  type(
    @Context() context: RequestContext,
    @Id('chatId') chatId: string,
    @Body() body: BotTypingDto,
  ): Promise<BotTypingResponse> {
    return this.typing.report(context, chatId, body);
  }

  @Post(':chatId/read')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'markRead',
    summary: 'Mark messages as read',
    description: 'A read mark never goes back: a lower `seq` changes nothing.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ReadResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'unsupported_media_type')
  read(@Context() context: RequestContext, @Id('chatId') chatId: string, @Body() body: ReadDto): Promise<ReadResponse> {
    return this.reads.markByBot(context.organizationId, chatId, body.seq);
  }

  @Get(':chatId/read')
  @ApiOperation({
    operationId: 'getReadMarks',
    summary: 'Get the read marks of a chat',
    description: 'How far the visitor and your side have read.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ReadMarks })
  @ApiProblems('not_found')
  getRead(@Context() context: RequestContext, @Id('chatId') chatId: string): Promise<ReadMarks> {
    return this.reads.get(context.organizationId, chatId);
  }
}
