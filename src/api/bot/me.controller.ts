import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Context, type RequestContext } from '../../auth/context/request-context.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { BotApi } from './bot-api.decorator.js';
import { MeResponse, toMe } from './me.dto.js';

@BotApi('me', 'Me')
export class MeController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the bot of the token',
    description: 'Checks an address and a token with one request.',
  })
  @ApiOkResponse({ type: MeResponse })
  async get(@Context() { organizationId, actor }: RequestContext): Promise<MeResponse> {
    return toMe(actor, await this.organizations.get(organizationId));
  }
}
