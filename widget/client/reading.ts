import { createValue } from '../../headless/observable.js';
import type { Chat, Message } from './types.js';

/** How far the visitor has read a chat, and the number of unread messages. The read position never goes back. */
export class Reading {
  readonly unread = createValue(0);
  readonly #send: (seq: number) => Promise<boolean>;
  #readSeq = 0;
  /** The read position that the service knows, of this chat: an answer may come when another one is open. */
  #sent = { seq: 0 };

  /** @param send reports a read position to the service, and returns whether it was taken */
  constructor(send: (seq: number) => Promise<boolean>) {
    this.#send = send;
  }

  /** Forgets the chat. */
  reset(): void {
    this.#readSeq = 0;
    this.#sent = { seq: 0 };
    this.unread.set(0);
  }

  /** Takes over what the service knows: the visitor may have read in another tab or on another device. */
  adopt({ read }: Chat): void {
    const { visitor: seq } = read;
    this.#sent.seq = Math.max(this.#sent.seq, seq);
    this.move(seq);
  }

  /** Counts the unread messages again. */
  count(messages: readonly Message[]): void {
    const isUnread = ({ seq, sender: { type } }: Message) =>
      seq > this.#readSeq && (type === 'BOT' || type === 'AGENT');
    this.unread.set(messages.filter(isUnread).length);
  }

  /** Moves the read position forward. Returns whether it moved. */
  move(seq: number): boolean {
    if (seq <= this.#readSeq) return false;
    this.#readSeq = seq;
    return true;
  }

  /** Reports the read position unless the service knows it. */
  async flush(): Promise<void> {
    const [seq, sent] = [this.#readSeq, this.#sent];
    if (seq > sent.seq && (await this.#send(seq))) sent.seq = Math.max(sent.seq, seq);
  }
}
