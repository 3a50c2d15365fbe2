import { Injectable } from '@nestjs/common';
import type { AgentDeleted } from '../agents/agents.events.js';
import type { BotTyping, ChatChanged } from '../chats/chats.events.js';
import { ChatsService } from '../chats/chats.service.js';
import { OnDomainEvent } from '../common/domain-events.js';
import type { GroupDeleted } from '../groups/groups.events.js';
import type { MessageCreated } from '../messages/messages.events.js';
import type { OrganizationDeleted } from '../organizations/organizations.events.js';
import { LiveFeed } from './live-feed.js';
import { SeqHints } from './seq-hints.js';
import { Typing } from './typing.js';

/** Tells visitors what happened in their chats. */
@Injectable()
export class VisitorsListener {
  constructor(
    private readonly feed: LiveFeed,
    private readonly chats: ChatsService,
    private readonly typing: Typing,
    private readonly hints: SeqHints,
  ) {}

  @OnDomainEvent('message.created')
  onMessageCreated({ organizationId, message }: MessageCreated): void {
    this.feed.sendMessage(message);
    this.hints.onSent(organizationId, message.chatId, message.seq);
    this.typing.stop(message.chatId, message.sender.id);
  }

  @OnDomainEvent('bot.typing')
  onBotTyping({ chatId, bot, isTyping }: BotTyping): void {
    this.typing.say(chatId, { type: 'BOT', ...bot }, isTyping);
  }

  @OnDomainEvent('chat.changed')
  async onChatChanged({ organizationId, chatId }: ChatChanged): Promise<void> {
    if (this.feed.hasListeners(chatId)) this.feed.sendChat(await this.chats.getState(organizationId, chatId));
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
  onOrganizationDeleted({ organizationId }: OrganizationDeleted): void {
    this.feed.disconnectOrganization(organizationId);
  }
}
