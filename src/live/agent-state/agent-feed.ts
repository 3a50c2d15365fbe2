import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import type { AgentPresence } from '../../agents/presence.queries.js';
import type { PauseReason } from '../../agents/agents.events.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import type { Named } from '../../chats/reading/chat-state.js';
import type { OfferEnd } from '../../chats/model/chat-offer.entity.js';
import type { InboxRow } from '../../inbox/inbox-row.js';
import type { MessageView } from '../../messages/message.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { Feed, type FeedSocket } from '../feeds/feed.js';
import { LiveMetrics, type Source } from '../feeds/live-metrics.js';
import { VolatileTyping } from '../feeds/volatile-typing.js';
import { chatOf, chatRoom, organizationOf, organizationRoom, personRoom } from '../feeds/rooms.js';
import type { SessionEndReason } from '../../auth/context/auth.events.js';
import type { TypingEvent } from '../feeds/typing-event.js';
import type { Watched } from './watched-view.js';
import type { Turns } from '../connections/socket-turns.js';

/** A chat that the agent may not see any more (CONTRACT section 10). */
export interface GoneRow {
  id: string;
  rev: number;
  isGone: true;
}

/** What the namespace `/agent` sends (CONTRACT section 10). */
export type AgentEvents = {
  message: (message: MessageView) => void;
  chat: (row: InboxRow | GoneRow) => void;
  offer: (offer: { id: string; chat: InboxRow; expiresAt: string }) => void;
  'offer:ended': (offer: { id: string; reason: OfferEnd }) => void;
  typing: (typing: TypingEvent) => void;
  viewers: (viewers: { chatId: string; agents: Named[] }) => void;
  presence: (presence: AgentPresence & { reason?: PauseReason }) => void;
  'inbox:stale': (clock: { now: string }) => void;
  seq: (hint: { chatId: string; latestSeq: number }) => void;
  'session:ended': (end: { reason: SessionEndReason }) => void;
};

/** What is known of a socket of an agent. */
export interface AgentSocketData extends Turns {
  agent: AgentIdentity;
  /** The chats it follows, at most 20. */
  followed: Set<string>;
  /** The chats that its agent has. */
  owned: Set<string>;
  watched: Watched | null;
  /** When it began to get what concerns its organization, in milliseconds of `performance.now()`. */
  joinedAt: number;
}

export type AgentSocket = FeedSocket<AgentEvents, AgentSocketData>;

interface TypingRecipients {
  socketId?: string;
  mayRead?: (socket: AgentSocket) => boolean;
}

/** The channel of the agents of an organization. */
export const agentsChannel = (organizationId: string): string => `agents:${organizationId}`;

/**
 * The sockets of agents (CONTRACT section 10): in the room of their organization, in their own, and in those of the chats that
 * they have or follow. What it sends are hints, as to visitors.
 */
@Injectable()
export class AgentFeed extends Feed<AgentEvents, AgentSocketData> {
  private readonly typing = new VolatileTyping();

  constructor(
    nodes: OtherNodes,
    private readonly metrics: LiveMetrics,
  ) {
    super('agents', nodes, channelOf);
  }

  override attach(namespace: Namespace): void {
    super.attach(namespace);
    this.metrics.watchAgents(() => namespace.sockets.size);
  }

  /** Calls the listener with each chat that no socket listens to any more. */
  onEmptied(listener: (chatId: string) => void): void {
    this.onRoomEmptied((room) => {
      const chatId = chatOf(room);
      if (chatId !== null) listener(chatId);
    });
  }

  /** Calls the listener with each organization that has no agent on this node any more. */
  onOrganizationLeft(listener: (organizationId: string) => void): void {
    this.onRoomEmptied((room) => {
      const organizationId = organizationOf(room);
      if (organizationId !== null) listener(organizationId);
    });
  }

  /** Lets a socket get what concerns its organization and its agent. */
  async join(socket: AgentSocket): Promise<void> {
    const { organizationId, agentId } = socket.data.agent;
    socket.data.joinedAt = performance.now();
    const entering = socket as unknown as Socket;
    await Promise.all([
      this.enter(entering, organizationRoom(organizationId)),
      this.enter(entering, personRoom(agentId)),
    ]);
  }

  /** Lets a socket get the messages of a chat, typing and viewers. */
  joinChat(socket: AgentSocket, chatId: string): Promise<void> {
    return this.enter(socket as unknown as Socket, chatRoom(chatId));
  }

  /** Removes a socket from a chat that its agent neither has nor follows. */
  leaveChat(socket: AgentSocket, chatId: string): void {
    const { followed, owned } = socket.data;
    if (!followed.has(chatId) && !owned.has(chatId)) void socket.leave(chatRoom(chatId));
  }

  /** Whether a socket of this node listens to a chat. */
  hasChat(chatId: string): boolean {
    return this.hasListeners(chatRoom(chatId));
  }

  /** Whether an agent of the organization is connected to this node. */
  hasOrganization(organizationId: string): boolean {
    return this.hasListeners(organizationRoom(organizationId));
  }

  /** Whether this agent is connected to this node. */
  hasAgent(agentId: string | null): boolean {
    return agentId !== null && this.hasListeners(personRoom(agentId));
  }

  /** How many sockets of this node are of agents of the organization. */
  countOf(organizationId: string): number {
    return this.namespace?.adapter.rooms.get(organizationRoom(organizationId))?.size ?? 0;
  }

  socketsOf(organizationId: string): AgentSocket[] {
    return this.socketsIn(organizationRoom(organizationId));
  }

  socketsOfAgent(agentId: string): AgentSocket[] {
    return this.socketsIn(personRoom(agentId));
  }

  listenersOf(chatId: string): AgentSocket[] {
    return this.socketsIn(chatRoom(chatId));
  }

  /** Does nothing for a chat without listeners. */
  sendMessage(message: MessageView, source: Source): void {
    if (!this.hasChat(message.chatId)) return;
    this.metrics.onSent(source, message.createdAt);
    this.namespace?.to(chatRoom(message.chatId)).emit('message', message);
    this.announce(message);
  }

  /** Sends a hint that lets listeners see what they missed. */
  sendSeq(chatId: string, latestSeq: number, exceptSocketId = ''): void {
    this.namespace?.to(chatRoom(chatId)).except(exceptSocketId).emit('seq', { chatId, latestSeq });
  }

  /**
   * Sends typing to all listeners except the sender's own sockets.
   * @param socketId to this one alone
   * @param mayRead the sockets that get the text; the others learn only who types
   */
  sendTyping(event: TypingEvent, { socketId, mayRead = () => true }: TypingRecipients = {}): void {
    const { text: _text, afterSeq: _seq, at: _at, ...withoutText } = event;
    for (const socket of this.listenersOf(event.chatId)) {
      if (socketId !== undefined && socket.id !== socketId) continue;
      if (socket.data.agent.agentId === event.sender.id) continue;
      this.typing.send(socket, mayRead(socket) ? event : withoutText);
    }
  }

  /** Sends typing to the sockets of one agent, whether or not they listen to the chat. */
  sendTypingTo(agentId: string, event: TypingEvent): void {
    for (const socket of this.socketsOfAgent(agentId)) this.typing.send(socket, event);
  }

  /** Drops the texts of a sender that wait for slow sockets. */
  dropText(chatId: string, senderId: string | null): void {
    for (const socket of this.listenersOf(chatId)) this.typing.drop(socket, chatId, senderId);
  }

  sendViewers(chatId: string, agents: Named[]): void {
    this.namespace?.to(chatRoom(chatId)).emit('viewers', { chatId, agents });
  }

  /** Sends one row to several sockets; it is encoded once. */
  sendRow(socketIds: string[], row: InboxRow | GoneRow): void {
    if (socketIds.length > 0) this.namespace?.to(socketIds).emit('chat', row);
  }

  sendOffer(agentId: string, offer: { id: string; chat: InboxRow; expiresAt: string }): void {
    this.namespace?.to(personRoom(agentId)).emit('offer', offer);
  }

  sendOfferEnd(agentId: string, offer: { id: string; reason: OfferEnd }): void {
    this.namespace?.to(personRoom(agentId)).emit('offer:ended', offer);
  }

  sendPresence(socketIds: string[], presence: AgentPresence & { reason?: PauseReason }): void {
    if (socketIds.length > 0) this.namespace?.to(socketIds).emit('presence', presence);
  }

  /** Tells sockets that they may have missed something. */
  sendStale(sockets: readonly AgentSocket[]): void {
    const now = new Date().toISOString();
    for (const socket of sockets) socket.emit('inbox:stale', { now });
  }

  /** Tells sockets that their session has ended, and closes them. */
  endWhere(isMeant: (agent: AgentIdentity) => boolean, reason: SessionEndReason): void {
    for (const socket of this.sockets().filter(({ data }) => isMeant(data.agent))) {
      socket.emit('session:ended', { reason });
      socket.disconnect(true);
    }
  }
}

function channelOf(room: string): string | null {
  const organizationId = organizationOf(room);
  return organizationId === null ? chatOf(room) : agentsChannel(organizationId);
}
