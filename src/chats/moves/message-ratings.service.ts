import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { WidgetSettingsService } from '../../organizations/widget-settings.service.js';
import '../../receivers/deliveries.events.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { transaction } from '../../platform/database/transaction.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import '../model/chats.events.js';
import { type Counting, MAX_RATING_CHANGES } from '../model/given-rating.js';
import type { MessageRatingValue } from '../model/message-rating-row.entity.js';
import { queueChatEvent } from '../reading/chat-events.queries.js';
import {
  findRatedMessage,
  type MessageRating,
  type RatedMessage,
  storeMessageRating,
} from '../reading/message-ratings.queries.js';
import { type LockedChat, raiseRev } from './chat-transitions.queries.js';
import { changedTooOften } from './chat-problems.js';
import { ChatTransitions } from './chat-transitions.service.js';

/** A visitor's rating of a bot's message. */
export interface GivenMessageRating {
  rating: MessageRatingValue;
  /** At most 1,000 characters. */
  comment?: string | null;
}

/** Visitors' ratings of bots' messages, one per message (CONTRACT: Ratings). */
@Injectable()
export class MessageRatingsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly transitions: ChatTransitions,
    private readonly settings: WidgetSettingsService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Rates a bot's message in a chat of the visitor who is the context's actor, or changes its rating. Repeating the same rating changes
   * nothing. @throws Problem not_found for another visitor's chat, or a message that isn't among the newest 1,000 of the chat;
   * rating_off if the organization has it disabled; conflict for a message that no bot sent; rating_over if it was changed 10 times
   */
  rate(
    context: RequestContext,
    chatId: string,
    messageId: string,
    { rating, comment = null }: GivenMessageRating,
    counting: Counting,
  ): Promise<MessageRating> {
    return transaction(this.manager, async (tx) => {
      const chat = await this.transitions.lockExisting(tx, context, chatId);
      if (chat.visitorId !== context.actor.id) notFound('Chat');
      const message = await this.find(tx, context, chatId, messageId);
      const before = message.rating;
      if (before?.rating === rating && before.comment === comment) return before;
      if (before && message.changeCount >= MAX_RATING_CHANGES) throw changedTooOften();
      return counting(() => this.store(tx, context, chat, messageId, message, { rating, comment }));
    });
  }

  private async find(
    tx: EntityManager,
    { organizationId }: RequestContext,
    chatId: string,
    messageId: string,
  ): Promise<RatedMessage> {
    const { messageRating } = await this.settings.get(organizationId, tx);
    if (!messageRating)
      throw new Problem(
        'rating_off',
        'Ratings of messages are turned off for this organization; an administrator can turn on messageRating in the widget settings',
      );
    const message = await findRatedMessage(tx, organizationId, chatId, messageId);
    if (!message || message.isDeleted) return notFound('Message');
    if (message.sender.type !== 'BOT') throw new Problem('conflict', 'Only messages of bots can be rated');
    return message;
  }

  private async store(
    tx: EntityManager,
    { organizationId, traceparent, actor }: RequestContext,
    { id, now }: LockedChat,
    messageId: string,
    message: RatedMessage,
    given: Pick<MessageRating, 'rating' | 'comment'>,
  ): Promise<MessageRating> {
    const rating = await storeMessageRating(tx, organizationId, id, messageId, message, given, now);
    await raiseRev(tx, organizationId, id);
    const more = { message: { id: messageId, seq: message.seq, sender: message.sender }, rating, by: actor };
    const lanes = await queueChatEvent(tx, organizationId, id, 'message.rated', traceparent, more);
    if (lanes.length > 0) this.events.emit('deliveries.queued', { lanes }, tx);
    this.events.emit('chat.changed', { organizationId, chatId: id }, tx);
    return rating;
  }
}
