import { Injectable } from '@nestjs/common';
import { AgentChats } from '../../live/agent-state/agent-chats.js';
import type { AgentSocket } from '../../live/agent-state/agent-feed.js';
import { AgentFollows } from '../../live/agents/agent-follows.js';
import { AgentPermissions } from '../../live/agent-state/agent-permissions.js';
import { AgentViews } from '../../live/agent-state/agent-views.js';
import { toTrackedChat } from '../../live/agent-state/watched-view.js';
import { type ViewedChat, ViewedChats } from '../../live/agents/viewed-chats.js';
import { ChatMessagesService } from '../../inbox/chat-messages.service.js';
import { InboxService } from '../../inbox/views/inbox.service.js';
import { ArrivedMails, type MailedPage } from '../../mail/receiving/arrived-mails.service.js';
import { MAX_MESSAGES, type MessageView } from '../../messages/message.js';
import { notFound } from '../../platform/errors/problem.js';
import type { FollowDto, WatchDto } from './sockets.dto.js';

/** A chat that a socket has begun to follow. */
interface FollowedChat extends MailedPage {
  chat: ViewedChat;
  /** Deleted messages that the client may still show. */
  deleted: MessageView[];
}

/** What an agent's socket follows and watches (CONTRACT: Agent API). */
@Injectable()
export class AgentSocketsService {
  constructor(
    private readonly inbox: InboxService,
    private readonly details: ViewedChats,
    private readonly messages: ChatMessagesService,
    private readonly follows: AgentFollows,
    private readonly views: AgentViews,
    private readonly chats: AgentChats,
    private readonly permissions: AgentPermissions,
    private readonly mails: ArrivedMails,
  ) {}

  /**
   * Listens to a chat, then reads it, so that messages committed after the read arrive over the socket without a gap.
   * @throws Problem not_found; too_many
   */
  async follow(socket: AgentSocket, { chatId, afterSeq = 0 }: FollowDto): Promise<FollowedChat> {
    const { agent, followed } = socket.data;
    await this.inbox.getSeenChat(agent, chatId);
    const wasFollowed = followed.has(chatId);
    await this.follows.follow(socket, chatId);
    try {
      const [chat, page, deleted] = await Promise.all([
        this.details.get(agent, chatId),
        this.messages.list(agent, chatId, { afterSeq, limit: MAX_MESSAGES }),
        this.messages.readDeleted(agent, chatId, afterSeq),
      ]);
      const tracked = toTrackedChat(agent.organizationId, chat);
      // The agent's rights may have changed since the chat was read.
      if (!(await this.permissions.maySee(agent, tracked)) || !followed.has(chatId)) notFound('Chat');
      this.chats.add(tracked);
      this.follows.onRead(socket, chatId, page.latestSeq);
      return { chat, ...(await this.mails.addTo(agent.organizationId, chatId, page)), deleted };
    } catch (error) {
      if (!wasFollowed) this.follows.unfollow(socket, chatId);
      throw error;
    }
  }

  /** Replaces the watched view. The client reads its rows afterwards. @throws Problem not_found for an invisible group */
  async watch(socket: AgentSocket, { view, groupId }: WatchDto): Promise<void> {
    if (view !== null && groupId !== undefined) await this.inbox.checkGroup(socket.data.agent, groupId);
    this.views.watch(socket, view && { view, groupId });
  }
}
