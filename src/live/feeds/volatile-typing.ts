import type { EventEmitter } from 'node:events';
import type { TypingEvent } from './typing-event.js';

/** The members of a socket that are used here. */
export interface TypingSocket {
  readonly conn: Connection;
  emit(event: 'typing', typing: TypingEvent): unknown;
}

type Connection = Pick<EventEmitter, 'once' | 'off'> & {
  readonly transport: Pick<EventEmitter, 'once' | 'off'> & { readonly writable: boolean };
};

/**
 * Sends typing to sockets. Texts are volatile: a connection that can't take one now gets only the sender's newest text later, so
 * that nothing piles up for a slow client.
 */
export class VolatileTyping {
  private readonly waiting = new WeakMap<Connection, Map<string, () => void>>();

  send(socket: TypingSocket, event: TypingEvent): void {
    const { chatId, sender, isTyping, text } = event;
    if (!isTyping) this.drop(socket, chatId, sender.id);
    if (text === undefined) socket.emit('typing', event);
    else this.sendText(socket.conn, keyOf(chatId, sender.id), () => void socket.emit('typing', event));
  }

  /** Drops a text that waits for a slow connection. */
  drop({ conn }: Pick<TypingSocket, 'conn'>, chatId: string, senderId: string | null): void {
    this.waiting.get(conn)?.delete(keyOf(chatId, senderId));
  }

  private sendText(conn: Connection, key: string, emit: () => void): void {
    const waiting = this.waiting.get(conn);
    if (waiting) waiting.set(key, emit);
    else if (conn.transport.writable) emit();
    else this.wait(conn, new Map([[key, emit]]));
  }

  private wait(conn: Connection, texts: Map<string, () => void>): void {
    this.waiting.set(conn, texts);
    const { transport } = conn;
    const send = () => {
      transport.off('ready', send);
      conn.off('upgrade', send);
      // The connection's own buffer comes first.
      if (!conn.transport.writable) return this.wait(conn, texts);
      this.waiting.delete(conn);
      for (const emit of texts.values()) emit();
    };
    transport.once('ready', send);
    conn.once('upgrade', send);
  }
}

function keyOf(chatId: string, senderId: string | null): string {
  return `${chatId} ${senderId}`;
}
