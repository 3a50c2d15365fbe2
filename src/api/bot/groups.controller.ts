import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { BotIdentity } from '../../auth/access-tokens.queries.js';
import { CurrentBot } from '../../auth/bot.guard.js';
import { BotApi } from './bot-api.decorator.js';
import { GroupResponse } from './groups.dto.js';
import { GroupsService } from '../../groups/groups.service.js';

@BotApi('groups', 'Groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @ApiOperation({ summary: 'List the agent groups, ordered by name', operationId: 'listGroups' })
  @ApiOkResponse({ type: [GroupResponse] })
  list(@CurrentBot() bot: BotIdentity): Promise<GroupResponse[]> {
    return this.groups.listWithAgentCount(bot.organizationId);
  }
}
