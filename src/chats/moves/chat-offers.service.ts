import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { newId } from '../../platform/lib/ids.js';
import type { OfferEnd } from '../model/chat-offer.entity.js';
import { endOffer, insertOffer, type OfferedAgent, withdrawOffers } from './chat-offers.queries.js';
import { addLoad, type LoadChange, type LockedChat, raiseRev } from './chat-transitions.queries.js';
import '../model/chats.events.js';

/**
 * Makes and ends offers; no other class writes them. The chat is locked. `end` and `withdraw` return the load that they take from
 * agents. The caller passes it to `addLoad` together with other changes, so that agents are locked once, in one order.
 */
@Injectable()
export class ChatOffers {
  constructor(private readonly events: DomainEventBus) {}

  /** Offers a waiting chat to an agent, who is locked. */
  async make(tx: EntityManager, organizationId: string, chat: LockedChat, agent: OfferedAgent): Promise<void> {
    const offerId = newId('off');
    const agentId = agent.id;
    const expiresAt = await insertOffer(tx, organizationId, offerId, chat, agent);
    await raiseRev(tx, organizationId, chat.id);
    await addLoad(tx, organizationId, [{ agentId, chats: 0, offers: 1 }], chat.now);
    this.events.emit('chatOffer.made', { organizationId, offerId, chatId: chat.id, agentId, expiresAt }, tx);
    this.events.emit('chat.changed', { organizationId, chatId: chat.id }, tx);
  }

  /** Ends the pending offer, if any, of a chat that changes. */
  async end(tx: EntityManager, organizationId: string, chat: LockedChat, reason: OfferEnd): Promise<LoadChange[]> {
    const { id: chatId, offer, now } = chat;
    if (!offer) return [];
    const { id: offerId, agentId } = offer;
    await endOffer(tx, organizationId, offerId, now, reason);
    this.events.emit('chatOffer.ended', { organizationId, offerId, chatId, agentId, reason }, tx);
    return [{ agentId, chats: 0, offers: -1 }];
  }

  /** Ends the pending offer of a chat that keeps waiting, and changes nothing else. */
  async endAlone(tx: EntityManager, organizationId: string, chat: LockedChat, reason: OfferEnd): Promise<void> {
    const load = await this.end(tx, organizationId, chat, reason);
    if (load.length === 0) return;
    await raiseRev(tx, organizationId, chat.id);
    await addLoad(tx, organizationId, load, chat.now);
    this.events.emit('chat.changed', { organizationId, chatId: chat.id }, tx);
    this.events.emit('queue.changed', { organizationId }, tx);
  }

  /** Withdraws the pending offers of these locked chats. */
  async withdraw(tx: EntityManager, organizationId: string, chatIds: readonly string[]): Promise<LoadChange[]> {
    const offers = await withdrawOffers(tx, organizationId, chatIds);
    for (const offer of offers)
      this.events.emit('chatOffer.ended', { organizationId, ...offer, reason: 'WITHDRAWN' }, tx);
    return offers.map(({ agentId }) => ({ agentId, chats: 0, offers: -1 }));
  }
}
