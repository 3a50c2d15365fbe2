import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { BotApi } from './bot-api.decorator.js';
import { GroupResponse } from './groups.dto.js';
import { GroupsService } from '../../groups/groups.service.js';

@BotApi('groups', 'Groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listGroups',
    summary: 'List the agent groups',
    description: 'Ordered by name.',
  })
  @ApiOkResponse({ type: [GroupResponse] })
  async list(@Context() context: RequestContext): Promise<GroupResponse[]> {
    const rows = await this.groups.listWithAgentCount(context.organizationId);
    return rows.map(({ id, name, agentCount, isDefault }) => ({ id, name, agentCount, isDefault }));
  }
}
