import { Injectable } from '@nestjs/common';
import type { BotIdentity } from '../auth/access-tokens.queries.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import './chats.events.js';
import { ChatsService } from './chats.service.js';
import { ReadsService } from './reads.service.js';

/** What a bot lets the visitor of a chat know beside messages. */
@Injectable()
export class SignalsService {
  constructor(
    private readonly chats: ChatsService,
    private readonly reads: ReadsService,
    private readonly events: DomainEventBus,
  ) {}

  /** @throws Problem not_found */
  async type(
    { organizationId, botId, name }: BotIdentity,
    chatId: string,
    isTyping: boolean,
  ): Promise<{ chatId: string; isTyping: boolean }> {
    await this.chats.get(organizationId, chatId);
    this.events.emit('bot.typing', { chatId, bot: { id: botId, name }, isTyping });
    return { chatId, isTyping };
  }

  /** @throws Problem not_found; validation_failed for what has not been said yet */
  async read({ organizationId }: BotIdentity, chatId: string, seq: number): Promise<{ chatId: string; seq: number }> {
    const chat = await this.chats.get(organizationId, chatId);
    return { chatId, seq: await this.reads.mark(chat, 'organization', seq) };
  }
}
