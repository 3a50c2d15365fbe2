import type { LiveUpdates } from '../feeds/live-updates.js';

interface Typist<T> {
  end: T;
  socketIds: Set<string>;
}

/**
 * The sockets that reported that a sender types in a chat. A sender's typing ends when the last of them disconnects
 * (CONTRACT: Live text).
 */
export class TypingSockets<T> {
  private readonly typists = new Map<string, Typist<T>>();
  private readonly keysOf = new Map<string, Set<string>>();

  constructor(updates: LiveUpdates) {
    // A message replaces what its sender typed.
    updates.on('message.created', ({ message: { chatId, sender } }) => this.end(chatId, sender.id));
  }

  /**
   * @param socketId the socket that reports; undefined over REST
   * @param end what `leave` returns when the typing ends with this socket
   */
  report(
    { chatId, isTyping }: { chatId: string; isTyping: boolean },
    senderId: string | null,
    socketId: string | undefined,
    end: T,
  ): void {
    if (!isTyping) this.end(chatId, senderId);
    else if (socketId !== undefined) this.add(socketId, keyOf(chatId, senderId), end);
  }

  /** Removes a socket that has disconnected, and returns the typing that ends with it. */
  leave(socketId: string): T[] {
    const keys = [...(this.keysOf.get(socketId) ?? [])];
    const ended = keys.map((key) => this.typists.get(key)!).filter(({ socketIds }) => socketIds.size === 1);
    for (const key of keys) this.remove(socketId, key);
    return ended.map(({ end }) => end);
  }

  private add(socketId: string, key: string, end: T): void {
    const socketIds = this.typists.get(key)?.socketIds ?? new Set<string>();
    this.typists.set(key, { end, socketIds: socketIds.add(socketId) });
    this.keysOf.set(socketId, (this.keysOf.get(socketId) ?? new Set<string>()).add(key));
  }

  private end(chatId: string, senderId: string | null): void {
    const key = keyOf(chatId, senderId);
    for (const socketId of this.typists.get(key)?.socketIds ?? []) this.remove(socketId, key);
  }

  private remove(socketId: string, key: string): void {
    const socketIds = this.typists.get(key)?.socketIds;
    socketIds?.delete(socketId);
    if (socketIds?.size === 0) this.typists.delete(key);
    const keys = this.keysOf.get(socketId);
    keys?.delete(key);
    if (keys?.size === 0) this.keysOf.delete(socketId);
  }
}

function keyOf(chatId: string, senderId: string | null): string {
  return `${chatId} ${senderId}`;
}
