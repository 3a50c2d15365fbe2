import { createValue } from './observable.js';
import type { Message } from './types.js';

/**
 * The messages of one chat by the delivery rule (CONTRACT: Exactly once and in order): a message that was applied is dropped, the next
 * one is applied, and a later one is held until the gap before it is filled. The timeline may begin in the middle of a
 * chat; `prepend` adds earlier messages.
 */
export class Timeline {
  readonly messages = createValue<readonly Message[]>([]);
  readonly hasEarlier = createValue(false);
  /** The messages after a gap, by `seq`. */
  readonly #held = new Map<number, Message>();
  /** The `seq` before the first message. */
  before = 0;
  /** The `seq` of the last message. */
  last = 0;

  /** Whether a message is missing before one that has arrived. */
  get hasGap(): boolean {
    return this.#held.size > 0;
  }

  /** Removes all messages. The timeline then begins after `seq`. */
  reset(seq: number): void {
    this.#held.clear();
    this.before = this.last = seq;
    this.messages.set([]);
    this.hasEarlier.set(seq > 0);
  }

  /** Takes messages in any order. A deleted one takes the place of the same message. Returns the applied ones. */
  take(messages: readonly Message[]): Message[] {
    for (const message of messages) {
      if (message.seq > this.last) this.#held.set(message.seq, message);
      else if (message.deletedAt)
        this.messages.set(this.messages.value.map((known) => (known.seq === message.seq ? message : known)));
    }
    const applied: Message[] = [];
    for (let next = this.#held.get(this.last + 1); next; next = this.#held.get(this.last + 1)) {
      this.#held.delete(++this.last);
      applied.push(next);
    }
    if (applied.length > 0) this.messages.set([...this.messages.value, ...applied]);
    return applied;
  }

  /** Puts messages before the first one, as far as they follow each other without a gap. */
  prepend(messages: readonly Message[]): void {
    const fitting: Message[] = [];
    const bySeq = new Map(messages.map((message) => [message.seq, message]));
    for (let next = bySeq.get(this.before); next; next = bySeq.get(this.before)) {
      fitting.unshift(next);
      this.before--;
    }
    if (fitting.length > 0) this.messages.set([...fitting, ...this.messages.value]);
    this.hasEarlier.set(this.before > 0);
  }
}
