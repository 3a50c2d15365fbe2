import { Timings } from '../feeds/timings.js';
import type { TypingSignal } from '../feeds/typing-event.js';

/** What a chat's listeners got last from a sender. */
interface Last {
  /** The `seq` of the sender's last message. */
  seq: number;
  /** The time of the newest text, or of its end. */
  at: number;
  isEnd: boolean;
  /** When this node got that, in milliseconds of `performance.now()`. */
  receivedAt: number;
}

/**
 * Keeps the order of texts and messages (CONTRACT: Live text). It admits nothing that was accepted before a message of the same
 * sender once that message was sent, and no older text after a newer one or after the end of typing. It remembers only chats
 * with listeners.
 */
export class TypingOrder {
  private readonly chats = new Map<string, Map<string, Last>>();

  constructor(private readonly timings: Timings) {}

  /** Whether a signal may be sent. Remembers the signals that it admits. */
  admit({ chatId, sender: { id }, isTyping, text, afterSeq, at }: TypingSignal): boolean {
    if (id === null || at === undefined || afterSeq === undefined) return true;
    const last = this.chats.get(chatId)?.get(id);
    const isText = isTyping && text !== undefined;
    if (last && isTyping && afterSeq < last.seq) return false;
    if (last && this.isRecent(last)) {
      // A text after an end in the same millisecond is the next text.
      if (at < last.at || (at === last.at && isText && !last.isEnd)) return false;
    }
    if (isText || !isTyping)
      Object.assign(this.of(chatId, id), { at, isEnd: !isTyping, receivedAt: performance.now() });
    return true;
  }

  /** Call this when a message was sent to all listeners of its chat. */
  onMessage(chatId: string, senderId: string, seq: number): void {
    const last = this.of(chatId, senderId);
    last.seq = Math.max(last.seq, seq);
  }

  forget(chatId: string): void {
    this.chats.delete(chatId);
  }

  // No signal is in flight for longer. After that, a clock that was set back no longer blocks texts.
  private isRecent({ receivedAt }: Last): boolean {
    return performance.now() - receivedAt < this.timings.typing;
  }

  private of(chatId: string, senderId: string): Last {
    let ofChat = this.chats.get(chatId);
    if (!ofChat) this.chats.set(chatId, (ofChat = new Map()));
    let last = ofChat.get(senderId);
    if (!last) ofChat.set(senderId, (last = { seq: 0, at: 0, isEnd: false, receivedAt: Number.NEGATIVE_INFINITY }));
    return last;
  }
}
