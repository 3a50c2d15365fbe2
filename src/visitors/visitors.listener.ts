import { Injectable } from '@nestjs/common';
import type { AgentDeleted } from '../agents/agents.events.js';
import type { BotTyping, ChatChanged } from '../chats/chats.events.js';
import type { ChatsRemoved, VisitorErased } from '../chats/visitors.events.js';
import { OnDomainEvent } from '../common/domain-events.js';
import type { GroupDeleted } from '../groups/groups.events.js';
import type { MessageCreated } from '../messages/messages.events.js';
import { EVERYBODY } from '../nodes/other-nodes.js';
import type { OrganizationDeleted, OriginsChanged } from '../organizations/organizations.events.js';
import { LiveUpdates } from './live-updates.js';

/** Tells visitors what happened in their chats. */
@Injectable()
export class VisitorsListener {
  constructor(private readonly updates: LiveUpdates) {}

  @OnDomainEvent('message.created')
  onMessageCreated(fact: MessageCreated): Promise<void> {
    return this.updates.bring(fact.message.chatId, 'message.created', fact);
  }

  @OnDomainEvent('bot.typing')
  onBotTyping(fact: BotTyping): Promise<void> {
    return this.updates.bring(fact.chatId, 'bot.typing', fact);
  }

  @OnDomainEvent('chat.changed')
  onChatChanged(fact: ChatChanged): Promise<void> {
    return this.updates.bring(fact.chatId, 'chat.changed', fact);
  }

  @OnDomainEvent('group.deleted')
  async onGroupDeleted({ organizationId, movedChatIds }: GroupDeleted): Promise<void> {
    for (const chatId of movedChatIds) await this.onChatChanged({ organizationId, chatId });
  }

  @OnDomainEvent('agent.deleted')
  async onAgentDeleted({ organizationId, unassignedChatIds }: AgentDeleted): Promise<void> {
    for (const chatId of unassignedChatIds) await this.onChatChanged({ organizationId, chatId });
  }

  @OnDomainEvent('organization.deleted')
  onOrganizationDeleted(fact: OrganizationDeleted): Promise<void> {
    return this.updates.bring(EVERYBODY, 'organization.deleted', fact);
  }

  @OnDomainEvent('organization.originsChanged')
  onOriginsChanged(fact: OriginsChanged): Promise<void> {
    return this.updates.bring(EVERYBODY, 'organization.originsChanged', fact);
  }

  @OnDomainEvent('visitor.erased')
  onVisitorErased(fact: VisitorErased): Promise<void> {
    return this.updates.bring(EVERYBODY, 'visitor.erased', fact);
  }

  @OnDomainEvent('chats.removed')
  onChatsRemoved(fact: ChatsRemoved): Promise<void> {
    return this.updates.bring(EVERYBODY, 'chats.removed', fact);
  }
}
