interface Typist<T> {
  told: T;
  socketIds: Set<string>;
}

/** The sockets that told that a sender types in a chat: typing ends with the last of them (CONTRACT section 12). */
export class TypingSockets<T> {
  private readonly typists = new Map<string, Typist<T>>();
  private readonly keysOf = new Map<string, Set<string>>();

  /** @param told what `leave` returns when the typing ends with a socket */
  add(socketId: string, chatId: string, senderId: string | null, told: T): void {
    const key = keyOf(chatId, senderId);
    const socketIds = this.typists.get(key)?.socketIds ?? new Set<string>();
    this.typists.set(key, { told, socketIds: socketIds.add(socketId) });
    this.keysOf.set(socketId, (this.keysOf.get(socketId) ?? new Set<string>()).add(key));
  }

  /** To be called when a sender stopped typing, or sent what was typed. */
  end(chatId: string, senderId: string | null): void {
    const key = keyOf(chatId, senderId);
    for (const socketId of this.typists.get(key)?.socketIds ?? []) this.remove(socketId, key);
  }

  /** To be called when a socket has disconnected; returns what ends with it. */
  leave(socketId: string): T[] {
    const keys = [...(this.keysOf.get(socketId) ?? [])];
    const ended = keys.map((key) => this.typists.get(key)!).filter(({ socketIds }) => socketIds.size === 1);
    for (const key of keys) this.remove(socketId, key);
    return ended.map(({ told }) => told);
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
