import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { CreateBotDto, toBotResponse, UpdateBotDto } from './bots.dto.js';
import { BotsService } from '../../bots/bots.service.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { toSubscriptionView } from '../../pull/subscription.js';
import { SubscriptionsService } from '../../pull/subscriptions.service.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/bots')
export class BotsAdminController {
  constructor(
    private readonly bots: BotsService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  @Post()
  async create(@Organization() organizationId: string, @Body() { name }: CreateBotDto) {
    return toBotResponse(await this.bots.create(organizationId, name));
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.bots.list(organizationId, query, toBotResponse);
    return { bots: items, nextCursor };
  }

  @Get(':botId')
  async get(@Organization() organizationId: string, @Id('botId') id: string) {
    return toBotResponse(await this.bots.get(organizationId, id));
  }

  @Get(':botId/subscription')
  async getSubscription(@Organization() organizationId: string, @Id('botId') id: string) {
    const row = await this.subscriptions.get(organizationId, id);
    return { ...toSubscriptionView(row), oldestAt: row.oldestAt };
  }

  @Patch(':botId')
  async update(@Organization() organizationId: string, @Id('botId') id: string, @Body() { name }: UpdateBotDto) {
    return toBotResponse(await this.bots.update(organizationId, id, name));
  }

  @Delete(':botId')
  @HttpCode(204)
  delete(@Organization() organizationId: string, @Id('botId') id: string): Promise<void> {
    return this.bots.delete(organizationId, id);
  }
}
