import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import type { ChatState } from '../../chats/reading/chat-state.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { type ChatEvents, Feed, type FeedSocket } from './feed.js';
import { LiveMetrics } from './live-metrics.js';
import { chatOf, chatRoom } from './rooms.js';
import type { TypingEvent } from './typing-event.js';

/** What the namespace `/visitor` sends (CONTRACT: Exactly once and in order). */
export type VisitorEvents = ChatEvents & { chat: (chat: SentState) => void };

/** `isConnected` is whether an endpoint answers in the chat while the bots have it. */
export type SentState = ChatState & { isConnected?: boolean };

interface SocketData {
  visitor: VisitorIdentity;
}

export type VisitorSocket = FeedSocket<VisitorEvents, SocketData>;

/** Visitors' sockets, in the rooms of their chats. Events are hints; `seq` makes delivery exact (CONTRACT: Exactly once and in order). */
@Injectable()
export class VisitorFeed extends Feed<VisitorEvents, SocketData> {
  constructor(nodes: OtherNodes, metrics: LiveMetrics) {
    super('visitors', nodes, metrics, chatOf);
  }

  override attach(namespace: Namespace): void {
    super.attach(namespace);
    const { adapter, sockets } = namespace;
    // Each socket is also alone in a room with its own id.
    this.metrics.watch(
      () => sockets.size,
      () => Math.max(0, adapter.rooms.size - sockets.size),
    );
  }

  join(socket: Pick<Socket, 'connected' | 'join'>, chatId: string): Promise<void> {
    return this.joinRoom(socket, chatRoom(chatId));
  }

  /** Removes the sockets of a visitor from a chat that is no longer theirs. */
  async leave(visitorId: string, chatId: string): Promise<void> {
    for (const socket of this.socketsIn(chatRoom(chatId))) {
      if (socket.data.visitor?.visitorId === visitorId) await socket.leave(chatRoom(chatId));
    }
  }

  sendChat(chat: SentState): void {
    this.namespace?.to(chatRoom(chat.id)).emit('chat', chat);
  }

  /** Sends typing to all listeners except the sender's own sockets. @param socketId sends it to this socket only */
  sendTyping(event: TypingEvent, socketId?: string): void {
    for (const socket of this.socketsIn(chatRoom(event.chatId))) {
      if (socketId !== undefined && socket.id !== socketId) continue;
      if (socket.data.visitor?.visitorId !== event.sender.id) this.typing.send(socket, event);
    }
  }

  /** Whether a visitor has an open socket on this node. */
  hasSocketOf(organizationId: string, visitorId: string): boolean {
    return this.sockets().some(
      ({ data: { visitor } }) => visitor?.visitorId === visitorId && visitor.organizationId === organizationId,
    );
  }

  /** Disconnects the sockets of an organization, or of one of its visitors. */
  disconnect(organizationId: string, visitorId?: string): void {
    this.disconnectWhere(
      (visitor) =>
        visitor.organizationId === organizationId && (visitorId === undefined || visitor.visitorId === visitorId),
    );
  }

  /** Disconnects sockets by their session and the origin of their page. */
  disconnectWhere(matches: (visitor: VisitorIdentity, origin: string | undefined) => boolean): void {
    for (const socket of this.sockets()) {
      if (matches(socket.data.visitor, originOf(socket))) this.end(socket, 'session_ended');
    }
  }

  /** Disconnects the listeners of a removed chat. When they reconnect, they get a 404. */
  disconnectListeners(chatId: string): void {
    for (const socket of this.socketsIn(chatRoom(chatId))) this.end(socket, 'chat_removed');
  }
}

/** The origin of the page that opened the connection. */
export function originOf({ handshake }: Pick<VisitorSocket, 'handshake'>): string | undefined {
  return handshake.headers.origin;
}
