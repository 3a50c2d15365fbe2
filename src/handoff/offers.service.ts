import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PresenceService } from '../agents/presence.service.js';
import type { RequestContext } from '../auth/context/request-context.js';
import { ChatOffer, type OfferEnd } from '../chats/model/chat-offer.entity.js';
import { ChatOffers } from '../chats/moves/chat-offers.service.js';
import type { LockedChat } from '../chats/moves/chat-transitions.queries.js';
import { notFound } from '../platform/errors/problem.js';
import { countMiss, resetMisses } from './offers.queries.js';

/** After this many missed offers in a row, an agent no longer accepts chats. */
const MAX_MISSED = 2;

/** Ends offers, and tracks the ones that agents miss (CONTRACT: Routing). `ChatOffers` stores them. */
@Injectable()
export class OffersService {
  constructor(
    private readonly presence: PresenceService,
    private readonly offers: ChatOffers,
  ) {}

  /** @throws Problem not_found, also for an offer to another agent */
  async getOwn(tx: EntityManager, { organizationId, actor }: RequestContext, id: string): Promise<ChatOffer> {
    return (await tx.findOneBy(ChatOffer, { organizationId, id, agentId: actor.id! })) ?? notFound('Offer');
  }

  /**
   * Ends the pending offer of a locked chat, which keeps waiting. An agent who misses two offers in a row stops accepting chats;
   * overlapping offers count as one miss.
   */
  async end(
    tx: EntityManager,
    organizationId: string,
    chat: LockedChat,
    reason: Exclude<OfferEnd, 'ACCEPTED'>,
  ): Promise<void> {
    const { offer } = chat;
    if (!offer) return;
    await this.offers.endAlone(tx, organizationId, chat, reason);
    if (reason === 'DECLINED') await resetMisses(tx, organizationId, offer.agentId);
    if (reason === 'EXPIRED' && (await countMiss(tx, organizationId, offer)) === MAX_MISSED) {
      await this.presence.setAccepting(organizationId, offer.agentId, false, 'MISSED_OFFERS', tx);
    }
  }
}
