import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import type { VisitorIdentity } from '../../auth/visitors/visitor-auth.service.js';
import type { ChatState } from '../../chats/reading/chat-state.js';
import type { MessageView } from '../../messages/message.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import { Feed, type FeedSocket } from './feed.js';
import { LiveMetrics, type Source } from './live-metrics.js';
import { VolatileTyping } from './volatile-typing.js';
import { chatOf, chatRoom } from './rooms.js';
import type { TypingEvent } from './typing-event.js';

/** What the namespace `/visitor` sends (CONTRACT section 3). */
export type VisitorEvents = {
  message: (message: MessageView) => void;
  chat: (chat: ChatState) => void;
  typing: (typing: TypingEvent) => void;
  /** Lets a client see that it missed the last message. */
  seq: (hint: { chatId: string; latestSeq: number }) => void;
};

interface SocketData {
  visitor: VisitorIdentity;
}

export type VisitorSocket = FeedSocket<VisitorEvents, SocketData>;

/** The sockets of visitors in the rooms of their chats. What it sends are hints; `seq` makes them exact (CONTRACT section 3). */
@Injectable()
export class VisitorFeed extends Feed<VisitorEvents, SocketData> {
  private readonly typing = new VolatileTyping();

  constructor(
    nodes: OtherNodes,
    private readonly metrics: LiveMetrics,
  ) {
    super('visitors', nodes, chatOf);
  }

  override attach(namespace: Namespace): void {
    super.attach(namespace);
    const { adapter, sockets } = namespace;
    // Each socket has a room of its own.
    this.metrics.watch(
      () => sockets.size,
      () => Math.max(0, adapter.rooms.size - sockets.size),
    );
  }

  /** Calls the listener with each chat that no socket listens to any more. */
  onEmptied(listener: (chatId: string) => void): void {
    this.onRoomEmptied((room) => {
      const chatId = chatOf(room);
      if (chatId !== null) listener(chatId);
    });
  }

  join(socket: Pick<Socket, 'connected' | 'join'>, chatId: string): Promise<void> {
    return this.enter(socket, chatRoom(chatId));
  }

  /** Removes the sockets of a visitor from a chat that is no longer theirs. */
  async leave(visitorId: string, chatId: string): Promise<void> {
    for (const socket of this.socketsIn(chatRoom(chatId))) {
      if (socket.data.visitor?.visitorId === visitorId) await socket.leave(chatRoom(chatId));
    }
  }

  /** Whether a socket of this node listens to a chat. */
  hasChat(chatId: string): boolean {
    return this.hasListeners(chatRoom(chatId));
  }

  /** Does nothing for a chat without listeners. */
  sendMessage(message: MessageView, source: Source): void {
    if (!this.hasChat(message.chatId)) return;
    this.metrics.onSent(source, message.createdAt);
    this.namespace?.to(chatRoom(message.chatId)).emit('message', message);
    this.announce(message);
  }

  sendChat(chat: ChatState): void {
    this.namespace?.to(chatRoom(chat.id)).emit('chat', chat);
  }

  /** Sends a hint that lets listeners see what they missed, except to the socket that knows. */
  sendSeq(chatId: string, latestSeq: number, exceptSocketId = ''): void {
    this.namespace?.to(chatRoom(chatId)).except(exceptSocketId).emit('seq', { chatId, latestSeq });
  }

  /** Sends typing to all listeners except the sender's own sockets. @param socketId to this one alone */
  sendTyping(event: TypingEvent, socketId?: string): void {
    for (const socket of this.socketsIn(chatRoom(event.chatId))) {
      if (socketId !== undefined && socket.id !== socketId) continue;
      if (socket.data.visitor?.visitorId !== event.sender.id) this.typing.send(socket, event);
    }
  }

  /** Drops the texts of a sender that wait for slow sockets. */
  dropText(chatId: string, senderId: string | null): void {
    for (const socket of this.socketsIn(chatRoom(chatId))) this.typing.drop(socket, chatId, senderId);
  }

  /** Disconnects the sockets of an organization, or of one visitor of it. */
  disconnect(organizationId: string, visitorId?: string): void {
    this.disconnectWhere(
      (visitor) =>
        visitor.organizationId === organizationId && (visitorId === undefined || visitor.visitorId === visitorId),
    );
  }

  /** Disconnects sockets by their session and the origin of their page. */
  disconnectWhere(isMeant: (visitor: VisitorIdentity, origin: string | undefined) => boolean): void {
    for (const socket of this.sockets()) {
      if (isMeant(socket.data.visitor, originOf(socket))) socket.disconnect(true);
    }
  }

  /** Disconnects the listeners of a removed chat; when they reconnect, they learn that it is gone. */
  disconnectListeners(chatId: string): void {
    for (const socket of this.socketsIn(chatRoom(chatId))) socket.disconnect(true);
  }
}

/** The origin of the page that began the connection. */
export function originOf({ handshake }: Pick<VisitorSocket, 'handshake'>): string | undefined {
  return handshake.headers.origin;
}
