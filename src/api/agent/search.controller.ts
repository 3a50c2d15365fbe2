import { Body, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { KnownFieldsGuard } from '../../platform/http/requests/known-fields.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { SearchService } from '../../search/reading/search.service.js';
import { AgentSearchQuery, AgentSearchRequest, toSearchInput } from '../search.dto.js';
import { AgentApi } from './agent-api.decorator.js';
import { SearchResponse } from './search.dto.js';

/** Finds chats by what was written in them (CONTRACT: Search). */
@AgentApi('/search', 'Search')
export class AgentSearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @UseGuards(KnownFieldsGuard)
  @ApiOperation({
    operationId: 'search',
    summary: 'Search the chats',
    description:
      'Finds words in messages, notes, and visitors. `POST` does the same, and keeps the words out of proxies’ logs.',
  })
  @ApiOkResponse({ type: SearchResponse })
  @ApiProblems('validation_failed', 'not_found', 'not_ready')
  find(@CurrentAgent() agent: AgentIdentity, @Query() query: AgentSearchQuery): Promise<SearchResponse> {
    return this.searches.searchAsAgent(agent, toSearchInput(query, '?'));
  }

  @Post()
  @HttpCode(200)
  @UseGuards(KnownFieldsGuard)
  @ApiOperation({
    operationId: 'searchByBody',
    summary: 'Search the chats, without the words in the address',
    description: 'The same as `GET`, with the parameters as JSON.',
  })
  @ApiOkResponse({ type: SearchResponse })
  @ApiProblems(
    'validation_failed',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
    'not_found',
    'not_ready',
  )
  findByBody(@CurrentAgent() agent: AgentIdentity, @Body() body: AgentSearchRequest): Promise<SearchResponse> {
    return this.searches.searchAsAgent(agent, toSearchInput(body, '/'));
  }
}
