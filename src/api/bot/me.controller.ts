import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { CallingBot, NeedsScope } from '../../auth/bots/bot.guard.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { BotApi } from './bot-api.decorator.js';
import { MeResponse, toMe } from './me.dto.js';

@BotApi('me', 'Me')
export class MeController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @NeedsScope('none')
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the bot of the token',
    description: 'Checks an address and a token with one request.',
  })
  @ApiOkResponse({ type: MeResponse })
  async get(@CallingBot() bot: BotIdentity): Promise<MeResponse> {
    return toMe(bot, await this.organizations.get(bot.organizationId));
  }
}
