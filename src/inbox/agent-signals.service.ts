import { Injectable } from '@nestjs/common';
import type { Viewer } from '../chats/model/chat-rights.js';
import type { Actor } from '../auth/context/request-context.js';
import type { ChatTyping } from '../chats/model/chats.events.js';
import { ReadsService } from '../chats/reading/reads.service.js';
import type { TypingReport } from '../chats/signals/signals.service.js';
import { TypedChatsService } from '../chats/signals/typed-chats.service.js';
import { TypingSockets } from '../chats/signals/typing-sockets.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { InboxService } from './inbox.service.js';

/** Typing and read marks of agents (CONTRACT section 10). */
@Injectable()
export class AgentSignalsService {
  private readonly sockets = new TypingSockets<Omit<ChatTyping, 'isTyping' | 'text'>>();

  constructor(
    private readonly inbox: InboxService,
    private readonly typed: TypedChatsService,
    private readonly reads: ReadsService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * The visitor sees the typing of the agent who has the chat, and its text; of other agents only agents learn, and no text.
   * @param socketId the socket that reports it; none over REST
   * @throws Problem not_found
   */
  async type(
    viewer: Viewer & { name: string },
    chatId: string,
    { isTyping, text }: TypingReport,
    socketId?: string,
  ): Promise<{ chatId: string; isTyping: boolean }> {
    const { organizationId, agentId, name } = viewer;
    await this.inbox.getSeenChat(viewer, chatId);
    const { agentId: ownerId, afterSeq, at } = await this.typed.get(organizationId, chatId);
    const isOwner = ownerId === agentId;
    const actor: Actor = { type: 'AGENT', id: agentId, name };
    const told = { organizationId, chatId, actor, isForAgentsOnly: !isOwner, afterSeq, at };
    if (!isTyping) this.sockets.end(chatId, agentId);
    else if (socketId !== undefined) this.sockets.add(socketId, chatId, agentId, told);
    this.events.emit('chat.typing', {
      ...told,
      isTyping,
      ...(isTyping && isOwner && text !== undefined && { text }),
    });
    return { chatId, isTyping };
  }

  /** To be called when a message was stored: it takes the place of what its sender typed. */
  onMessage(chatId: string, senderId: string | null): void {
    this.sockets.end(chatId, senderId);
  }

  /** To be called when a socket of an agent has disconnected: what it was the last to tell ends. */
  leave(socketId: string): void {
    for (const told of this.sockets.leave(socketId)) this.events.emit('chat.typing', { ...told, isTyping: false });
  }

  /** Raises the mark that all agents share. @throws Problem not_found; validation_failed for a `seq` that the chat does not have yet */
  async read(viewer: Viewer, chatId: string, seq: number): Promise<{ chatId: string; seq: number }> {
    const chat = await this.inbox.getSeenChat(viewer, chatId);
    return { chatId, seq: await this.reads.markByAgents(chat, seq) };
  }
}
