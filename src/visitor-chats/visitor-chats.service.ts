import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../auth/context/request-context.js';
import { type StoringVisitor, StorageQuota } from '../auth/limits/storage-quota.js';
import { bytesOf } from '../auth/limits/stored-bytes.js';
import { VisitorLimits } from '../auth/limits/visitor-limits.js';
import { VisitorQueue } from '../auth/limits/visitor-queue.js';
import type { ChatState } from '../chats/reading/chat-state.js';
import type { Counting } from '../chats/model/given-rating.js';
import { isOpen } from '../chats/model/chat-status.js';
import { ChatTransitions } from '../chats/moves/chat-transitions.service.js';
import { ChatsService, type NewChat } from '../chats/reading/chats.service.js';
import { listMessageRatings, type MessageRating } from '../chats/reading/message-ratings.queries.js';
import type { Rating } from '../chats/reading/ratings.queries.js';
import { type GivenMessageRating, MessageRatingsService } from '../chats/moves/message-ratings.service.js';
import { type GivenRating, RatingsService } from '../chats/moves/ratings.service.js';
import { ReadsService } from '../chats/reading/reads.service.js';
import { ClosingService, LINES_OF_VISITOR } from '../messages/closing.service.js';
import type { MessagePage, MessageView } from '../messages/message.js';
import { MessagesService, type VisitorMessage } from '../messages/messages.service.js';
import { PublicWidgets } from '../organizations/public-widgets.js';
import { afterCommit, transaction } from '../platform/database/transaction.js';
import { notFound } from '../platform/errors/problem.js';
import { VisitorsService } from '../visitors/visitors.service.js';

/** A visitor who can't write gets no new chat: opening and closing chats is limited by the lines about closing. */
const A_MESSAGE = { messages: 1, bytes: 0 } as const;

/** The visitor who acts. Turns at the database, rates, and stored bytes are counted under `limitKey`. */
export interface ActingVisitor extends StoringVisitor {
  visitorId: string;
}

/**
 * What visitors may do in their own chats, and how often, on every channel (CONTRACT: Visitors). It doesn't depend on sockets or
 * HTTP.
 */
@Injectable()
export class VisitorChatsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly messages: MessagesService,
    private readonly closing: ClosingService,
    private readonly visitors: VisitorsService,
    private readonly reads: ReadsService,
    private readonly ratings: RatingsService,
    private readonly messageRatings: MessageRatingsService,
    private readonly transitions: ChatTransitions,
    private readonly quota: StorageQuota,
    private readonly limits: VisitorLimits,
    private readonly queue: VisitorQueue,
    private readonly widgets: PublicWidgets,
  ) {}

  /** The visitor's own chat. @throws Problem not_found */
  get({ organizationId, visitorId, limitKey }: ActingVisitor, chatId: string) {
    return this.queue.run(limitKey, () => this.chats.getOfVisitor(organizationId, visitorId, chatId));
  }

  /**
   * The visitor's open chat, or a new one. Concurrent calls from several tabs run one at a time, so that later ones find the first
   * one's chat.
   * @param newChat its metadata, and the BCP 47 tag of the widget's language
   * @param isNew a chat beside the open ones. A repeated call finds the one that it created, as long as that has no message
   * @throws Problem rate_limited if a new chat exceeds an anonymous visitor's quota; conflict if too many chats are open
   */
  async findOrCreate(
    visitor: ActingVisitor,
    context: RequestContext,
    { metadata, locale }: { metadata?: NewChat['metadata']; locale?: string },
    isNew = false,
  ): Promise<string> {
    const { organizationId, visitorId, limitKey } = visitor;
    const find = (tx?: EntityManager) =>
      isNew
        ? this.chats.findUnbegun(organizationId, visitorId, tx)
        : this.chats.findOpen(organizationId, visitorId, tx);
    const open = await this.queue.run(limitKey, () => find());
    if (open) return open.id;
    await this.limits.newChats.spend(limitKey);
    this.quota.check(visitor, A_MESSAGE);
    return this.quota.store(visitor, { messages: 0, bytes: bytesOf({ metadata }) }, () =>
      this.queue.run(limitKey, async () => {
        const aiDisclosure = locale === undefined ? null : await this.widgets.disclosureFor(organizationId, locale);
        return transaction(this.manager, async (tx) => {
          await this.visitors.lock(tx, organizationId, visitorId);
          const found = await find(tx);
          if (!found && isNew) await this.chats.checkOpenCount(tx, organizationId, visitorId);
          return found?.id ?? this.chats.create(tx, context, visitorId, { metadata, aiDisclosure });
        });
      }),
    );
  }

  /** @throws Problem not_found; rate_limited if the message exceeds an anonymous visitor's quota */
  send(visitor: ActingVisitor, context: RequestContext, chatId: string, body: VisitorMessage): Promise<MessageView> {
    return this.quota.store(visitor, { messages: 1, bytes: bytesOf(body) }, async () => {
      const named = await this.inOwnChat(visitor, context, chatId);
      return this.messages.sendFromVisitor(named, chatId, body, this.queue.runnerFor(visitor.limitKey));
    });
  }

  /** Messages after a `seq`. @throws Problem not_found */
  sync(visitor: ActingVisitor, chatId: string, afterSeq: number, limit?: number): Promise<MessagePage> {
    const { organizationId, visitorId, limitKey } = visitor;
    return this.queue.run(limitKey, async () => {
      const { messageCount } = await this.chats.getOfVisitor(organizationId, visitorId, chatId);
      return this.messages.readAfter(organizationId, chatId, messageCount, afterSeq, limit);
    });
  }

  /** @throws Problem not_found; validation_failed for a seq above the chat's highest */
  markRead(
    { organizationId, visitorId, limitKey }: ActingVisitor,
    chatId: string,
    seq: number,
  ): Promise<{ chatId: string; seq: number }> {
    return this.queue.run(limitKey, async () => {
      const chat = await this.chats.getOfVisitor(organizationId, visitorId, chatId);
      return { chatId, seq: await this.reads.mark(chat, 'visitor', seq) };
    });
  }

  /**
   * Closes the visitor's chat, unless it's closed already. The system messages about closing and reopening count in an anonymous
   * visitor's quota, but the quota never prevents closing. @throws Problem not_found
   */
  async close(visitor: ActingVisitor, context: RequestContext, chatId: string): Promise<ChatState> {
    const named = await this.inOwnChat(visitor, context, chatId);
    return this.queue.run(visitor.limitKey, async () => {
      await transaction(this.manager, async (tx) => {
        const chat = await this.transitions.lock(tx, named, chatId);
        if (chat.visitorId !== visitor.visitorId) notFound('Chat');
        if (!isOpen(chat.status)) return;
        await this.closing.close(tx, named, chat);
        afterCommit(tx, () => this.quota.record(visitor, LINES_OF_VISITOR));
      });
      return this.chats.getState(visitor.organizationId, chatId);
    });
  }

  /** @throws Problem as RatingsService.rate; rate_limited if it exceeds an anonymous visitor's quota */
  async rate(
    visitor: ActingVisitor,
    context: RequestContext,
    chatId: string,
    { score, comment }: GivenRating,
  ): Promise<Rating> {
    const given = { score, comment: comment || null };
    const named = await this.inOwnChat(visitor, context, chatId);
    const counting = this.countingRating(visitor, comment);
    return this.queue.run(visitor.limitKey, () => this.ratings.rate(named, chatId, given, counting));
  }

  /** @throws Problem as MessageRatingsService.rate; rate_limited if it exceeds an anonymous visitor's quota */
  async rateMessage(
    visitor: ActingVisitor,
    context: RequestContext,
    chatId: string,
    messageId: string,
    { rating, comment }: GivenMessageRating,
  ): Promise<MessageRating> {
    const given = { rating, comment: comment || null };
    const named = await this.inOwnChat(visitor, context, chatId);
    const counting = this.countingRating(visitor, comment);
    return this.queue.run(visitor.limitKey, () => this.messageRatings.rate(named, chatId, messageId, given, counting));
  }

  /** The newest ratings of messages in the visitor's chat. @throws Problem not_found */
  listMessageRatings(visitor: ActingVisitor, chatId: string): Promise<MessageRating[]> {
    const { organizationId, visitorId, limitKey } = visitor;
    return this.queue.run(limitKey, async () => {
      await this.chats.getOfVisitor(organizationId, visitorId, chatId);
      return listMessageRatings(this.manager, organizationId, chatId);
    });
  }

  // A rating that is new or changed is a message of the quota, because it's an event like one.
  private countingRating(visitor: ActingVisitor, comment?: string | null): Counting {
    const stored = { messages: 1, bytes: bytesOf({ content: comment ?? undefined }) };
    return (work) => this.quota.store(visitor, stored, work);
  }

  // Adds the visitor's name in the chat to the context. @throws Problem not_found
  private async inOwnChat(visitor: ActingVisitor, context: RequestContext, chatId: string): Promise<RequestContext> {
    const { visitorId: id, visitorName: name } = await this.get(visitor, chatId);
    return { ...context, actor: { type: 'VISITOR', id, name } };
  }
}
