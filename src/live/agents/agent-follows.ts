import { Injectable } from '@nestjs/common';
import { MessagesService } from '../../messages/messages.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { AgentFeed, type AgentSocket } from '../agent-state/agent-feed.js';
import { AgentSeqHints } from './agent-seq-hints.js';
import { ChatViewers } from './chat-viewers.js';
import { TypingForAgents } from '../typing/typing-for-agents.js';
import type { ChatPlace } from '../agent-state/watched-view.js';

/** The most chats that a socket follows. */
const MAX_FOLLOWED = 20;
/** The most messages that an agent who gets a chat is sent at once; for more, a `seq`. */
const MAX_MISSED = 20;
/** The chats that sockets of agents listen to: those that their agents have, and those that they follow. */
@Injectable()
export class AgentFollows {
  constructor(
    private readonly feed: AgentFeed,
    private readonly messages: MessagesService,
    private readonly hints: AgentSeqHints,
    private readonly typing: TypingForAgents,
    private readonly viewers: ChatViewers,
  ) {}

  /** Listens to the chats that the agent of a new socket has. */
  async own(socket: AgentSocket, places: readonly ChatPlace[]): Promise<void> {
    await Promise.all(places.map((place) => this.ownOne(socket, place)));
  }

  /** @throws Problem too_many when the socket follows 20 other chats */
  async follow(socket: AgentSocket, chatId: string): Promise<void> {
    const { followed } = socket.data;
    if (!followed.has(chatId) && followed.size >= MAX_FOLLOWED) {
      throw new Problem('too_many', `A socket follows at most ${MAX_FOLLOWED} chats`);
    }
    followed.add(chatId);
    await this.feed.joinChat(socket, chatId);
    this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /** To be called when a socket that follows a chat has read it. */
  onRead(socket: AgentSocket, chatId: string, latestSeq: number): void {
    this.hints.onOpened(socket.data.agent.organizationId, chatId, latestSeq, socket.id);
    this.typing.sendLiveTexts(socket.id, chatId);
  }

  unfollow(socket: AgentSocket, chatId: string): void {
    if (!socket.data.followed.delete(chatId)) return;
    this.feed.leaveChat(socket, chatId);
    this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /** Ends at once that a socket listens to a chat that its agent may not see any more. */
  remove(socket: AgentSocket, chatId: string): void {
    const { followed, owned } = socket.data;
    const wasFollowed = followed.delete(chatId);
    owned.delete(chatId);
    this.feed.leaveChat(socket, chatId);
    if (wasFollowed) this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /** To be called when a socket has disconnected. */
  leave(socket: AgentSocket): void {
    const { followed } = socket.data;
    const chatIds = [...followed];
    followed.clear();
    for (const chatId of chatIds) this.viewers.update(socket.data.agent.organizationId, chatId);
  }

  /**
   * Lets those listen to a chat who have it now, and those not who may not see it. Who listens is settled before it waits.
   * @param goneIds sockets that may not see it
   */
  async update(
    organizationId: string,
    chatId: string,
    before: ChatPlace | undefined,
    after: ChatPlace | undefined,
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

  private async ownOne(socket: AgentSocket, { organizationId, id, messageCount }: ChatPlace): Promise<void> {
    socket.data.owned.add(id);
    await this.feed.joinChat(socket, id);
    const latestSeq = this.hints.onOpened(organizationId, id, messageCount, socket.id);
    if (latestSeq > messageCount) socket.emit('seq', { chatId: id, latestSeq });
    // One that follows the chat gets its texts already.
    if (!socket.data.followed.has(id)) this.typing.sendLiveTexts(socket.id, id);
  }

  // The messages of the change by which the agent got the chat came before its sockets listened.
  private async sendMissed(
    organizationId: string,
    sockets: readonly AgentSocket[],
    before: ChatPlace | undefined,
    { id: chatId, messageCount }: ChatPlace,
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
