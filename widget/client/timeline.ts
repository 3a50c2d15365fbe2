import { createValue } from './observable.js';
import type { Message } from './types.js';

/**
 * The messages of one chat by the delivery rule (CONTRACT section 3): what was applied is dropped, what comes next is
 * applied, what is later is held until the hole before it is filled. It may begin in the middle of a chat; what is before
 * that is read when somebody scrolls back.
 */
export function createTimeline() {
  const messages = createValue<readonly Message[]>([]);
  const hasEarlier = createValue(false);
  const held = new Map<number, Message>();
  /** The seq before the first message, and that of the last. */
  let before = 0;
  let last = 0;

  return {
    messages,
    hasEarlier,
    get before() {
      return before;
    },
    get last() {
      return last;
    },
    /** Whether something later than the next is there, and what is between is not. */
    get hasHole() {
      return held.size > 0;
    },
    /** Empties it; it begins after `seq`. */
    reset(seq: number): void {
      held.clear();
      before = last = seq;
      messages.set([]);
      hasEarlier.set(before > 0);
    },
    /** Answers the messages that were applied. */
    take(arrived: readonly Message[]): Message[] {
      for (const message of arrived) if (message.seq > last) held.set(message.seq, message);
      const applied: Message[] = [];
      for (let next = held.get(last + 1); next; next = held.get(last + 1)) {
        held.delete(++last);
        applied.push(next);
      }
      if (applied.length > 0) messages.set([...messages.value, ...applied]);
      return applied;
    },
    /** Puts messages before the first one; those that do not follow each other up to it are left out. */
    prepend(earlier: readonly Message[]): void {
      const fitting: Message[] = [];
      const bySeq = new Map(earlier.map((message) => [message.seq, message]));
      for (let next = bySeq.get(before); next; next = bySeq.get(before)) {
        fitting.unshift(next);
        before--;
      }
      if (fitting.length > 0) messages.set([...fitting, ...messages.value]);
      hasEarlier.set(before > 0);
    },
  };
}
