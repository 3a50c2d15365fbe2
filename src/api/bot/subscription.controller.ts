import { Body, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { BotIdentity } from '../../auth/bots/access-tokens.queries.js';
import { CallingBot } from '../../auth/bots/bot.guard.js';
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
  @ApiOperation({ summary: 'Keep events for this bot, to be fetched', operationId: 'putSubscription' })
  @ApiOkResponse({ type: SubscriptionResponse })
  @ApiProblems('validation_failed', 'malformed_json', 'body_too_large', 'conflict', 'unsupported_media_type')
  async put(
    @CallingBot() { organizationId, botId }: BotIdentity,
    @Body() body: SubscriptionDto,
  ): Promise<SubscriptionResponse> {
    return toSubscriptionView(await this.subscriptions.put(organizationId, botId, body));
  }

  @Get()
  @ApiOperation({ summary: 'What is kept for this bot', operationId: 'getSubscription' })
  @ApiOkResponse({ type: SubscriptionResponse })
  @ApiProblems('not_found')
  async get(@CallingBot() { organizationId, botId }: BotIdentity): Promise<SubscriptionResponse> {
    return toSubscriptionView(await this.subscriptions.get(organizationId, botId));
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Keep nothing any more, and drop what waits', operationId: 'deleteSubscription' })
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  delete(@CallingBot() { organizationId, botId }: BotIdentity): Promise<void> {
    return this.subscriptions.delete(organizationId, botId);
  }
}
