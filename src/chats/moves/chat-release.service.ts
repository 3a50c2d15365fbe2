import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { ChatOffers } from './chat-offers.service.js';
import { findAgentsOf, removeHandoffData } from './chat-release.queries.js';
import { addLoad } from './chat-transitions.queries.js';
import '../model/chats.events.js';

/** Takes chats that are erased or removed from the agents. No webhook is told. */
@Injectable()
export class ChatReleaseService {
  constructor(
    private readonly offers: ChatOffers,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Withdraws the offers of these chats, frees the room that they took of their agents, and removes their hand-offs, offers
   * and notes. To be called in the transaction of `tx` that has locked the chats, before it takes the agents from them.
   */
  async release(tx: EntityManager, organizationId: string, chatIds: readonly string[]): Promise<void> {
    const agentIds = await findAgentsOf(tx, organizationId, chatIds);
    const withdrawn = await this.offers.withdraw(tx, organizationId, chatIds);
    const freed = agentIds.map((agentId) => ({ agentId, chats: -1, offers: 0 }));
    await removeHandoffData(tx, organizationId, chatIds);
    await addLoad(tx, organizationId, [...freed, ...withdrawn], new Date());
    if (freed.length + withdrawn.length > 0) this.events.emit('queue.changed', { organizationId }, tx);
  }
}
