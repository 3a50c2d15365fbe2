import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { invalid, notFound } from '../platform/http/problem.js';
import type { Side } from './chat-read.entity.js';
import type { Chat } from './chat.entity.js';
import { type ReadState, toReadState } from './chat-state.js';
import './chats.events.js';
import { advanceRead, findReads } from './reads.queries.js';

/** How far each side has read a chat. */
@Injectable()
export class ReadsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * A side has read everything up to `seq`; a mark never goes back. Answers where it is now.
   * @throws Problem validation_failed for what has not been said yet
   */
  async mark({ organizationId, id, messageCount }: Chat, side: Side, seq: number): Promise<number> {
    if (seq > messageCount) throw invalid('/seq', `must be at most ${messageCount}`);
    const hasMoved = seq > 0 && (await advanceRead(this.manager, organizationId, id, side, seq));
    if (!hasMoved) return (await this.get(organizationId, id))[side];
    this.events.emit('chat.changed', { organizationId, chatId: id });
    return seq;
  }

  /** @throws Problem not_found */
  async get(organizationId: string, chatId: string): Promise<ReadState> {
    return toReadState((await findReads(this.manager, organizationId, chatId)) ?? notFound('Chat'));
  }
}
