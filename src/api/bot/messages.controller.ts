import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BotApi } from './bot-api.decorator.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ApiIdempotencyKey, ReplayedHeader } from './idempotency.dto.js';
import { IdempotencyKeyHeader, replayTo } from './idempotency-key.decorator.js';
import { SendMessageDto, SentMessageResponse } from '../messages.dto.js';
import { MessagesService } from '../../messages/messages.service.js';

@BotApi('messages', 'Messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'sendMessage',
    summary: 'Send a message',
    description:
      'A message to a chat that has ended reopens it. With an `Idempotency-Key`, a retry never sends it twice.',
  })
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: SentMessageResponse, headers: ReplayedHeader })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'unsupported_media_type')
  @ApiProblems('idempotency_key_reused', 'not_owner')
  send(
    @Context() context: RequestContext,
    @IdempotencyKeyHeader() key: string | null,
    @Body() body: SendMessageDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SentMessageResponse> {
    return this.messages.send(context, body, key).then(replayTo(response));
  }
}
