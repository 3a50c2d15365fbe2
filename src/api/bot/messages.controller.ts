import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import type { BotIdentity } from '../../auth/access-tokens.queries.js';
import { CurrentBot } from '../../auth/bot.guard.js';
import { BotApi } from './bot-api.decorator.js';
import { ApiProblems } from '../../platform/http/problem.dto.js';
import { Traceparent } from '../../platform/telemetry/trace.js';
import { ApiIdempotencyKey, ReplayedHeader } from './idempotency.dto.js';
import { IdempotencyKeyHeader, replayTo } from '../../messages/idempotency.js';
import { SendMessageDto, SentMessageResponse } from '../messages.dto.js';
import { MessagesService } from '../../messages/messages.service.js';

@BotApi('messages', 'Messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Send a message into a chat', operationId: 'sendMessage' })
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: SentMessageResponse, headers: ReplayedHeader })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'unsupported_media_type')
  @ApiProblems('idempotency_key_reused')
  send(
    @CurrentBot() bot: BotIdentity,
    @IdempotencyKeyHeader() key: string | null,
    @Traceparent() traceparent: string | null,
    @Body() body: SendMessageDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SentMessageResponse> {
    return this.messages.sendAsBot(bot, body, key, traceparent).then(replayTo(response));
  }
}
