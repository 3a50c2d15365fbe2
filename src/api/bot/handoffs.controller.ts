import { Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { NeedsScope } from '../../auth/bots/bot.guard.js';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { AvailabilityService } from '../../handoff/availability.service.js';
import { TransferService } from '../../handoff/transfer.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { BotApi } from './bot-api.decorator.js';
import { AvailabilityResponse, ReturnResponse } from './handoffs.dto.js';

@BotApi('', 'Transfer')
export class HandoffsController {
  constructor(
    private readonly transfers: TransferService,
    private readonly availability: AvailabilityService,
  ) {}

  @Get('groups/availability')
  @ApiOperation({
    operationId: 'listAvailability',
    summary: 'List the availability of the groups',
    description: 'Whether agents of each group can take a chat now, and how long a chat would wait.',
  })
  @ApiOkResponse({ type: [AvailabilityResponse] })
  list(@Context() { organizationId }: RequestContext): Promise<AvailabilityResponse[]> {
    return this.availability.list(organizationId);
  }

  @Post('chats/:chatId/return')
  @HttpCode(200)
  @NeedsScope('handover')
  @ApiOperation({
    operationId: 'returnChat',
    summary: 'Take back a waiting chat',
    description: 'Only while the chat waits for an agent; otherwise 409 `not_waiting`.',
  })
  @ApiParam({ name: 'chatId' })
  @ApiOkResponse({ type: ReturnResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type')
  @ApiProblems('not_found', 'not_waiting')
  return(@Context() context: RequestContext, @Id('chatId') chatId: string): Promise<ReturnResponse> {
    return this.transfers.withdraw(context, chatId);
  }
}
