import { Body, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { NeedsScope } from '../../auth/bots/bot.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BotApi } from './bot-api.decorator.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { ApiIdempotencyKey, ReplayedHeader } from './idempotency.dto.js';
import { IdempotencyKeyHeader, replayTo } from './idempotency-key.decorator.js';
import { TransferDto, TransferResponse } from './transfer.dto.js';
import { TransferService } from '../../handoff/transfer.service.js';

@BotApi('transfer', 'Transfer')
export class TransferController {
  constructor(private readonly transfers: TransferService) {}

  @Post()
  @HttpCode(200)
  @NeedsScope('handover')
  @ApiOperation({
    operationId: 'transferChat',
    summary: 'Transfer a chat to a group',
    description:
      'The chat waits for an agent of the group. Repeating the transfer replaces its reason and summary, and the chat keeps its position.',
  })
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: TransferResponse, headers: ReplayedHeader })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'not_found', 'conflict')
  @ApiProblems('nobody_available', 'not_owner')
  @ApiProblems('unsupported_media_type', 'idempotency_key_reused')
  transfer(
    @Context() context: RequestContext,
    @IdempotencyKeyHeader() key: string | null,
    @Body() body: TransferDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransferResponse> {
    return this.transfers.transfer(context, body, key).then(replayTo(response));
  }
}
