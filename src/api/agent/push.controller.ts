import { Body, Delete, Get, HttpCode, Patch, Put } from '@nestjs/common';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { CurrentAgent } from '../../auth/agents/agent.guard.js';
import { SubscriptionsService } from '../../push/subscriptions.service.js';
import { BODY, Describes } from '../describes.js';
import { AgentApi } from './agent-api.decorator.js';
import { ChangePushDto, EndpointDto, PushResponse, PutSubscriptionDto } from './push.dto.js';

/** Push notifications of the agent who calls (CONTRACT: Push). */
@AgentApi('/push', 'Push notifications')
export class PushController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Get()
  @Describes('getPush', 200, PushResponse, {
    summary: 'Get the key to subscribe with, and the settings',
    description:
      'The settings hold for all your devices. If your browser subscribed with another key, subscribe again.',
    problems: [],
  })
  get(@CurrentAgent() agent: AgentIdentity): Promise<PushResponse> {
    return this.subscriptions.get(agent);
  }

  @Patch()
  @Describes('changePush', 200, PushResponse, {
    summary: 'Change what you are notified about, and when',
    description: 'Omitted fields stay as they are.',
    problems: BODY,
  })
  change(@CurrentAgent() agent: AgentIdentity, @Body() body: ChangePushDto): Promise<PushResponse> {
    return this.subscriptions.change(agent, { ...body });
  }

  @Put('subscriptions')
  @HttpCode(204)
  @Describes('putPushSubscription', 204, null, {
    summary: 'Subscribe a browser',
    description:
      'Takes the `PushSubscription` of the browser as JSON. It ends with your session. You have at most 10; the oldest ones are removed.',
    problems: BODY,
  })
  put(@CurrentAgent() agent: AgentIdentity, @Body() { language, ...subscription }: PutSubscriptionDto): Promise<void> {
    return this.subscriptions.put(agent, subscription, language);
  }

  @Delete('subscriptions')
  @HttpCode(204)
  @Describes('deletePushSubscription', 204, null, {
    summary: 'Unsubscribe a browser',
    description: 'An unknown endpoint changes nothing.',
    problems: BODY,
  })
  remove(@CurrentAgent() agent: AgentIdentity, @Body() { endpoint }: EndpointDto): Promise<void> {
    return this.subscriptions.remove(agent, endpoint);
  }
}
