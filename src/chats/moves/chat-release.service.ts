import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { ChatOffers } from './chat-offers.service.js';
import { findAgentsOf, removeHandoffData } from './chat-release.queries.js';
import { addLoad } from './chat-transitions.queries.js';
import '../model/chats.events.js';

/** Takes erased or removed chats from their agents. Sends no webhook. */
@Injectable()
export class ChatReleaseService {
  constructor(
    private readonly offers: ChatOffers,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Withdraws the offers of these chats, reduces their agents' load, and removes their hand-offs, offers and notes. Call this in
   * the transaction that has locked the chats, before it clears their agents.
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
