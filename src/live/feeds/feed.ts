import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { MessageView } from '../../messages/message.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import type { Room } from './rooms.js';

/** The events that the server sends to an audience's sockets, by name. */
export type ServerEvents = Record<string, (payload: never) => void>;

/** A socket of an audience. It is authenticated before it connects. */
export type FeedSocket<Events extends ServerEvents, Data> = Socket<DefaultEventsMap, Events, DefaultEventsMap, Data>;

/**
 * One audience's sockets on this node, and their rooms. While a room has a socket, this node is subscribed to the room's
 * channel. Each audience has its own subscriptions.
 */
export abstract class Feed<Events extends ServerEvents, Data> {
  protected namespace?: Namespace<DefaultEventsMap, Events, DefaultEventsMap, Data>;
  private readonly emptied: ((room: string) => void)[] = [];
  private readonly sent: ((message: MessageView) => void)[] = [];
  private readonly connected: ((socket: FeedSocket<Events, Data>) => void)[] = [];

  /** @param audience the subscriber's name */
  constructor(
    private readonly audience: string,
    private readonly nodes: OtherNodes,
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

  /** Calls the listeners of `onMessageSent`. */
  protected notifySent(message: MessageView): void {
    for (const listener of this.sent) listener(message);
  }

  /** Adds a socket to a room. Skips a disconnected one, because nothing would remove it again. */
  protected async joinRoom(socket: Pick<Socket, 'connected' | 'join'>, room: Room): Promise<void> {
    if (!socket.connected) return;
    const channel = this.channelOf(room);
    await Promise.all([channel !== null && this.nodes.subscribe(channel, this.audience), socket.join(room)]);
  }
}
