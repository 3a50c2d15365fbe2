import { Get, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { CallingBot } from '../../auth/bots/bot.guard.js';
import type { JsonText } from '../../platform/http/server/http.adapter.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { PollService } from '../../pull/poll.service.js';
import { BotApi } from './bot-api.decorator.js';
import { NoHeadGuard } from './no-head.guard.js';
import { answerTo, EventsQuery, EventsResponse, signalOf } from './pull.dto.js';

@BotApi('events', 'Events')
export class EventsController {
  constructor(private readonly polls: PollService) {}

  @Get()
  @UseGuards(NoHeadGuard)
  @RouteLimits({ deadlineMs: null })
  @ApiOperation({
    operationId: 'pollEvents',
    summary: 'Poll for events',
    description:
      'Waits up to `wait` seconds for the next events. Events are returned again until you acknowledge them with `ack`. Only one call of a bot waits, or of each copy with `share`: an older one ends with 409 `superseded`.',
  })
  @ApiOkResponse({ type: EventsResponse })
  @ApiProblems('validation_failed', 'not_found', 'conflict', 'superseded')
  poll(
    @CallingBot() bot: BotIdentity,
    @Query() query: EventsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JsonText> {
    return this.polls.poll(bot, query, signalOf(response)).then(answerTo(response));
  }
}
