import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { BotIdentity } from '../auth/access-tokens.queries.js';
import { Caller } from '../auth/bot.guard.js';
import { BotApi } from '../auth/doors.js';
import { GroupResponse } from './groups.dto.js';
import { GroupsService } from './groups.service.js';

@BotApi('groups', 'Groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @ApiOperation({ summary: 'List the agent groups, ordered by name', operationId: 'listGroups' })
  @ApiOkResponse({ type: [GroupResponse] })
  list(@Caller() bot: BotIdentity): Promise<GroupResponse[]> {
    return this.groups.listWithAgentCount(bot.organizationId);
  }
}
