import { Injectable } from '@nestjs/common';
import type { Actor } from '../auth/request-context.js';
import '../chats/chats.events.js';
import { ReadsService } from '../chats/reads.service.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { InboxService } from './inbox.service.js';
import type { Viewer } from './viewer.js';

/** Typing and read marks of agents (CONTRACT section 10). */
@Injectable()
export class AgentSignalsService {
  constructor(
    private readonly inbox: InboxService,
    private readonly reads: ReadsService,
    private readonly events: DomainEventBus,
  ) {}

  /** The visitor sees the typing of the agent who has the chat; other agents are seen by agents only. @throws Problem not_found */
  async type(
    viewer: Viewer & { name: string },
    chatId: string,
    isTyping: boolean,
  ): Promise<{ chatId: string; isTyping: boolean }> {
    const chat = await this.inbox.getSeenChat(viewer, chatId);
    const actor: Actor = { type: 'AGENT', id: viewer.agentId, name: viewer.name };
    this.events.emit('chat.typing', { chatId, actor, isTyping, isForAgentsOnly: chat.agentId !== viewer.agentId });
    return { chatId, isTyping };
  }

  /** Raises the mark that all agents share. @throws Problem not_found; validation_failed for a `seq` that the chat does not have yet */
  async read(viewer: Viewer, chatId: string, seq: number): Promise<{ chatId: string; seq: number }> {
    const chat = await this.inbox.getSeenChat(viewer, chatId);
    return { chatId, seq: await this.reads.markByAgents(chat, seq) };
  }
}
