import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { BOT } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import {
  BotEventsResponse,
  BotResponse,
  BotsResponse,
  BotSubscriptionResponse,
  CreateBotDto,
  toBotEventsResponse,
  toBotResponse,
  UpdateBotDto,
} from './bots.dto.js';
import { BotsService } from '../../bots/bots.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { toSubscriptionView } from '../../pull/subscription.js';
import { SubscriptionsService } from '../../pull/subscriptions.service.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/bots', 'Bots')
export class BotsController {
  constructor(
    private readonly bots: BotsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @Describes('createBot', 201, BotResponse, {
    summary: 'Create a bot',
    description: 'Create an access token for it next.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  async create(@AdminContext() context: RequestContext, @Body() body: CreateBotDto) {
    return toBotResponse(await this.bots.create(context.organizationId, body, this.audit.hooks(context, BOT)));
  }

  @Get()
  @Describes('listBots', 200, BotsResponse, {
    summary: 'List the bots',
    description: '`hasSubscription` says whether a bot polls for events.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.bots.list(organizationId, query, toBotResponse);
    return { bots: items, nextCursor };
  }

  @Get(':botId')
  @Describes('getBot', 200, BotResponse, {
    summary: 'Get a bot',
    description: "`ETag` is the bot's version, for `If-Match`.",
    isVersioned: true,
  })
  async get(@Organization() organizationId: string, @Id('botId') id: string) {
    return toBotResponse(await this.bots.get(organizationId, id));
  }

  @Get(':botId/subscription')
  @Describes('getBotSubscription', 200, BotSubscriptionResponse, {
    summary: "Get a bot's subscription",
    description: '404 while the bot has not subscribed. A growing `oldestAt` shows that it stopped polling.',
  })
  async getSubscription(
    @Organization() organizationId: string,
    @Id('botId') id: string,
  ): Promise<BotSubscriptionResponse> {
    const row = await this.subscriptions.get(organizationId, id);
    return { ...toSubscriptionView(row), oldestAt: row.oldestAt };
  }

  @Get(':botId/subscription/events')
  @Describes('listBotEvents', 200, BotEventsResponse, {
    summary: 'List the events that wait for a bot',
    description: 'Reading them here acknowledges nothing: the bot still gets them.',
    problems: ['validation_failed', 'not_found'],
  })
  async listEvents(@Organization() organizationId: string, @Id('botId') id: string, @Query() query: PageQuery) {
    return toBotEventsResponse(await this.subscriptions.listEvents(organizationId, id, query));
  }

  @Patch(':botId')
  @Describes('updateBot', 200, BotResponse, {
    summary: 'Change a bot',
    description: 'Omitted fields stay as they are. Messages that the bot has sent keep the old name.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  async update(
    @AdminContext() context: RequestContext,
    @Id('botId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateBotDto,
  ) {
    const watch = this.audit.hooks(context, BOT, precondition);
    return toBotResponse(await this.bots.update(context.organizationId, id, body, watch));
  }

  @Delete(':botId')
  @HttpCode(204)
  @Describes('deleteBot', 204, null, {
    summary: 'Delete a bot',
    description: 'Its access tokens and its subscription are deleted too.',
  })
  delete(@AdminContext() context: RequestContext, @Id('botId') id: string): Promise<void> {
    return this.bots.delete(context.organizationId, id, this.audit.hooks(context, BOT));
  }
}
