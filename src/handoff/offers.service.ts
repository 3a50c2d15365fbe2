import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PresenceService } from '../agents/presence.service.js';
import type { RequestContext } from '../auth/context/request-context.js';
import { ChatOffer, type OfferEnd } from '../chats/chat-offer.entity.js';
import { addLoad, endOffer, type LockedChat, raiseRev } from '../chats/chat-transitions.queries.js';
import '../chats/chats.events.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { notFound } from '../platform/errors/problem.js';
import { newId } from '../platform/lib/ids.js';
import { countMiss, forgetMisses, insertOffer, type PickedAgent } from './offers.queries.js';

/** The missed offers in a row after whose expiry an agent no longer accepts chats. */
const MAX_MISSED = 2;

/** Offers of waiting chats to one agent after the other (CONTRACT section 9). */
@Injectable()
export class OffersService {
  constructor(
    private readonly presence: PresenceService,
    private readonly events: DomainEventBus,
  ) {}

  /** Asks an agent, who is locked, to take a waiting chat. */
  async make(tx: EntityManager, organizationId: string, chat: LockedChat, agent: PickedAgent): Promise<void> {
    const offerId = newId('off');
    const agentId = agent.id;
    const expiresAt = await insertOffer(tx, organizationId, offerId, chat, agent);
    await raiseRev(tx, organizationId, chat.id);
    await addLoad(tx, organizationId, [{ agentId, chats: 0, offers: 1 }], chat.now);
    this.events.emit('chatOffer.made', { organizationId, offerId, chatId: chat.id, agentId, expiresAt }, tx);
    this.events.emit('chat.changed', { organizationId, chatId: chat.id }, tx);
  }

  /** @throws Problem not_found, also for an offer to another agent */
  async getOwn(tx: EntityManager, { organizationId, actor }: RequestContext, id: string): Promise<ChatOffer> {
    return (await tx.findOneBy(ChatOffer, { organizationId, id, agentId: actor.id! })) ?? notFound('Offer');
  }

  /**
   * Ends the pending offer of a locked chat, which goes on waiting. An agent who misses two offers in a row is no longer
   * accepting; offers that ran at the same time are one miss.
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
    if (reason === 'EXPIRED' && (await countMiss(tx, organizationId, offer)) === MAX_MISSED) {
      await this.presence.setAccepting(organizationId, agentId, false, 'MISSED_OFFERS', tx);
    }
    this.events.emit('chatOffer.ended', { organizationId, offerId, chatId, agentId, reason }, tx);
    this.events.emit('chat.changed', { organizationId, chatId }, tx);
    this.events.emit('queue.changed', { organizationId }, tx);
  }
}
