import { createValue } from './observable.js';
import type { Message, Sender, Typist } from './types.js';

/** A sender counts as typing this long after the last event, in milliseconds: longer than the service's own limit. */
const EXPIRES_AFTER = 12_000;
/** While this side types, an event is sent this often, in milliseconds. */
const SEND_EVERY = 4_000;
/** The same with what this side has written. */
const SEND_TEXT_EVERY = 500;
/** This side counts as typing for this time after the last key, in milliseconds. */
const IDLE_AFTER = 6_000;

/** The service's event. With `text` it has `afterSeq` and `at` (CONTRACT section 12). */
export interface TypingEvent {
  sender: Sender;
  isTyping: boolean;
  text?: string;
  afterSeq?: number;
  at?: number;
}

/** Who is typing on the other side and what, and whether this side is. */
export class Typing {
  readonly senders = createValue<readonly Typist[]>([]);
  readonly #send: (isTyping: boolean, text?: string) => void;
  readonly #isOwn: (sender: Sender) => boolean;
  readonly #expiryTimers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By sender, the `seq` of the last message, the time of the newest text, and the `afterSeq` of that. */
  readonly #saidSeqs = new Map<string, number>();
  readonly #times = new Map<string, number>();
  readonly #afterSeqs = new Map<string, number>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #textTimer: ReturnType<typeof setTimeout> | undefined;
  /** The time of the last event that this side is typing; 0 when it is not. */
  #sentAt = 0;

  /**
   * @param send reports to the service whether this side is typing, and what it has written
   * @param isOwn whether a sender is this side, whose events are dropped
   */
  constructor(send: (isTyping: boolean, text?: string) => void, isOwn: (sender: Sender) => boolean) {
    this.#send = send;
    this.#isOwn = isOwn;
  }

  /** Reports whether this side is typing, at most every few seconds; with a text more often, and the last text always. */
  set(isTyping: boolean, text?: string): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#textTimer);
    if (isTyping) this.#idleTimer = setTimeout(() => this.set(false), IDLE_AFTER);
    else if (!this.#sentAt) return;
    const pause = text === undefined ? SEND_EVERY : SEND_TEXT_EVERY;
    const wait = isTyping ? this.#sentAt + pause - Date.now() : 0;
    const send = () => {
      this.#sentAt = isTyping ? Date.now() : 0;
      this.#send(isTyping, text);
    };
    if (wait <= 0) send();
    else if (text !== undefined) this.#textTimer = setTimeout(send, wait);
  }

  /** Ends this side's typing without an event: the message that it sends is one. */
  stop(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#textTimer);
    this.#sentAt = 0;
  }

  /** Handles a typing event of the other side. A text that is older than what is shown changes nothing. */
  receive({ sender, isTyping, text, afterSeq = 0, at = 0 }: TypingEvent): void {
    const key = keyOf(sender);
    if (this.#isOwn(sender)) return;
    if (!isTyping) return this.clear(sender);
    if (text !== undefined) {
      if (afterSeq < (this.#saidSeqs.get(key) ?? 0) || at < (this.#times.get(key) ?? 0)) return;
      this.#times.set(key, at);
      this.#afterSeqs.set(key, afterSeq);
    }
    clearTimeout(this.#expiryTimers.get(key));
    const expire = () => {
      this.clear(sender);
      this.#times.delete(key);
    };
    this.#expiryTimers.set(key, setTimeout(expire, EXPIRES_AFTER));
    const others = [...this.senders.value];
    const place = others.findIndex((other) => keyOf(other) === key);
    const typist = { ...sender, text: text ?? others[place]?.text };
    if (place < 0) others.push(typist);
    else others[place] = typist;
    this.senders.set(others);
  }

  /** To be called with every message that is shown: it takes the place of what its sender had written before it. */
  onMessage({ sender, seq }: Message): void {
    const key = keyOf(sender);
    this.#saidSeqs.set(key, seq);
    if (seq > (this.#afterSeqs.get(key) ?? 0)) this.clear(sender);
  }

  /** Removes a sender who has stopped typing. */
  clear(sender: Sender): void {
    const key = keyOf(sender);
    clearTimeout(this.#expiryTimers.get(key));
    this.#afterSeqs.delete(key);
    if (!this.#expiryTimers.delete(key)) return;
    this.senders.set(this.senders.value.filter((other) => keyOf(other) !== key));
  }

  /** Forgets who is typing. */
  reset(): void {
    this.stop();
    for (const sender of this.senders.value) this.clear(sender);
    this.#saidSeqs.clear();
    this.#times.clear();
  }
}

function keyOf({ type, id }: Sender): string {
  return `${type} ${id}`;
}
