import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/context/request-context.js';
import { VisitorQueue } from '../../auth/limits/visitor-queue.js';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import { type ChatState, type ReadState, toReadState } from '../../chats/reading/chat-state.js';
import { ChatsService } from '../../chats/reading/chats.service.js';
import { ConnectedChats } from '../../live/visitors/connected-chats.js';
import { QueuePositions } from '../../live/visitors/queue-positions.js';
import { VisitorFeed } from '../../live/feeds/visitor-feed.js';
import type { ListedChat } from '../../messages/chat-overview.queries.js';
import { ChatOverviewsService } from '../../messages/chat-overviews.service.js';
import type { MessageView } from '../../messages/message.js';
import { MessagesService } from '../../messages/messages.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { Config } from '../../platform/config/config.js';
import { notFound } from '../../platform/errors/problem.js';
import type { Page, PageQuery } from '../../platform/validation/paging.js';
import { VisitorChatsService } from '../../visitor-chats/visitor-chats.service.js';
import { type ChatResponse, toChatResponse } from '../chats.dto.js';
import type { MessagesResponse } from '../messages.dto.js';
import type { OpenChatDto } from './visitors.dto.js';

/** A chat in its visitor's list, who needn't know which bots there are, and never sees tags and attributes. */
export interface VisitorChat extends Omit<ChatResponse, 'group' | 'tags' | 'attributes' | 'visitor'> {
  group: { id: string; name: string };
  visitor: Omit<ChatResponse['visitor'], 'attributes' | 'verifiedAttributes'>;
  read: ReadState;
  /** Without one, the visitor's first words. */
  title: string | null;
}

export interface OpenedChat extends MessagesResponse {
  chat: ChatState;
  /** Whether the chat's agent sees what the visitor is writing. */
  typingPreview: boolean;
  /** Null: visitors may send no files. */
  visitorUploads: { maxSize: number } | null;
  /** Whether an endpoint answers for its bot. */
  isConnected: boolean;
  /** Deleted messages that the client may still show. */
  deleted: MessageView[];
}

/** Opens and lists chats for widgets (CONTRACT: Visitors). */
@Injectable()
export class OpenChatsService {
  constructor(
    private readonly visitorChats: VisitorChatsService,
    private readonly chats: ChatsService,
    private readonly messages: MessagesService,
    private readonly overviews: ChatOverviewsService,
    private readonly organizations: OrganizationsService,
    private readonly connected: ConnectedChats,
    private readonly feed: VisitorFeed,
    private readonly positions: QueuePositions,
    private readonly queue: VisitorQueue,
    private readonly config: Config,
  ) {}

  /**
   * Opens the given chat; without one, the visitor's open chat or a new one; with `isNew`, one beside the open ones. Calls `join` before it reads the chat, so that
   * messages committed after the read arrive over the socket without a gap.
   * @throws Problem not_found; conflict if too many are open; rate_limited if a new chat exceeds an anonymous visitor's quota
   */
  async open(
    visitor: VisitorIdentity,
    context: RequestContext,
    { chatId, afterSeq = 0, isNew, ...newChat }: OpenChatDto,
    join: (chatId: string) => void | Promise<void> = () => undefined,
  ): Promise<OpenedChat> {
    const id = chatId ?? (await this.visitorChats.findOrCreate(visitor, context, newChat, isNew));
    if (chatId !== undefined) await this.visitorChats.get(visitor, chatId);
    await join(id);
    return this.queue.run(visitor.limitKey, () => this.read(visitor, id, afterSeq));
  }

  /** The visitor's chats, newest first. */
  list(
    { organizationId, visitorId, limitKey }: VisitorIdentity,
    { limit, cursor }: PageQuery,
  ): Promise<Page<VisitorChat>> {
    const filter = { visitorId, before: cursor, limit };
    const toVisitorChat = (row: ListedChat) => {
      const { group, tags: _, attributes: _own, visitor, ...chat } = toChatResponse(row);
      const { attributes: _known, verifiedAttributes: _signed, ...profile } = visitor;
      const named = { id: group.id, name: group.name };
      return { ...chat, visitor: profile, group: named, read: toReadState(row) };
    };
    return this.queue.run(limitKey, async () => {
      const { items, nextCursor } = await this.overviews.list(organizationId, filter, toVisitorChat, true);
      const ids = items.filter(({ title }) => title === null).map(({ id }) => id);
      const titles = await this.overviews.listTitles(organizationId, ids);
      return {
        items: items.map((chat) => ({ ...chat, title: chat.title ?? titles.get(chat.id) ?? null })),
        nextCursor,
      };
    });
  }

  private async read(
    { organizationId, visitorId }: VisitorIdentity,
    id: string,
    afterSeq: number,
  ): Promise<OpenedChat> {
    const chat = await this.chats.findStateOfVisitor(organizationId, visitorId, id);
    // The chat moved to another visitor before the socket joined, so the move couldn't remove the socket.
    if (!chat) {
      await this.feed.leave(visitorId, id);
      return notFound('Chat');
    }
    this.positions.onSent(organizationId, chat);
    const page = await this.messages.readAfter(organizationId, id, chat.messageCount, afterSeq);
    const deleted = await this.messages.readDeleted(organizationId, id, afterSeq);
    const settings = await this.organizations.getOfVisitors(organizationId);
    const visitorUploads = settings.visitorUploads ? { maxSize: this.config.FILE_MAX_SIZE } : null;
    const isConnected = await this.connected.read(organizationId, id);
    return { chat, ...page, typingPreview: settings.typingPreview, visitorUploads, isConnected, deleted };
  }
}
