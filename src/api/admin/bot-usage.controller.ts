import { Get, Query } from '@nestjs/common';
import { UsageService } from '../../bot-connections/turns/usage.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { BotUsageResponse, UsageQuery } from './bot-usage.dto.js';
import { Organization } from './organization.pipe.js';

/** What a connected bot used (CONTRACT: Connections). */
@AdminApi('/:organizationId/bots/:botId/usage', 'Bots')
export class BotUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @Describes('getBotUsage', 200, BotUsageResponse, {
    summary: "Get a connected bot's turns and tokens by day",
    description:
      'Oldest first, in UTC, for 400 days. Days without turns are left out. Tokens are what the endpoint reports.',
    problems: ['validation_failed', 'not_found'],
  })
  async get(
    @Organization() organizationId: string,
    @Id('botId') botId: string,
    @Query() period: UsageQuery,
  ): Promise<BotUsageResponse> {
    return { days: await this.usage.list(organizationId, botId, period) };
  }
}
