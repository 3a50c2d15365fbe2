import { Body, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { CallingBot, NeedsScope } from '../../auth/bots/bot.guard.js';
import { ApiProblems } from '../../platform/http/responses/problem.dto.js';
import { toSubscriptionView } from '../../pull/subscription.js';
import { SubscriptionsService } from '../../pull/subscriptions.service.js';
import { BotApi } from './bot-api.decorator.js';
import { SubscriptionResponse } from '../subscriptions.dto.js';
import { SubscriptionDto } from './pull.dto.js';

@BotApi('subscription', 'Events')
export class SubscriptionController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Put()
  @NeedsScope('read')
  @ApiOperation({
    operationId: 'putSubscription',
    summary: 'Create or change the subscription',
    description: 'From then on, events are stored for the bot, until it acknowledges them.',
  })
  @ApiOkResponse({ type: SubscriptionResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'conflict', 'unsupported_media_type')
  async put(
    @CallingBot() { organizationId, botId }: BotIdentity,
    @Body() body: SubscriptionDto,
  ): Promise<SubscriptionResponse> {
    return toSubscriptionView(await this.subscriptions.put(organizationId, botId, body));
  }

  @Get()
  @ApiOperation({
    operationId: 'getSubscription',
    summary: 'Get the subscription',
    description: '404 while the bot has none.',
  })
  @ApiOkResponse({ type: SubscriptionResponse })
  @ApiProblems('not_found')
  async get(@CallingBot() { organizationId, botId }: BotIdentity): Promise<SubscriptionResponse> {
    return toSubscriptionView(await this.subscriptions.get(organizationId, botId));
  }

  @Delete()
  @NeedsScope('read')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteSubscription',
    summary: 'Delete the subscription',
    description: 'Its pending events are deleted too.',
  })
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  delete(@CallingBot() { organizationId, botId }: BotIdentity): Promise<void> {
    return this.subscriptions.delete(organizationId, botId);
  }
}
