import { Injectable } from '@nestjs/common';
import { PresenceService } from '../agents/presence.service.js';
import type { AgentPaused, ChatCreated } from '../chats/chats.events.js';
import { OnDomainEvent } from '../platform/lib/domain-events.js';
import { AgentUpdates } from './agent-updates.js';

/** Passes on what concerns agents alone. */
@Injectable()
export class AgentListener {
  constructor(
    private readonly updates: AgentUpdates,
    private readonly presence: PresenceService,
  ) {}

  @OnDomainEvent('chat.created')
  onChatCreated({ organizationId, chatId }: ChatCreated): void {
    this.updates.touch(organizationId, { chatId }, 'here');
  }

  @OnDomainEvent('agent.paused')
  onPaused({ organizationId, agentId, reason }: AgentPaused): Promise<void> {
    return this.presence.announcePause(organizationId, agentId, reason);
  }
}
