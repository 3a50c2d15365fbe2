import { Get, Query } from '@nestjs/common';
import { TurnsService } from '../../bot-connections/connections/turns.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { toTurnFilter, toTurnResponse, TurnResponse, TurnsQuery, TurnsResponse } from './bot-turns.dto.js';
import { Organization } from './organization.pipe.js';

/** The turns of a connected bot (CONTRACT: Bots by address). */
@AdminApi('/:organizationId/bots/:botId/turns', 'Bots')
export class BotTurnsController {
  constructor(private readonly turns: TurnsService) {}

  @Get()
  @Describes('listBotTurns', 200, TurnsResponse, {
    summary: "List a connected bot's turns",
    description: 'Newest first, for 30 days. No words of a chat are in them, apart from `detail`.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(
    @Organization() organizationId: string,
    @Id('botId') botId: string,
    @Query() query: TurnsQuery,
  ): Promise<TurnsResponse> {
    const page = await this.turns.list(organizationId, botId, toTurnFilter(query), toTurnResponse);
    return { turns: page.items, nextCursor: page.nextCursor };
  }

  @Get(':turnId')
  @Describes('getBotTurn', 200, TurnResponse, {
    summary: 'Get a turn',
    description: 'With its runs, one for each request to the endpoint.',
  })
  async get(
    @Organization() organizationId: string,
    @Id('botId') botId: string,
    @Id('turnId') id: string,
  ): Promise<TurnResponse> {
    return toTurnResponse(await this.turns.get(organizationId, botId, id));
  }
}
