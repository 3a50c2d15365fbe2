import { createValue } from './observable.js';
import type { Chat, Message } from './types.js';

/** How far the visitor has read, and how much is left. A mark never goes back. */
export function createReading(tell: (seq: number) => Promise<boolean>) {
  const unread = createValue(0);
  let readSeq = 0;
  let toldSeq = 0;

  const told = (seq: number) => void (toldSeq = Math.max(toldSeq, seq));

  return {
    unread,
    /** Forgets the chat. */
    reset(): void {
      readSeq = toldSeq = 0;
      unread.set(0);
    },
    /** What the service knows, also from the visitor's other tabs and devices. */
    adopt({ read }: Chat): void {
      told(read.visitor);
      readSeq = Math.max(readSeq, toldSeq);
    },
    count(messages: readonly Message[]): void {
      const isUnread = ({ seq, sender: { type } }: Message) => seq > readSeq && (type === 'BOT' || type === 'AGENT');
      unread.set(messages.filter(isUnread).length);
    },
    /** Answers whether the mark moved. */
    move(seq: number): boolean {
      if (seq <= readSeq) return false;
      readSeq = seq;
      return true;
    },
    /** Says to the service what it does not know yet. */
    async flush(): Promise<void> {
      const seq = readSeq;
      if (seq > toldSeq && (await tell(seq))) told(seq);
    },
  };
}
