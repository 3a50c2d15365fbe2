import { Injectable } from '@nestjs/common';
import type { AgentChanged, AgentPresenceChanged } from '../agents/agents.events.js';
import type { AgentSessionEnded, VisitorTokenEnded } from '../auth/context/auth.events.js';
import type { BotDeleted } from '../bots/bots.events.js';
import type {
  ChatChanged,
  ChatOfferEnded,
  ChatOfferMade,
  ChatsChanged,
  ChatVisitorChanged,
} from '../chats/model/chats.events.js';
import type { ChatsRemoved, VisitorErased } from '../visitors/visitors.events.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import type { MessageCreated } from '../messages/messages.events.js';
import { ALL_NODES } from '../platform/cluster/other-nodes.js';
import type { OrganizationDeleted, OriginsChanged } from '../organizations/organizations.events.js';
import { agentsChannel } from './agent-state/agent-feed.js';
import { LiveUpdates } from './feeds/live-updates.js';

/** Passes domain events on to the sockets that they concern. */
@Injectable()
export class LiveListener {
  constructor(private readonly updates: LiveUpdates) {}

  @OnDomainEvent('message.created')
  onMessageCreated(fact: MessageCreated): Promise<void> {
    return this.updates.bring(fact.message.chatId, 'message.created', fact);
  }

  @OnDomainEvent('bot.deleted')
  onBotDeleted({ organizationId, botId }: BotDeleted): Promise<void> {
    return this.updates.bring(ALL_NODES, 'sender.gone', { organizationId, senderId: botId });
  }

  @OnDomainEvent('chat.changed')
  onChatChanged(fact: ChatChanged): Promise<void> {
    return this.updates.bring(fact.chatId, 'chat.changed', fact);
  }

  @OnDomainEvent('chat.visitorChanged')
  onVisitorChanged(fact: ChatVisitorChanged): Promise<void> {
    return this.updates.bring(fact.chatId, 'chat.takenOver', fact);
  }

  @OnDomainEvent('visitorToken.ended')
  onTokenEnded(fact: VisitorTokenEnded): Promise<void> {
    return this.updates.bring(ALL_NODES, 'token.ended', fact);
  }

  @OnDomainEvent('chats.changed')
  async onChatsChanged({ organizationId, previousGroupId, chats }: ChatsChanged): Promise<void> {
    for (const { id: chatId, ...place } of chats) {
      await this.onChatChanged({ organizationId, chatId, previousGroupId, place });
    }
  }

  @OnDomainEvent('organization.deleted')
  onOrganizationDeleted(fact: OrganizationDeleted): Promise<void> {
    return this.updates.bring(ALL_NODES, 'organization.deleted', fact);
  }

  @OnDomainEvent('organization.originsChanged')
  onOriginsChanged(fact: OriginsChanged): Promise<void> {
    return this.updates.bring(ALL_NODES, 'organization.originsChanged', fact);
  }

  @OnDomainEvent('visitor.erased')
  onVisitorErased(fact: VisitorErased): Promise<void> {
    return this.updates.bring(ALL_NODES, 'visitor.erased', fact);
  }

  @OnDomainEvent('chats.removed')
  onChatsRemoved(fact: ChatsRemoved): Promise<void> {
    return this.updates.bring(ALL_NODES, 'chats.removed', fact);
  }

  @OnDomainEvent('agent.changed')
  onAgentChanged(fact: AgentChanged): Promise<void> {
    const { organizationId, agentId: senderId, rights } = fact;
    if (!rights) void this.updates.bring(ALL_NODES, 'sender.gone', { organizationId, senderId });
    return this.updates.bring(agentsChannel(organizationId), 'agent.changed', fact);
  }

  @OnDomainEvent('agent.presenceChanged')
  onPresenceChanged(fact: AgentPresenceChanged): Promise<void> {
    return this.updates.bring(agentsChannel(fact.organizationId), 'agent.presenceChanged', fact);
  }

  @OnDomainEvent('agentSession.ended')
  onAgentSessionEnded(fact: AgentSessionEnded): Promise<void> {
    return this.updates.bring(ALL_NODES, 'agentSession.ended', fact);
  }

  @OnDomainEvent('chatOffer.made')
  onOfferMade(fact: ChatOfferMade): Promise<void> {
    return this.updates.bring(agentsChannel(fact.organizationId), 'chatOffer.made', fact);
  }

  @OnDomainEvent('chatOffer.ended')
  onOfferEnded(fact: ChatOfferEnded): Promise<void> {
    return this.updates.bring(agentsChannel(fact.organizationId), 'chatOffer.ended', fact);
  }
}
