import { Get, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { CallingBot, NeedsScope } from '../../auth/bots/bot.guard.js';
import { KnownFieldsGuard } from '../../platform/http/requests/known-fields.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { SearchQuery } from '../search.dto.js';
import { BotApi } from './bot-api.decorator.js';
import { BotSearchService } from './bot-search.service.js';
import { BotSearchResponse } from './search.dto.js';

@BotApi('search', 'Search')
export class SearchController {
  constructor(private readonly searches: BotSearchService) {}

  @Get()
  @NeedsScope('none')
  @UseGuards(KnownFieldsGuard)
  @ApiOperation({
    operationId: 'search',
    summary: 'Search the chats',
    description:
      'Finds words in messages and visitors. Needs the scope `search` and `visitorId`, or the scope `search:all`. A token without `scopes` has neither.',
  })
  @ApiOkResponse({ type: BotSearchResponse })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  find(@CallingBot() bot: BotIdentity, @Query() query: SearchQuery): Promise<BotSearchResponse> {
    return this.searches.find(bot, query);
  }
}
