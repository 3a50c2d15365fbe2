import { Timings } from '../feeds/timings.js';
import type { TypingSignal } from '../feeds/typing-event.js';

/** What the listeners of a chat got last of a sender. */
interface Last {
  /** The `seq` of the sender's last message. */
  seq: number;
  /** The time of the newest text, or of its end. */
  at: number;
  isEnd: boolean;
  /** When that was, on the clock of `performance.now()`. */
  heardAt: number;
}

/**
 * Keeps the order of texts and messages (CONTRACT section 12): nothing that was taken before a message of its sender passes after
 * that message, and no older text after a newer one or after its end. It remembers chats that have listeners.
 */
export class TypingOrder {
  private readonly chats = new Map<string, Map<string, Last>>();

  constructor(private readonly timings: Timings) {}

  /** Whether a signal may pass. What passes is remembered. */
  admit({ chatId, sender: { id }, isTyping, text, afterSeq, at }: TypingSignal): boolean {
    if (id === null || at === undefined || afterSeq === undefined) return true;
    const last = this.chats.get(chatId)?.get(id);
    const isText = isTyping && text !== undefined;
    if (last && isTyping && afterSeq < last.seq) return false;
    if (last && this.isRecent(last)) {
      // A text that comes after an end of the same millisecond is the next one.
      if (at < last.at || (at === last.at && isText && !last.isEnd)) return false;
    }
    if (isText || !isTyping) Object.assign(this.of(chatId, id), { at, isEnd: !isTyping, heardAt: performance.now() });
    return true;
  }

  /** To be called when a message was sent to all listeners of its chat. */
  onMessage(chatId: string, senderId: string, seq: number): void {
    const last = this.of(chatId, senderId);
    last.seq = Math.max(last.seq, seq);
  }

  forget(chatId: string): void {
    this.chats.delete(chatId);
  }

  // Nothing is under way for longer. A clock that was set back stops no text beyond that.
  private isRecent({ heardAt }: Last): boolean {
    return performance.now() - heardAt < this.timings.typing;
  }

  private of(chatId: string, senderId: string): Last {
    let ofChat = this.chats.get(chatId);
    if (!ofChat) this.chats.set(chatId, (ofChat = new Map()));
    let last = ofChat.get(senderId);
    if (!last) ofChat.set(senderId, (last = { seq: 0, at: 0, isEnd: false, heardAt: Number.NEGATIVE_INFINITY }));
    return last;
  }
}
