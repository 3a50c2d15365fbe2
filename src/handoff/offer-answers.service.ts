import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import type { OfferEnd } from '../chats/model/chat-offer.entity.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { transaction } from '../platform/database/transaction.js';
import { type Problem, problemWith } from '../platform/errors/problem.js';
import { agentOf } from './agent-actions.service.js';
import { HandoffsService } from './handoffs.service.js';
import { OffersService } from './offers.service.js';

/**
 * Agents' answers to offers (CONTRACT: Routing), each under the chat's lock. An offer ends once: repeating the same answer does
 * nothing, and a different one is a 409 that says how the offer ended.
 */
@Injectable()
export class OfferAnswersService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly handoffs: HandoffsService,
    private readonly offers: OffersService,
  ) {}

  /**
   * Assigns the offered chat to the agent, and returns its id. Does nothing if the agent accepted before and still has the chat.
   * @throws Problem not_found for an offer to another agent; offer_ended
   */
  accept(context: RequestContext, offerId: string): Promise<string> {
    return transaction(this.manager, async (tx) => {
      const { chat, reason } = await this.lockOffer(tx, context, offerId);
      if (reason === 'ACCEPTED' && chat.agentId === context.actor.id) return chat.id;
      if (reason !== null) throw offerEnded(reason);
      await this.handoffs.move(tx, context, chat, { type: 'ASSIGN', agent: agentOf(context), how: 'OFFERED' });
      return chat.id;
    });
  }

  /**
   * Declines an offer. Does nothing if the agent declined it before.
   * @throws Problem not_found for an offer to another agent; offer_ended
   */
  decline(context: RequestContext, offerId: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const { chat, reason } = await this.lockOffer(tx, context, offerId);
      if (reason === 'DECLINED') return;
      if (reason !== null) throw offerEnded(reason);
      await this.offers.end(tx, context.organizationId, chat, 'DECLINED');
    });
  }

  /** Locks an offer's chat. `reason` is how the offer ended, null while it is pending. */
  private async lockOffer(tx: EntityManager, context: RequestContext, offerId: string) {
    const { chatId } = await this.offers.getOwn(tx, context, offerId);
    const chat = await this.transitions.lock(tx, context, chatId);
    // Read again under the lock, because every end of an offer holds it.
    const offer = await this.offers.getOwn(tx, context, offerId);
    return { chat, reason: offer.reason ?? (offer.expiresAt <= chat.now ? 'EXPIRED' : null) };
  }
}

function offerEnded(reason: OfferEnd): Problem {
  return problemWith('offer_ended', `The offer has ended: it was ${reason}`, { reason });
}
