import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { invalid, notFound } from '../../platform/errors/problem.js';
import type { Side } from '../model/chat-read.entity.js';
import type { Chat } from '../model/chat.entity.js';
import { type ReadState, toReadState } from './chat-state.js';
import { ChatsService } from './chats.service.js';
import '../model/chats.events.js';
import { advanceRead, advanceReadByAgents, findReads } from './reads.queries.js';

/** The part of a chat that read marks need. */
type ReadableChat = Pick<Chat, 'organizationId' | 'id' | 'messageCount'>;

/** The read marks of each side. */
@Injectable()
export class ReadsService {
  private readonly logger = new Logger(ReadsService.name);

  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Marks everything up to `seq` as read by a side. A mark never goes back. Returns the mark.
   * @throws Problem validation_failed for a `seq` above the chat's highest
   */
  mark(chat: ReadableChat, side: 'visitor' | 'organization', seq: number): Promise<number> {
    const { organizationId, id } = chat;
    return this.advance(chat, side, seq, () => advanceRead(this.manager, organizationId, id, side, seq));
  }

  /** The same for a chat that a bot has read. @throws Problem not_found, also for a chat of another organization */
  async markByBot(organizationId: string, chatId: string, seq: number): Promise<{ chatId: string; seq: number }> {
    const chat = await this.chats.get(organizationId, chatId);
    return { chatId, seq: await this.mark(chat, 'organization', seq) };
  }

  /** The same for the agents. Their mark also raises the organization's, and the chat's `rev`. */
  markByAgents(chat: ReadableChat, seq: number): Promise<number> {
    const { organizationId, id } = chat;
    return this.advance(chat, 'agents', seq, () => advanceReadByAgents(this.manager, organizationId, id, seq));
  }

  /**
   * Marks an agent's message and everything before it as read. Never fails: the message is stored, so the request must succeed.
   */
  async markWritten(organizationId: string, chatId: string, seq: number): Promise<void> {
    try {
      if (!(await advanceReadByAgents(this.manager, organizationId, chatId, seq))) return;
      this.events.emit('chat.changed', { organizationId, chatId });
    } catch (err) {
      this.logger.warn({ err, chatId }, 'failed to raise the read mark after an agent’s message');
    }
  }

  /** The marks that bots and visitors see. @throws Problem not_found */
  async get(organizationId: string, chatId: string): Promise<ReadState> {
    return toReadState((await findReads(this.manager, organizationId, chatId)) ?? notFound('Chat'));
  }

  /** The marks of all sides. @throws Problem not_found */
  async getAll(organizationId: string, chatId: string): Promise<Record<Side, number>> {
    const row = (await findReads(this.manager, organizationId, chatId)) ?? notFound('Chat');
    return { ...toReadState(row), agents: row.readByAgents };
  }

  private async advance(
    { organizationId, id, messageCount }: ReadableChat,
    side: Side,
    seq: number,
    write: () => Promise<boolean>,
  ): Promise<number> {
    if (seq > messageCount) throw invalid('/seq', `must be at most ${messageCount}`);
    const hasMoved = seq > 0 && (await write());
    if (!hasMoved) return (await this.getAll(organizationId, id))[side];
    this.events.emit('chat.changed', { organizationId, chatId: id });
    return seq;
  }
}
