import { Injectable } from '@nestjs/common';
import { type ChatFollowed, FollowedChatsService } from '../../inbox/views/followed-chats.service.js';
import { MessagesService } from '../../messages/messages.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { AgentChats } from '../agent-state/agent-chats.js';
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
    private readonly followed: FollowedChatsService,
    private readonly chats: AgentChats,
  ) {}

  /** Lets a new socket listen to the chats that its agent has. */
  async own(socket: AgentSocket, chats: readonly TrackedChat[]): Promise<void> {
    await Promise.all(chats.map((chat) => this.ownOne(socket, chat)));
  }

  /** Lets a new socket listen to the chats that its agent follows on every device. */
  async keep(socket: AgentSocket): Promise<void> {
    const { agent } = socket.data;
    await this.replaceKept(socket, (await this.followed.findIdsBy([agent])).get(agent.agentId)!);
  }

  /** Call this when an agent follows a chat on every device, or no longer does. */
  async onFollowed({ agentId, chatId, isFollowed }: ChatFollowed): Promise<void> {
    for (const socket of this.feed.socketsOfAgent(agentId)) {
      socket.data.keptAt = performance.now();
      if (isFollowed) await this.addKept(socket, [chatId]);
      else this.removeKept(socket, chatId);
    }
  }

  /** Catches follows and unfollows whose event was lost. */
  async reconcile(): Promise<void> {
    const sockets = this.feed.sockets();
    const readAt = performance.now();
    const agents = new Map(sockets.map(({ data: { agent } }) => [agent.agentId, agent]));
    const found = await this.followed.findIdsBy([...agents.values()]);
    // What an event has changed since then is newer.
    for (const socket of sockets.filter(({ data }) => data.keptAt < readAt)) {
      const kept = found.get(socket.data.agent.agentId);
      if (kept) await this.replaceKept(socket, kept);
    }
  }

  private async replaceKept(socket: AgentSocket, chatIds: ReadonlySet<string>): Promise<void> {
    const { kept } = socket.data;
    for (const chatId of kept) if (!chatIds.has(chatId)) this.removeKept(socket, chatId);
    await this.addKept(
      socket,
      [...chatIds].filter((chatId) => !kept.has(chatId)),
    );
  }

  private async addKept(socket: AgentSocket, chatIds: readonly string[]): Promise<void> {
    if (chatIds.length === 0) return;
    const { organizationId } = socket.data.agent;
    for (const chatId of chatIds) {
      socket.data.kept.add(chatId);
      await this.feed.joinChat(socket, chatId);
      socket.emit('followed', { chatId, isFollowed: true });
    }
    // Read after joining, so that nothing falls between the two.
    for (const { id, messageCount } of await this.chats.read(
      chatIds.map((chatId) => ({ organizationId, id: chatId })),
    )) {
      const latestSeq = this.hints.onOpened(organizationId, id, messageCount, socket.id);
      if (latestSeq > messageCount) socket.emit('seq', { chatId: id, latestSeq });
    }
  }

  private removeKept(socket: AgentSocket, chatId: string): void {
    if (socket.data.kept.delete(chatId)) this.feed.leaveChat(socket, chatId);
    socket.emit('followed', { chatId, isFollowed: false });
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
    const { followed, owned, kept } = socket.data;
    const wasFollowed = followed.delete(chatId);
    owned.delete(chatId);
    kept.delete(chatId);
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
