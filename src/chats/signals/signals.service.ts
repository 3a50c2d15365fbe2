import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/context/request-context.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import '../model/chats.events.js';
import { ChatsService } from '../reading/chats.service.js';
import { ownerOf } from '../model/chat-owner.js';
import { notOwner } from '../moves/chat-problems.js';
import { ReadsService } from '../reading/reads.service.js';
import { TypedChatsService } from './typed-chats.service.js';

/** What a sender reports while it types. */
export interface TypingReport {
  isTyping: boolean;
  /** Everything that it has written so far; empty: nothing any more. Omitted: not told. */
  text?: string;
}

/** Typing and read marks of bots and agents. */
@Injectable()
export class SignalsService {
  constructor(
    private readonly chats: ChatsService,
    private readonly typed: TypedChatsService,
    private readonly reads: ReadsService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Tells who listens to a chat that a bot types, and what (CONTRACT section 12). It changes nothing of the chat.
   * @throws Problem not_found; not_owner with `ifOwner`, while the bots do not have the chat
   */
  async type(
    { organizationId, actor }: RequestContext,
    chatId: string,
    { isTyping, text, ifOwner }: TypingReport & { ifOwner?: 'BOT' },
  ): Promise<{ chatId: string; isTyping: boolean }> {
    const { status, agentId, afterSeq, at } = await this.typed.get(organizationId, chatId);
    const owner = ownerOf(status, agentId);
    if (ifOwner !== undefined && owner !== ifOwner) throw notOwner(owner);
    this.events.emit('chat.typing', {
      organizationId,
      chatId,
      actor,
      isTyping,
      afterSeq,
      at,
      ...(isTyping && text !== undefined && { text }),
    });
    return { chatId, isTyping };
  }

  /** @throws Problem not_found; validation_failed for a `seq` that the chat does not have yet */
  async read(
    { organizationId }: RequestContext,
    chatId: string,
    seq: number,
  ): Promise<{ chatId: string; seq: number }> {
    const chat = await this.chats.get(organizationId, chatId);
    return { chatId, seq: await this.reads.mark(chat, 'organization', seq) };
  }
}
