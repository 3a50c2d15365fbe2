import { createValue } from './observable.js';
import type { Sender } from './types.js';

/** A sender counts as typing this long after the last event, in milliseconds: longer than the service's own limit. */
const EXPIRES_AFTER = 12_000;
/** While this side types, an event is sent this often, in milliseconds. */
const SEND_EVERY = 4_000;
/** This side counts as typing for this time after the last key, in milliseconds. */
const IDLE_AFTER = 6_000;

/** Who is typing on the other side, and whether this side is. */
export class Typing {
  readonly senders = createValue<readonly Sender[]>([]);
  readonly #send: (isTyping: boolean) => void;
  readonly #isOwn: (sender: Sender) => boolean;
  readonly #expiryTimers = new Map<string, ReturnType<typeof setTimeout>>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** The time of the last event that this side is typing; 0 when it is not. */
  #sentAt = 0;

  /**
   * @param send reports to the service whether this side is typing
   * @param isOwn whether a sender is this side, whose events are dropped
   */
  constructor(send: (isTyping: boolean) => void, isOwn: (sender: Sender) => boolean) {
    this.#send = send;
    this.#isOwn = isOwn;
  }

  /** Reports whether this side is typing, at most every few seconds. */
  set(isTyping: boolean): void {
    clearTimeout(this.#idleTimer);
    if (isTyping) this.#idleTimer = setTimeout(() => this.set(false), IDLE_AFTER);
    if (isTyping ? Date.now() - this.#sentAt < SEND_EVERY : this.#sentAt === 0) return;
    this.#sentAt = isTyping ? Date.now() : 0;
    this.#send(isTyping);
  }

  /** Ends this side's typing without an event: the message that it sends is one. */
  stop(): void {
    clearTimeout(this.#idleTimer);
    this.#sentAt = 0;
  }

  /** Handles a typing event of the other side. */
  receive({ sender, isTyping }: { sender: Sender; isTyping: boolean }): void {
    if (this.#isOwn(sender)) return;
    this.clear(sender);
    if (!isTyping) return;
    this.senders.set([...this.senders.value, sender]);
    const timer = setTimeout(() => this.clear(sender), EXPIRES_AFTER);
    this.#expiryTimers.set(keyOf(sender), timer);
  }

  /** Removes a sender who has stopped typing. */
  clear(sender: Sender): void {
    const key = keyOf(sender);
    clearTimeout(this.#expiryTimers.get(key));
    if (!this.#expiryTimers.delete(key)) return;
    this.senders.set(this.senders.value.filter((other) => keyOf(other) !== key));
  }

  /** Forgets who is typing. */
  reset(): void {
    this.stop();
    for (const sender of this.senders.value) this.clear(sender);
  }
}

function keyOf({ type, id }: Sender): string {
  return `${type} ${id}`;
}
