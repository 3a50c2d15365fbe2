import { Injectable } from '@nestjs/common';
import { MessagesService } from '../../messages/messages.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentMissedMessages } from './agent-missed-messages.js';
import { ChatViewers } from './chat-viewers.js';
import { TypingForAgents } from '../typing/typing-for-agents.js';
import type { TrackedChat } from '../agent-state/watched-view.js';

/** The most chats that a socket follows. */
const MAX_FOLLOWED = 20;
/** The most missed messages that an agent who gets a chat is sent; for more, a `seq`. */
const MAX_MISSED = 20;
/** The chats that agents' sockets listen to: their agents' own chats, and followed chats. */
@Injectable()
export class AgentFollows {
  constructor(
    private readonly feed: AgentFeed,
    private readonly messages: MessagesService,
    private readonly hints: AgentMissedMessages,
    private readonly typing: TypingForAgents,
    private readonly viewers: ChatViewers,
  ) {}

  /** Lets a new socket listen to the chats that its agent has. */
  async own(socket: AgentSocket, chats: readonly TrackedChat[]): Promise<void> {
    await Promise.all(chats.map((chat) => this.ownOne(socket, chat)));
  }

  /** @throws Problem too_many if the socket already follows 20 other chats */
  async follow(socket: AgentSocket, chatId: string): Promise<void> {
    const { followed } = socket.data;
    if (!followed.has(chatId) && followed.size >= MAX_FOLLOWED) {
      throw new Problem('too_many', `A socket can follow at most ${MAX_FOLLOWED} chats; unfollow one first`);
    }
    followed.add(chatId);
    await this.feed.joinChat(socket, chatId);
    this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /** Call this when a socket that follows a chat has read it. */
  onRead(socket: AgentSocket, chatId: string, latestSeq: number): void {
    this.hints.onOpened(socket.data.agent.organizationId, chatId, latestSeq, socket.id);
    this.typing.sendLiveTexts(socket.id, chatId);
  }

  unfollow(socket: AgentSocket, chatId: string): void {
    if (!socket.data.followed.delete(chatId)) return;
    this.feed.leaveChat(socket, chatId);
    this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /** Removes a socket immediately from a chat that its agent can no longer see. */
  remove(socket: AgentSocket, chatId: string): void {
    const { followed, owned } = socket.data;
    const wasFollowed = followed.delete(chatId);
    owned.delete(chatId);
    this.feed.leaveChat(socket, chatId);
    if (wasFollowed) this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /** Call this when a socket has disconnected. */
  leave(socket: AgentSocket): void {
    const { followed } = socket.data;
    const chatIds = [...followed];
    followed.clear();
    for (const chatId of chatIds) this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /**
   * Adds the sockets of a chat's agent to its listeners, and removes sockets that can no longer see it. Removals are complete
   * before the first await.
   * @param goneIds sockets that can no longer see it
   */
  async update(
    organizationId: string,
    chatId: string,
    before: TrackedChat | undefined,
    after: TrackedChat | undefined,
    goneIds: readonly string[],
  ): Promise<void> {
    const gone = new Set(goneIds);
    for (const socket of this.feed.listenersOf(chatId)) {
      const { data } = socket;
      if (gone.has(socket.id)) this.remove(socket, chatId);
      if (data.agent.agentId === after?.agentId) continue;
      data.owned.delete(chatId);
      this.feed.leaveChat(socket, chatId);
    }
    if (!after?.agentId) return;
    const owners = this.feed.socketsOfAgent(after.agentId).filter(({ data }) => !data.owned.has(chatId));
    const listening = new Set(this.feed.listenersOf(chatId).map(({ id }) => id));
    await Promise.all(owners.map((socket) => this.ownOne(socket, after)));
    const newcomers = owners.filter(({ id }) => !listening.has(id));
    if (newcomers.length > 0) await this.sendMissed(organizationId, newcomers, before, after);
  }

  private async ownOne(socket: AgentSocket, { organizationId, id, messageCount }: TrackedChat): Promise<void> {
    socket.data.owned.add(id);
    await this.feed.joinChat(socket, id);
    const latestSeq = this.hints.onOpened(organizationId, id, messageCount, socket.id);
    if (latestSeq > messageCount) socket.emit('seq', { chatId: id, latestSeq });
    // A socket that follows the chat already gets its texts.
    if (!socket.data.followed.has(id)) this.typing.sendLiveTexts(socket.id, id);
  }

  // The messages of the assignment itself were sent before the agent's sockets listened.
  private async sendMissed(
    organizationId: string,
    sockets: readonly AgentSocket[],
    before: TrackedChat | undefined,
    { id: chatId, messageCount }: TrackedChat,
  ): Promise<void> {
    const afterSeq = before?.messageCount ?? messageCount - 1;
    const lastSeq = Math.min(messageCount, afterSeq + MAX_MISSED);
    if (lastSeq <= afterSeq) return;
    for (const message of await this.messages.readMissing([{ organizationId, chatId, afterSeq, lastSeq }])) {
      for (const socket of sockets) if (socket.data.owned.has(chatId)) socket.emit('message', message);
    }
    if (lastSeq < messageCount) for (const socket of sockets) socket.emit('seq', { chatId, latestSeq: messageCount });
  }
}
