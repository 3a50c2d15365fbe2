import { createValue } from './observable.js';
import type { Message, Sender, Typist } from './types.js';

/** A sender counts as typing this long after the last event, in milliseconds: longer than the service's own limit. */
const EXPIRES_AFTER_MS = 12_000;
/** The same after a reconnect, unless the service sends it again: it sends live texts within a second. */
const STALE_AFTER_MS = 2_000;
/** While this side types, an event is sent this often, in milliseconds. */
const SEND_INTERVAL_MS = 4_000;
/** The same with what this side has written. */
const SEND_TEXT_INTERVAL_MS = 500;
/** This side counts as typing for this time after the last key, in milliseconds. */
const IDLE_AFTER_MS = 6_000;

/** The service's event. With `text` it has `afterSeq` and `at` (CONTRACT: Live text). */
export interface TypingEvent {
  sender: Sender;
  isTyping: boolean;
  text?: string;
  status?: string;
  canStop?: boolean;
  afterSeq?: number;
  at?: number;
}

/** What is known of a sender. */
interface Known {
  /** The `seq` of the last message. */
  seq: number;
  /** The `afterSeq` and the `at` of the newest text. */
  afterSeq: number;
  at: number;
  timer?: ReturnType<typeof setTimeout>;
  /** Set while the sender is typing. */
  typist?: Typist;
}

/** Who is typing on the other side and what, and whether this side is. */
export class Typing {
  readonly senders = createValue<readonly Typist[]>([]);
  readonly #send: (isTyping: boolean, text?: string) => void;
  readonly #isOwn: (sender: Sender) => boolean;
  readonly #known = new Map<string, Known>();
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
    const sentAt = this.#sentAt;
    this.stop();
    if (isTyping) this.#idleTimer = setTimeout(() => this.set(false), IDLE_AFTER_MS);
    else if (!sentAt) return;
    this.#sentAt = sentAt;
    const wait = isTyping ? sentAt + (text === undefined ? SEND_INTERVAL_MS : SEND_TEXT_INTERVAL_MS) - Date.now() : 0;
    if (wait <= 0) {
      this.#sentAt = isTyping ? Date.now() : 0;
      this.#send(isTyping, text);
    } else if (text !== undefined) this.#textTimer = setTimeout(() => this.set(true, text), wait);
  }

  /** Ends this side's typing without an event: the message that it sends is one. */
  stop(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#textTimer);
    this.#sentAt = 0;
  }

  /** Handles a typing event of the other side. A text that is older than what is shown changes nothing. */
  receive({ sender, isTyping, text, status, canStop, afterSeq = 0, at = 0 }: TypingEvent): void {
    if (this.#isOwn(sender)) return;
    if (!isTyping) return this.clear(sender);
    const known = this.#of(sender);
    if (text !== undefined) {
      if (afterSeq < known.seq || at < known.at) return;
      known.afterSeq = afterSeq;
      known.at = at;
    }
    this.#expire(known, sender, EXPIRES_AFTER_MS);
    known.typist = text === undefined ? { ...known.typist, ...sender } : { ...sender, text, status, canStop };
    this.#tell();
  }

  /** Call this with every message that is shown. It replaces what its sender was writing. */
  onMessage({ sender, seq }: Message): void {
    const known = this.#of(sender);
    known.seq = seq;
    if (seq > known.afterSeq) this.clear(sender);
  }

  /** Removes a sender who has stopped typing. */
  clear(sender: Sender): void {
    const known = this.#of(sender);
    clearTimeout(known.timer);
    known.typist = undefined;
    this.#tell();
  }

  /** Call this after a reconnect: the service doesn't repeat the ends that were missed. */
  expireSoon(): void {
    for (const known of this.#known.values()) if (known.typist) this.#expire(known, known.typist, STALE_AFTER_MS);
  }

  /** Removes the senders who may no longer type. */
  keep(mayType: (sender: Sender) => boolean): void {
    for (const typist of this.senders.value) if (!mayType(typist)) this.clear(typist);
  }

  /** Forgets who is typing. */
  reset(): void {
    this.stop();
    for (const { timer } of this.#known.values()) clearTimeout(timer);
    this.#known.clear();
    this.#tell();
  }

  #expire(known: Known, sender: Sender, delay: number): void {
    clearTimeout(known.timer);
    known.timer = setTimeout(() => this.clear(sender), delay);
  }

  #tell(): void {
    this.senders.set([...this.#known.values()].flatMap(({ typist }) => typist ?? []));
  }

  #of({ type, id }: Sender): Known {
    const key = type + id;
    const known = this.#known.get(key) ?? { seq: 0, afterSeq: 0, at: 0 };
    this.#known.set(key, known);
    return known;
  }
}
