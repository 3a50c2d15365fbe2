import { Injectable } from '@nestjs/common';
import type { AgentChanged, AgentPresenceChanged } from '../agents/agents.events.js';
import type { AgentSessionEnded, VisitorTokenEnded } from '../auth/context/auth.events.js';
import type { BotDeleted } from '../bots/bots.events.js';
import type {
  ChatChanged,
  ChatOfferEnded,
  ChatOfferMade,
  ChatsChanged,
  ChatTakenOver,
} from '../chats/model/chats.events.js';
import type { GroupChanged } from '../groups/groups.events.js';
import type { ChatFollowed } from '../inbox/views/followed-chats.service.js';
import type { MentionsSeen, NoteMentioned } from '../inbox/notes/notes.events.js';
import type { ChatsRemoved, VisitorBlocked, VisitorErased } from '../visitors/visitors.events.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import type { MessageCreated, MessageDeleted } from '../messages/messages.events.js';
import { ALL_NODES } from '../platform/cluster/other-nodes.js';
import type { TagsChanged } from '../tags/tags.events.js';
import type { OrganizationDeleted, OriginsChanged } from '../organizations/organizations.events.js';
import { agentsChannel } from './agent-state/agent-feed.js';
import { LiveUpdates } from './feeds/live-updates.js';

/** Publishes domain events to the sockets that need them, on every node. */
@Injectable()
export class LiveListener {
  constructor(private readonly updates: LiveUpdates) {}

  @OnDomainEvent('message.created')
  onMessageCreated(fact: MessageCreated): Promise<void> {
    return this.updates.deliver(fact.message.chatId, 'message.created', fact);
  }

  @OnDomainEvent('message.deleted')
  onMessageDeleted(fact: MessageDeleted): Promise<void> {
    return this.updates.deliver(fact.message.chatId, 'message.deleted', fact);
  }

  @OnDomainEvent('bot.deleted')
  onBotDeleted({ organizationId, botId }: BotDeleted): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'sender.gone', { organizationId, senderId: botId });
  }

  @OnDomainEvent('chat.changed')
  onChatChanged(fact: ChatChanged): Promise<void> {
    return this.updates.deliver(fact.chatId, 'chat.changed', fact);
  }

  @OnDomainEvent('chat.takenOver')
  onVisitorChanged(fact: ChatTakenOver): Promise<void> {
    return this.updates.deliver(fact.chatId, 'chat.takenOver', fact);
  }

  @OnDomainEvent('token.ended')
  onTokenEnded(fact: VisitorTokenEnded): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'token.ended', fact);
  }

  @OnDomainEvent('chats.changed')
  async onChatsChanged({ organizationId, previousGroupId, chats }: ChatsChanged): Promise<void> {
    for (const { id: chatId, ...place } of chats) {
      await this.onChatChanged({ organizationId, chatId, previousGroupId, place });
    }
  }

  @OnDomainEvent('organization.deleted')
  onOrganizationDeleted(fact: OrganizationDeleted): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'organization.deleted', fact);
  }

  @OnDomainEvent('organization.originsChanged')
  onOriginsChanged(fact: OriginsChanged): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'organization.originsChanged', fact);
  }

  @OnDomainEvent('visitor.blocked')
  onVisitorBlocked(fact: VisitorBlocked): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'visitor.blocked', fact);
  }

  @OnDomainEvent('visitor.erased')
  onVisitorErased(fact: VisitorErased): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'visitor.erased', fact);
  }

  @OnDomainEvent('chats.removed')
  onChatsRemoved(fact: ChatsRemoved): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'chats.removed', fact);
  }

  @OnDomainEvent('agent.changed')
  onAgentChanged(fact: AgentChanged): Promise<void> {
    const { organizationId, agentId: senderId, rights } = fact;
    if (!rights) void this.updates.deliver(ALL_NODES, 'sender.gone', { organizationId, senderId });
    return this.updates.deliver(agentsChannel(organizationId), 'agent.changed', fact);
  }

  @OnDomainEvent('group.changed')
  onGroupChanged(fact: GroupChanged): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'group.changed', fact);
  }

  @OnDomainEvent('tags.changed')
  onTagsChanged(fact: TagsChanged): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'tags.changed', fact);
  }

  @OnDomainEvent('agent.presenceChanged')
  onPresenceChanged(fact: AgentPresenceChanged): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'agent.presenceChanged', fact);
  }

  @OnDomainEvent('agentSession.ended')
  onAgentSessionEnded(fact: AgentSessionEnded): Promise<void> {
    return this.updates.deliver(ALL_NODES, 'agentSession.ended', fact);
  }

  @OnDomainEvent('chatOffer.made')
  onOfferMade(fact: ChatOfferMade): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'chatOffer.made', fact);
  }

  @OnDomainEvent('chatOffer.ended')
  onOfferEnded(fact: ChatOfferEnded): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'chatOffer.ended', fact);
  }

  @OnDomainEvent('note.mentioned')
  onNoteMentioned(fact: NoteMentioned): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'note.mentioned', fact);
  }

  @OnDomainEvent('chat.followed')
  onChatFollowed(fact: ChatFollowed): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'chat.followed', fact);
  }

  @OnDomainEvent('mentions.seen')
  onMentionsSeen(fact: MentionsSeen): Promise<void> {
    return this.updates.deliver(agentsChannel(fact.organizationId), 'mentions.seen', fact);
  }
}
