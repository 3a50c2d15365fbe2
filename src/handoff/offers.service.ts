import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/request-context.js';
import { ChatOffer, type OfferEnd } from '../chats/chat-offer.entity.js';
import { addLoad, endOffer, type LockedChat, raiseRev } from '../chats/chat-transitions.queries.js';
import '../chats/chats.events.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { notFound } from '../platform/http/problem.js';
import { countMiss, forgetMisses } from './offers.queries.js';

/** Offers of waiting chats to one agent after the other (CONTRACT section 9). */
@Injectable()
export class OffersService {
  constructor(private readonly events: DomainEventBus) {}

  /** @throws Problem not_found, also for an offer to another agent */
  async getOwn(tx: EntityManager, { organizationId, actor }: RequestContext, id: string): Promise<ChatOffer> {
    return (await tx.findOneBy(ChatOffer, { organizationId, id, agentId: actor.id! })) ?? notFound('Offer');
  }

  /**
   * Ends the pending offer of a locked chat, which goes on waiting. An agent who misses two offers in a row is no longer
   * accepting.
   */
  async end(
    tx: EntityManager,
    organizationId: string,
    { id: chatId, offer, now }: LockedChat,
    reason: Exclude<OfferEnd, 'ACCEPTED'>,
  ): Promise<void> {
    if (!offer) return;
    const { id: offerId, agentId } = offer;
    await endOffer(tx, organizationId, offerId, now, reason);
    await raiseRev(tx, organizationId, chatId);
    await addLoad(tx, organizationId, [{ agentId, chats: 0, offers: -1 }], now);
    if (reason === 'DECLINED') await forgetMisses(tx, organizationId, agentId);
    if (reason === 'EXPIRED' && (await countMiss(tx, organizationId, agentId))) {
      this.events.emit('agent.paused', { organizationId, agentId, reason: 'MISSED_OFFERS' }, tx);
    }
    this.events.emit('chatOffer.ended', { organizationId, offerId, chatId, agentId, reason }, tx);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
    this.events.emit('queue.changed', { organizationId }, tx);
  }
}
