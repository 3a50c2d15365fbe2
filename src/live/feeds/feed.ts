import type { DefaultEventsMap, Namespace, Socket } from 'socket.io';
import type { MessageView } from '../../messages/message.js';
import { OtherNodes } from '../../platform/cluster/other-nodes.js';
import type { Room } from './rooms.js';

/** The events that the server sends to the sockets of an audience, by name. */
export type ServerEvents = Record<string, (payload: never) => void>;

/** A socket of an audience; it is authenticated before it connects. */
export type FeedSocket<Events extends ServerEvents, Data> = Socket<DefaultEventsMap, Events, DefaultEventsMap, Data>;

/**
 * The sockets of one audience on this node, and their rooms. While one of them is in a room, this node is subscribed to the
 * room's channel; each audience has subscriptions of its own.
 */
export abstract class Feed<Events extends ServerEvents, Data> {
  protected namespace?: Namespace<DefaultEventsMap, Events, DefaultEventsMap, Data>;
  private readonly emptied: ((room: string) => void)[] = [];
  private readonly sent: ((message: MessageView) => void)[] = [];
  private readonly connected: ((socket: FeedSocket<Events, Data>) => void)[] = [];

  /** @param audience the name of the subscriber to channels */
  constructor(
    private readonly audience: string,
    private readonly nodes: OtherNodes,
    /** The channel on which other nodes publish about a room; null for a room without one. */
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

  /** Calls the listener with each room that its last socket has left. */
  onRoomEmptied(listener: (room: string) => void): void {
    this.emptied.push(listener);
  }

  /** Calls the listener with each socket that has connected. */
  onConnected(listener: (socket: FeedSocket<Events, Data>) => void): void {
    this.connected.push(listener);
  }

  /** Calls the listener with each message after it was sent to the sockets of its chat. */
  onMessageSent(listener: (message: MessageView) => void): void {
    this.sent.push(listener);
  }

  /** Every socket of this node. */
  sockets(): FeedSocket<Events, Data>[] {
    return [...(this.namespace?.sockets.values() ?? [])] as unknown as FeedSocket<Events, Data>[];
  }

  /** The sockets of this node in a room. */
  socketsIn(room: Room): FeedSocket<Events, Data>[] {
    return this.socketsWith(this.namespace?.adapter.rooms.get(room) ?? []);
  }

  /** Those of these sockets that are connected to this node. */
  socketsWith(ids: Iterable<string>): FeedSocket<Events, Data>[] {
    return [...ids].flatMap((id) => (this.namespace?.sockets.get(id) as unknown as FeedSocket<Events, Data>) ?? []);
  }

  hasListeners(room: Room): boolean {
    return this.namespace?.adapter.rooms.has(room) ?? false;
  }

  /** To be called when a message was sent to the sockets of its chat. */
  protected announce(message: MessageView): void {
    for (const listener of this.sent) listener(message);
  }

  /** Skips a socket that has disconnected meanwhile, because nothing would remove it from the room again. */
  protected async enter(socket: Pick<Socket, 'connected' | 'join'>, room: Room): Promise<void> {
    if (!socket.connected) return;
    const channel = this.channelOf(room);
    await Promise.all([channel !== null && this.nodes.subscribe(channel, this.audience), socket.join(room)]);
  }
}
