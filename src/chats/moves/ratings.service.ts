import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { WidgetSettingsService } from '../../organizations/widget-settings.service.js';
import '../../receivers/deliveries.events.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { transaction } from '../../platform/database/transaction.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { queueChatEvent } from '../reading/chat-events.queries.js';
import { isOpen } from '../model/chat-status.js';
import { type Counting, MAX_RATING_CHANGES } from '../model/given-rating.js';
import { changedTooOften } from './chat-problems.js';
import { type LockedChat, raiseRev } from './chat-transitions.queries.js';
import { ChatTransitions } from './chat-transitions.service.js';
import '../model/chats.events.js';
import { findRating, type Rating, storeRating } from '../reading/ratings.queries.js';

/** How long a rating can be changed after it was given, or after the chat's end if that is later, in milliseconds. */
const CHANGEABLE_MS = 24 * 60 * 60 * 1000;

/** A visitor's rating of a chat. */
export interface GivenRating {
  /** 1 to 5; 5 is the best. */
  score: number;
  /** At most 1,000 characters. */
  comment?: string | null;
}

/** The ratings of ended chats, one per chat (CONTRACT: Ratings). */
@Injectable()
export class RatingsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly settings: WidgetSettingsService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Rates a chat of the visitor who is the context's actor, or changes the rating. Repeating the same rating changes nothing.
   * @throws Problem not_found for another visitor's chat; rating_off if the organization has ratings disabled; not_ended;
   * rating_over if it is too late for a change, or it was changed 10 times
   */
  rate(
    context: RequestContext,
    chatId: string,
    { score, comment = null }: GivenRating,
    counting: Counting,
  ): Promise<Rating> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lockExisting(tx, context, chatId);
      if (chat.visitorId !== context.actor.id) notFound('Chat');
      await this.check(tx, context, chat);
      const { endedAt, rating, changeCount } = await findRating(tx, context.organizationId, chatId);
      if (rating?.score === score && rating.comment === comment) return rating;
      if (rating && isOver(rating, endedAt, chat.now))
        throw new Problem('rating_over', 'A rating can be changed for 24 hours; this one can no longer be changed');
      if (rating && changeCount >= MAX_RATING_CHANGES) throw changedTooOften();
      return counting(() => this.store(tx, context, chat, { score, comment }));
    });
  }

  private async check(tx: EntityManager, { organizationId }: RequestContext, { status }: LockedChat): Promise<void> {
    const { rating } = await this.settings.get(organizationId, tx);
    if (!rating)
      throw new Problem(
        'rating_off',
        'Ratings are turned off for this organization; an administrator can turn on rating in the widget settings',
      );
    if (isOpen(status)) throw new Problem('not_ended', 'The chat is still open; it can be rated once it has ended');
  }

  private async store(
    tx: EntityManager,
    { organizationId, traceparent, actor }: RequestContext,
    { id, now }: LockedChat,
    given: Pick<Rating, 'score' | 'comment'>,
  ): Promise<Rating> {
    const rating = await storeRating(tx, organizationId, id, given, now);
    await raiseRev(tx, organizationId, id);
    const lanes = await queueChatEvent(tx, organizationId, id, 'chat.rated', traceparent, { rating, by: actor });
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
    this.events.emit('chat.changed', { organizationId, chatId: id }, tx);
    return rating;
  }
}

function isOver({ ratedAt }: Rating, endedAt: Date, now: Date): boolean {
  return now.getTime() > Math.max(endedAt.getTime(), Date.parse(ratedAt)) + CHANGEABLE_MS;
}
