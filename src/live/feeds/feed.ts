import type { BroadcastOperator, DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { MessageView } from '../../messages/message.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import type { DisconnectReason } from './disconnects.js';
import { LiveMetrics, type Source } from './live-metrics.js';
import { chatOf, chatRoom, type Room } from './rooms.js';
import type { TypingEvent } from './typing-event.js';
import { VolatileTyping } from './volatile-typing.js';

/** The events that the server sends to an audience's sockets, by name. */
export type ServerEvents = Record<string, (payload: never) => void>;

/** What the listeners of a chat get, in each audience. */
export type ChatEvents = {
  message: (message: MessageView) => void;
  'message:deleted': (message: MessageView) => void;
  typing: (typing: TypingEvent) => void;
  /** Lets a client detect that it missed the last message. */
  seq: (hint: { chatId: string; latestSeq: number }) => void;
};

/** A socket of an audience. It is authenticated before it connects. */
export type FeedSocket<Events extends ServerEvents, Data> = Socket<DefaultEventsMap, Events, DefaultEventsMap, Data>;

/**
 * One audience's sockets on this node, and their rooms. While a room has a socket, this node is subscribed to the room's
 * channel. Each audience has its own subscriptions.
 */
export abstract class Feed<Events extends ServerEvents, Data> {
  protected namespace?: Namespace<DefaultEventsMap, Events, DefaultEventsMap, Data>;
  protected readonly typing = new VolatileTyping();
  private readonly emptied: ((room: string) => void)[] = [];
  private readonly sent: ((message: MessageView) => void)[] = [];
  private readonly connected: ((socket: FeedSocket<Events, Data>) => void)[] = [];

  /** @param audience the subscriber's name */
  constructor(
    private readonly audience: string,
    private readonly nodes: OtherNodes,
    protected readonly metrics: LiveMetrics,
    /** The channel of a room; null for a room without one. */
    private readonly channelOf: (room: string) => string | null,
  ) {}

  attach(namespace: Namespace): void {
    this.namespace = namespace as unknown as typeof this.namespace;
    namespace.adapter.on('delete-room', (room: string) => {
      const channel = this.channelOf(room);
      if (channel !== null) this.nodes.unsubscribe(channel, this.audience);
      for (const listener of this.emptied) listener(room);
    });
    namespace.on('connection', (socket: Socket) => {
      for (const listener of this.connected) listener(socket as unknown as FeedSocket<Events, Data>);
    });
  }

  /** Calls the listener with each room when its last socket leaves it. */
  onRoomEmptied(listener: (room: string) => void): void {
    this.emptied.push(listener);
  }

  /** Calls the listener with each chat that lost its last listener on this node. */
  onEmptied(listener: (chatId: string) => void): void {
    this.onRoomEmptied((room) => {
      const chatId = chatOf(room);
      if (chatId !== null) listener(chatId);
    });
  }

  /** Calls the listener with each socket that connects. */
  onConnected(listener: (socket: FeedSocket<Events, Data>) => void): void {
    this.connected.push(listener);
  }

  /** Calls the listener with each message after it was sent to the sockets of its chat. */
  onMessageSent(listener: (message: MessageView) => void): void {
    this.sent.push(listener);
  }

  sockets(): FeedSocket<Events, Data>[] {
    return [...(this.namespace?.sockets.values() ?? [])] as unknown as FeedSocket<Events, Data>[];
  }

  socketsIn(room: Room): FeedSocket<Events, Data>[] {
    return this.socketsWith(this.namespace?.adapter.rooms.get(room) ?? []);
  }

  /** The sockets with these ids that are connected to this node. */
  socketsWith(ids: Iterable<string>): FeedSocket<Events, Data>[] {
    return [...ids].flatMap((id) => (this.namespace?.sockets.get(id) as unknown as FeedSocket<Events, Data>) ?? []);
  }

  hasListeners(room: Room): boolean {
    return this.namespace?.adapter.rooms.has(room) ?? false;
  }

  /** Whether the chat has listeners on this node. */
  hasChat(chatId: string): boolean {
    return this.hasListeners(chatRoom(chatId));
  }

  /** Sends a message, unless the chat has no listeners here. */
  sendMessage(message: MessageView, source: Source): void {
    if (!this.hasChat(message.chatId)) return;
    this.metrics.onSent(source, message.createdAt);
    this.toChat(message.chatId)?.emit('message', message);
    for (const listener of this.sent) listener(message);
  }

  sendDeleted(message: MessageView): void {
    this.toChat(message.chatId)?.emit('message:deleted', message);
  }

  /** Sends the chat's highest `seq`, so that listeners can detect a missed message; not to the socket that knows it. */
  sendSeq(chatId: string, latestSeq: number, exceptSocketId = ''): void {
    this.toChat(chatId)?.except(exceptSocketId).emit('seq', { chatId, latestSeq });
  }

  /** Drops a sender's texts that wait for slow sockets. */
  dropText(chatId: string, senderId: string | null): void {
    for (const socket of this.socketsIn(chatRoom(chatId))) this.typing.drop(socket, chatId, senderId);
  }

  /** Disconnects one socket. */
  end(socket: Pick<Socket, 'disconnect'>, reason: DisconnectReason): void {
    this.metrics.onEnded(reason);
    socket.disconnect(true);
  }

  /** Adds a socket to a room. Skips a disconnected one, because nothing would remove it again. */
  protected async joinRoom(socket: Pick<Socket, 'connected' | 'join'>, room: Room): Promise<void> {
    if (!socket.connected) return;
    const channel = this.channelOf(room);
    await Promise.all([channel !== null && this.nodes.subscribe(channel, this.audience), socket.join(room)]);
  }

  private toChat(chatId: string): BroadcastOperator<ChatEvents, Data> | undefined {
    return this.namespace?.to(chatRoom(chatId)) as unknown as BroadcastOperator<ChatEvents, Data> | undefined;
  }
}
