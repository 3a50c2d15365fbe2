import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { RequestContext } from '../../auth/context/request-context.js';
import { type ChatState, type ReadState, toReadState } from '../../chats/chat-state.js';
import { isOpen } from '../../chats/chat-status.js';
import { ChatTransitions } from '../../chats/chat-transitions.service.js';
import { ChatsService, type NewChat } from '../../chats/chats.service.js';
import type { Rating } from '../../chats/ratings.queries.js';
import { RatingsService } from '../../chats/ratings.service.js';
import { ReadsService } from '../../chats/reads.service.js';
import type { TypingReport } from '../../chats/signals.service.js';
import { TypedChatsService } from '../../chats/typed-chats.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type { ReadResponse, TypingResponse } from '../signals.dto.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import type { Page, PageQuery } from '../../platform/validation/paging.js';
import { notFound } from '../../platform/errors/problem.js';
import { transaction } from '../../platform/database/transaction.js';
import { type ChatResponse, toChatResponse } from '../chats.dto.js';
import type { ListedChat } from '../../messages/chat-overview.queries.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import type { MessageResponse, MessagesResponse } from '../messages.dto.js';
import type { Sender } from '../../messages/message.js';
import { ClosingService } from '../../messages/closing.service.js';
import { MessagesService } from '../../messages/messages.service.js';
import { QueuePositions } from '../../live/visitors/queue-positions.js';
import { VisitorFeed } from '../../live/visitors/visitor-feed.js';
import { StorageQuota } from '../../auth/limits/storage-quota.js';
import { bytesOf } from '../../auth/limits/stored-bytes.js';
import { VisitorTyping } from '../../live/visitors/visitor-typing.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { VisitorLimits } from '../../auth/limits/visitor-limits.js';
import { VisitorTurns } from '../../auth/limits/visitor-turns.js';
import type { OpenChatDto, RateDto, VisitorMessageDto } from './visitors.dto.js';

/** A chat in the list of its visitor. */
export interface VisitorChat extends ChatResponse {
  read: ReadState;
}

export interface OpenedChat extends MessagesResponse {
  chat: ChatState;
  /** Whether the agent who has the chat sees what the visitor is writing. */
  typingPreview: boolean;
}

/** The actions of visitors in their own chats, over REST and sockets (CONTRACT section 3). */
@Injectable()
export class VisitorChatsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly chats: ChatsService,
    private readonly messages: MessagesService,
    private readonly closing: ClosingService,
    private readonly visitors: VisitorsService,
    private readonly reads: ReadsService,
    private readonly typing: VisitorTyping,
    private readonly feed: VisitorFeed,
    private readonly quota: StorageQuota,
    private readonly overviews: ChatOverviewsService,
    private readonly limits: VisitorLimits,
    private readonly turns: VisitorTurns,
    private readonly transitions: ChatTransitions,
    private readonly positions: QueuePositions,
    private readonly typed: TypedChatsService,
    private readonly organizations: OrganizationsService,
    private readonly ratings: RatingsService,
  ) {}

  /**
   * Opens a chat: the named one, else the visitor's open chat, else a new one. `join` is called before the chat is
   * read, so that messages committed after the read arrive on the live feed, without a gap.
   * @throws Problem not_found; rate_limited when a new chat exceeds an anonymous visitor's quota
   */
  async open(
    visitor: VisitorIdentity,
    context: RequestContext,
    { chatId, afterSeq = 0, metadata }: OpenChatDto,
    join: (chatId: string) => void | Promise<void> = () => undefined,
  ): Promise<OpenedChat> {
    const id = chatId ?? (await this.findOrCreate(visitor, context, { metadata }));
    if (chatId !== undefined) await this.getOwnChat(visitor, chatId);
    await join(id);
    return this.turns.run(visitor.address, () => this.read(visitor, id, afterSeq));
  }

  /** The visitor's chats, newest first. */
  list(
    { organizationId, visitorId, address }: VisitorIdentity,
    { limit, cursor }: PageQuery,
  ): Promise<Page<VisitorChat>> {
    const filter = { visitorId, before: cursor, limit };
    const toVisitorChat = (row: ListedChat) => ({ ...toChatResponse(row), read: toReadState(row) });
    return this.turns.run(address, () => this.overviews.list(organizationId, filter, toVisitorChat));
  }

  /** @throws Problem not_found; rate_limited when the message exceeds an anonymous visitor's quota */
  send(
    visitor: VisitorIdentity,
    context: RequestContext,
    chatId: string,
    body: VisitorMessageDto,
  ): Promise<MessageResponse> {
    return this.quota.store(visitor, { messages: 1, bytes: bytesOf(body) }, async () => {
      const { visitorId: id, visitorName: name } = await this.getOwnChat(visitor, chatId);
      const named: RequestContext = { ...context, actor: { type: 'VISITOR', id, name } };
      return this.messages.sendFromVisitor(named, chatId, body, this.turns.of(visitor.address));
    });
  }

  /** @throws Problem not_found */
  sync(visitor: VisitorIdentity, chatId: string, afterSeq: number, limit?: number): Promise<MessagesResponse> {
    const { organizationId, visitorId, address } = visitor;
    return this.turns.run(address, async () => {
      const { messageCount } = await this.chats.getOfVisitor(organizationId, visitorId, chatId);
      return this.messages.readAfter(organizationId, chatId, messageCount, afterSeq, limit);
    });
  }

  /**
   * Tells agents that the visitor types. What the visitor writes is passed on where the organization wants that, to the agent
   * who has the chat at this moment. @throws Problem not_found
   */
  async type(
    identity: VisitorIdentity,
    chatId: string,
    { isTyping, text }: TypingReport,
    socketId?: string,
  ): Promise<TypingResponse> {
    const { organizationId, visitorId, address } = identity;
    const [{ visitorName: name }, typed] = await this.turns.run(address, async () => [
      await this.chats.getOfVisitor(organizationId, visitorId, chatId),
      await this.typed.get(organizationId, chatId),
    ]);
    const { afterSeq, at, agentId, typingPreview } = typed;
    const sender: Sender = { type: 'VISITOR', id: visitorId, name };
    const isShown = isTyping && typingPreview && agentId !== null && text !== undefined;
    const signal = { chatId, sender, isTyping, afterSeq, at, ...(isShown && { text, agentId }) };
    this.typing.say(organizationId, signal, socketId);
    return { chatId, isTyping };
  }

  /** @throws Problem not_found; validation_failed for a seq that does not exist yet */
  markRead(
    { organizationId, visitorId, address }: VisitorIdentity,
    chatId: string,
    seq: number,
  ): Promise<ReadResponse> {
    return this.turns.run(address, async () => {
      const chat = await this.chats.getOfVisitor(organizationId, visitorId, chatId);
      return { chatId, seq: await this.reads.mark(chat, 'visitor', seq) };
    });
  }

  /** Ends the visitor's chat; nothing happens when it has ended. @throws Problem not_found */
  async close(visitor: VisitorIdentity, context: RequestContext, chatId: string): Promise<ChatState> {
    const { visitorId: id, visitorName: name } = await this.getOwnChat(visitor, chatId);
    const named: RequestContext = { ...context, actor: { type: 'VISITOR', id, name } };
    return this.turns.run(visitor.address, async () => {
      await transaction(this.manager, async (tx) => {
        const chat = await this.transitions.lock(tx, named, chatId);
        if (chat.visitorId !== id) notFound('Chat');
        if (isOpen(chat.status)) await this.closing.close(tx, named, chat);
      });
      return this.chats.getState(visitor.organizationId, chatId);
    });
  }

  /** @throws Problem as RatingsService.rate; rate_limited when the comment exceeds an anonymous visitor's quota */
  rate(
    visitor: VisitorIdentity,
    context: RequestContext,
    chatId: string,
    { score, comment }: RateDto,
  ): Promise<Rating> {
    const given = { score, comment: comment || null };
    return this.quota.store(visitor, { messages: 0, bytes: bytesOf({ content: comment }) }, async () => {
      const { visitorId: id, visitorName: name } = await this.getOwnChat(visitor, chatId);
      const named: RequestContext = { ...context, actor: { type: 'VISITOR', id, name } };
      return this.turns.run(visitor.address, () => this.ratings.rate(named, chatId, given));
    });
  }

  private getOwnChat({ organizationId, visitorId, address }: VisitorIdentity, chatId: string) {
    return this.turns.run(address, () => this.chats.getOfVisitor(organizationId, visitorId, chatId));
  }

  private async read(
    { organizationId, visitorId }: VisitorIdentity,
    id: string,
    afterSeq: number,
  ): Promise<OpenedChat> {
    const chat = await this.chats.findStateOfVisitor(organizationId, visitorId, id);
    // The chat moved to another visitor before the socket joined, so the move could not remove the socket from it.
    if (!chat) {
      await this.feed.leave(visitorId, id);
      return notFound('Chat');
    }
    this.positions.onTold(organizationId, chat);
    const page = await this.messages.readAfter(organizationId, id, chat.messageCount, afterSeq);
    return { chat, ...page, typingPreview: await this.organizations.hasTypingPreview(organizationId) };
  }

  // Concurrent calls of several tabs run one at a time; the later ones find the chat of the first.
  private async findOrCreate(visitor: VisitorIdentity, context: RequestContext, newChat: NewChat): Promise<string> {
    const { organizationId, visitorId, address } = visitor;
    const open = await this.turns.run(address, () => this.chats.findOpen(organizationId, visitorId));
    if (open) return open.id;
    await this.limits.newChats.spend(address);
    return this.quota.store(visitor, { messages: 0, bytes: bytesOf(newChat) }, () =>
      this.turns.run(address, () =>
        transaction(this.manager, async (tx) => {
          await this.visitors.lock(tx, organizationId, visitorId);
          const found = await this.chats.findOpen(organizationId, visitorId, tx);
          return found?.id ?? this.chats.create(tx, context, visitorId, newChat);
        }),
      ),
    );
  }
}
