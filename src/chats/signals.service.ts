import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/request-context.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import './chats.events.js';
import { ChatsService } from './chats.service.js';
import { ReadsService } from './reads.service.js';

/** Typing and read marks of bots and agents. */
@Injectable()
export class SignalsService {
  constructor(
    private readonly chats: ChatsService,
    private readonly reads: ReadsService,
    private readonly events: DomainEventBus,
  ) {}

  /** @throws Problem not_found */
  async type(
    { organizationId, actor }: RequestContext,
    chatId: string,
    isTyping: boolean,
  ): Promise<{ chatId: string; isTyping: boolean }> {
    await this.chats.get(organizationId, chatId);
    this.events.emit('chat.typing', { chatId, actor, isTyping });
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
