import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import type { AgentPresence } from '../../agents/presence.queries.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import type { Named } from '../../chats/reading/chat-state.js';
import type { OfferEnd } from '../../chats/model/chat-offer.entity.js';
import type { GoneRow, InboxRow } from '../../inbox/views/inbox-row.js';
import type { NoteView } from '../../inbox/notes/note-view.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { type ChatEvents, Feed, type FeedSocket } from '../feeds/feed.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { chatOf, chatRoom, organizationOf, organizationRoom, personRoom } from '../feeds/rooms.js';
import type { SessionEndReason } from '../../auth/context/auth.events.js';
import type { TypingEvent } from '../feeds/typing-event.js';
import type { Watched } from './watched-view.js';
import type { RequestOrder } from '../connections/request-order.js';

/** What the namespace `/agent` sends (CONTRACT: Agent API). */
export type AgentEvents = ChatEvents & {
  chat: (row: InboxRow | GoneRow) => void;
  offer: (offer: { id: string; chat: InboxRow; expiresAt: string }) => void;
  'offer:ended': (offer: { id: string; reason: OfferEnd }) => void;
  mention: (mention: { note: NoteView; chat: InboxRow }) => void;
  'mentions:seen': (seen: { chatId: string }) => void;
  followed: (followed: { chatId: string; isFollowed: boolean }) => void;
  viewers: (viewers: { chatId: string; agents: Named[] }) => void;
  presence: (presence: AgentPresence) => void;
  'inbox:stale': (clock: { now: string }) => void;
  'session:ended': (end: { reason: SessionEndReason }) => void;
};

export interface AgentSocketData extends RequestOrder {
  agent: AgentIdentity;
  /** The chats that it follows, at most 20. */
  followed: Set<string>;
  /** The chats that its agent has. */
  owned: Set<string>;
  /** The chats that its agent follows on every device. They make no viewers. */
  kept: Set<string>;
  /** When an event last changed `kept`, in milliseconds of `performance.now()`. */
  keptAt: number;
  watched: Watched | null;
  /** When it joined its organization's room, in milliseconds of `performance.now()`. */
  joinedAt: number;
}

export type AgentSocket = FeedSocket<AgentEvents, AgentSocketData>;

interface TypingRecipients {
  socketId?: string;
  mayRead?: (socket: AgentSocket) => boolean;
}

/** The channel of an organization's agents. */
export const agentsChannel = (organizationId: string): string => `agents:${organizationId}`;

/**
 * Agents' sockets (CONTRACT: Agent API). Each is in the rooms of its organization, its agent, and the chats that its agent has
 * or that it follows. Events are hints, as for visitors.
 */
@Injectable()
export class AgentFeed extends Feed<AgentEvents, AgentSocketData> {
  constructor(nodes: OtherNodes, metrics: LiveMetrics) {
    super('agents', nodes, metrics, channelOf);
  }

  override attach(namespace: Namespace): void {
    super.attach(namespace);
    this.metrics.watchAgents(() => namespace.sockets.size);
  }

  /** Calls the listener with each organization whose last agent on this node disconnected. */
  onOrganizationLeft(listener: (organizationId: string) => void): void {
    this.onRoomEmptied((room) => {
      const organizationId = organizationOf(room);
      if (organizationId !== null) listener(organizationId);
    });
  }

  /** Adds a socket to the rooms of its organization and its agent. */
  async join(socket: AgentSocket): Promise<void> {
    const { organizationId, agentId } = socket.data.agent;
    socket.data.joinedAt = performance.now();
    const joining = socket as unknown as Socket;
    await Promise.all([
      this.joinRoom(joining, organizationRoom(organizationId)),
      this.joinRoom(joining, personRoom(agentId)),
    ]);
  }

  /** Lets a socket receive a chat's messages, typing and viewers. */
  joinChat(socket: AgentSocket, chatId: string): Promise<void> {
    return this.joinRoom(socket as unknown as Socket, chatRoom(chatId));
  }

  /** Removes a socket from a chat, unless its agent has or follows the chat, or the socket follows it. */
  leaveChat(socket: AgentSocket, chatId: string): void {
    const { followed, owned, kept } = socket.data;
    if (!followed.has(chatId) && !owned.has(chatId) && !kept.has(chatId)) void socket.leave(chatRoom(chatId));
  }

  /** Whether an agent of the organization is connected to this node. */
  hasOrganization(organizationId: string): boolean {
    return this.hasListeners(organizationRoom(organizationId));
  }

  /** Whether this agent is connected to this node. */
  hasAgent(agentId: string | null): boolean {
    return agentId !== null && this.hasListeners(personRoom(agentId));
  }

  /** The number of the organization's sockets on this node. */
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

  /**
   * Sends typing to all listeners except the sender's own sockets.
   * @param socketId sends it to this socket only
   * @param mayRead selects the sockets that get the text; the others get only the indicator
   */
  sendTyping(event: TypingEvent, { socketId, mayRead = () => true }: TypingRecipients = {}): void {
    const { text: _text, status: _status, afterSeq: _seq, at: _at, ...withoutText } = event;
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

  sendViewers(chatId: string, agents: Named[]): void {
    this.namespace?.to(chatRoom(chatId)).emit('viewers', { chatId, agents });
  }

  /** Sends a row to several sockets, encoded once. */
  sendRow(socketIds: string[], row: InboxRow | GoneRow): void {
    if (socketIds.length > 0) this.namespace?.to(socketIds).emit('chat', row);
  }

  sendOffer(agentId: string, offer: { id: string; chat: InboxRow; expiresAt: string }): void {
    this.namespace?.to(personRoom(agentId)).emit('offer', offer);
  }

  sendOfferEnd(agentId: string, offer: { id: string; reason: OfferEnd }): void {
    this.namespace?.to(personRoom(agentId)).emit('offer:ended', offer);
  }

  sendMention(agentId: string, mention: { note: NoteView; chat: InboxRow }): void {
    this.namespace?.to(personRoom(agentId)).emit('mention', mention);
  }

  sendMentionsSeen(agentId: string, seen: { chatId: string }): void {
    this.namespace?.to(personRoom(agentId)).emit('mentions:seen', seen);
  }

  sendPresence(socketIds: string[], presence: AgentPresence): void {
    if (socketIds.length > 0) this.namespace?.to(socketIds).emit('presence', presence);
  }

  /** Asks clients to read their lists again, because they may have missed something. */
  sendStale(sockets: readonly AgentSocket[]): void {
    const now = new Date().toISOString();
    for (const socket of sockets) socket.emit('inbox:stale', { now });
  }

  /** Ends the sessions of the matching agents' sockets, and closes them. */
  endWhere(matches: (agent: AgentIdentity) => boolean, reason: SessionEndReason): void {
    for (const socket of this.sockets().filter(({ data }) => matches(data.agent))) {
      socket.emit('session:ended', { reason });
      this.end(socket, 'agent_session_ended');
    }
  }
}

function channelOf(room: string): string | null {
  const organizationId = organizationOf(room);
  return organizationId === null ? chatOf(room) : agentsChannel(organizationId);
}
