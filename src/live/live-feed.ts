import { Injectable } from '@nestjs/common';
import type { Namespace, Socket } from 'socket.io';
import type { ChatState } from '../chats/chat-state.js';
import type { MessageView, Sender } from '../messages/message.js';
import { OtherNodes } from '../platform/cluster/other-nodes.js';
import { LiveMetrics, type Source } from './live-metrics.js';
import type { VisitorIdentity } from '../auth/visitor-auth.service.js';

/** `typing`: who is typing in a chat, or no more. */
export interface TypingEvent {
  chatId: string;
  sender: Sender;
  isTyping: boolean;
}

/** A visitor's socket: who it is of is known before it connects. */
export type LiveSocket = Socket<never, never, never, { visitor: VisitorIdentity }>;

const ROOM = 'chat:';

/** The sockets that listen to a chat. What it sends is a hint; `seq` makes it exact (CONTRACT section 3). */
@Injectable()
export class LiveFeed {
  private namespace?: Namespace;
  private readonly emptied: ((chatId: string) => void)[] = [];
  private readonly connected: ((socket: LiveSocket) => void)[] = [];

  constructor(
    private readonly nodes: OtherNodes,
    private readonly metrics: LiveMetrics,
  ) {
    this.onEmptied((chatId) => nodes.leave(chatId));
  }

  attach(namespace: Namespace): void {
    this.namespace = namespace;
    const { adapter, sockets } = namespace;
    // Each socket is alone in a room of its own.
    this.metrics.watch(
      () => sockets.size,
      () => Math.max(0, adapter.rooms.size - sockets.size),
    );
    namespace.adapter.on('delete-room', (name: string) => {
      if (name.startsWith(ROOM)) for (const listener of this.emptied) listener(name.slice(ROOM.length));
    });
    namespace.on('connection', (socket: Socket) => {
      for (const listener of this.connected) listener(socket as LiveSocket);
    });
  }

  /** Calls the listener with each chat that nobody listens to any more. */
  onEmptied(listener: (chatId: string) => void): void {
    this.emptied.push(listener);
  }

  /** Calls the listener with each socket that has connected. */
  onConnected(listener: (socket: LiveSocket) => void): void {
    this.connected.push(listener);
  }

  /** Every socket of this node. */
  sockets(): LiveSocket[] {
    return [...(this.namespace?.sockets.values() ?? [])] as LiveSocket[];
  }

  /** A socket that has gone meanwhile is not put into a room: nothing would ever take it out again. */
  async join(socket: Socket, chatId: string): Promise<void> {
    if (!socket.connected) return;
    await Promise.all([this.nodes.listen(chatId), socket.join(room(chatId))]);
  }

  /** Takes the sockets of a visitor out of a chat that is no longer theirs. */
  async leave(visitorId: string, chatId: string): Promise<void> {
    for (const socket of this.listeners(chatId)) {
      if (visitorOf(socket)?.visitorId === visitorId) await socket.leave(room(chatId));
    }
  }

  /** Nothing is made ready for a chat that nobody listens to. */
  sendMessage(message: MessageView, source: Source): void {
    if (!this.hasListeners(message.chatId)) return;
    this.metrics.onSent(source, message.createdAt);
    this.namespace?.to(room(message.chatId)).emit('message', message);
  }

  sendChat(chat: ChatState): void {
    this.namespace?.to(room(chat.id)).emit('chat', chat);
  }

  /** A hint that lets who listens see that they missed something; not for the socket that knows. */
  sendSeq(chatId: string, latestSeq: number, exceptSocketId = ''): void {
    this.namespace?.to(room(chatId)).except(exceptSocketId).emit('seq', { chatId, latestSeq });
  }

  /** Whoever types is not told of it, whichever of their sockets listens. */
  sendTyping(event: TypingEvent): void {
    for (const socket of this.listeners(event.chatId)) {
      if (visitorOf(socket)?.visitorId !== event.sender.id) socket.emit('typing', event);
    }
  }

  /** Whether anybody here listens to a chat. */
  hasListeners(chatId: string): boolean {
    return this.namespace?.adapter.rooms.has(room(chatId)) ?? false;
  }

  /** Ends the sockets of an organization that is gone, or of one visitor of it. */
  disconnect(organizationId: string, visitorId?: string): void {
    this.disconnectWhere(
      (visitor) =>
        visitor.organizationId === organizationId && (visitorId === undefined || visitor.visitorId === visitorId),
    );
  }

  /** Ends the sockets that are meant, by their session and the origin of their page. */
  disconnectWhere(isMeant: (visitor: VisitorIdentity, origin: string | undefined) => boolean): void {
    for (const socket of this.sockets()) {
      if (isMeant(socket.data.visitor, originOf(socket))) socket.disconnect(true);
    }
  }

  /** Ends the sockets that listen to a chat which is gone: the next one finds that it is. */
  disconnectListeners(chatId: string): void {
    for (const socket of this.listeners(chatId)) socket.disconnect(true);
  }

  private listeners(chatId: string): Socket[] {
    const ids = [...(this.namespace?.adapter.rooms.get(room(chatId)) ?? [])];
    return ids.flatMap((id) => this.namespace?.sockets.get(id) ?? []);
  }
}

function room(chatId: string): string {
  return ROOM + chatId;
}

/** The origin of the page that began the connection. */
export function originOf({ handshake }: LiveSocket): string | undefined {
  return handshake.headers.origin;
}

function visitorOf(socket: Socket): VisitorIdentity | undefined {
  return (socket.data as { visitor?: VisitorIdentity }).visitor;
}
