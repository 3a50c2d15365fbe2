import { jitter } from './backoff.js';
import { createValue } from './observable.js';
import { isTransient, type RequestError, toFailure } from './errors.js';
import type { KeptMessage, OutboxStore } from './outbox-store.js';
import type { Message, PendingMessage, SendOptions } from './types.js';

/** Waits between attempts, in milliseconds, while there is a connection; after the last one the message has failed. */
const RETRY_DELAYS = [1_000, 2_000, 4_000, 8_000];

export interface OutboxSender {
  /** Whether a request would be tried now. */
  isUp(): boolean;
  /** Stores a message. @throws RequestError */
  post(message: KeptMessage): Promise<Message>;
}

/** The two ends of a promise that `add` returned. */
interface Waiter {
  resolve: (message: Message) => void;
  reject: (error: unknown) => void;
}

/** The messages that the service has not confirmed yet. Sends them one after the other, in order, each once. */
export class Outbox {
  /** The unconfirmed messages that the chat doesn't show yet. */
  readonly pending = createValue<readonly KeptMessage[]>([]);
  readonly #store: OutboxStore;
  readonly #sender: OutboxSender;
  #messages: readonly KeptMessage[];
  /** The ids of messages that an earlier page left in storage. */
  readonly #restoredIds: Set<string>;
  /** The ids of messages that arrived in the chat before the service confirmed them. */
  readonly #arrivedIds = new Set<string>();
  readonly #waiters = new Map<string, Waiter[]>();
  #isPaused = false;
  #run: Promise<void> | null = null;

  constructor(store: OutboxStore, sender: OutboxSender) {
    this.#store = store;
    this.#sender = sender;
    this.#messages = store
      .readOutbox()
      .map((message) => (message.state === 'sending' ? { ...message, state: 'queued' } : message));
    this.#restoredIds = new Set(this.#messages.map(({ clientMessageId }) => clientMessageId));
    this.#publish();
  }

  /**
   * Sends what is queued, and ends a pause.
   * @param openedId the chat that is for what was written before one was open
   */
  resume(openedId?: string): void {
    this.#isPaused = false;
    if (openedId) {
      this.#replace(this.#messages.map((message) => ({ ...message, chatId: message.chatId ?? openedId })));
    }
    this.#flush();
  }

  /** Sends nothing more until `resume`. Resolves when the message that is being sent has its answer. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#run;
  }

  /** Queues a message and resolves when it is stored. The same `clientMessageId` again is the same message. */
  add(content: string, { clientMessageId = newId(), ...options }: SendOptions, chatId?: string): Promise<Message> {
    if (!this.#find(clientMessageId)) this.#queue(clientMessageId, content, options, chatId);
    const stored = new Promise<Message>((resolve, reject) => {
      this.#waiters.set(clientMessageId, [...(this.#waiters.get(clientMessageId) ?? []), { resolve, reject }]);
    });
    // A caller that only watches `pending` need not handle the rejection, too.
    stored.catch(() => undefined);
    this.#flush();
    return stored;
  }

  /** Queues a failed message again. @param chatId the chat that it is for now */
  retry(id: string, chatId = this.#find(id)?.chatId): void {
    if (this.#find(id)?.state !== 'failed') return;
    this.#update(id, { state: 'queued', error: undefined, chatId });
    this.#flush();
  }

  /** Rejects the promises of all messages. The messages stay, and what is queued is sent after the next `resume`. */
  reject(reason: unknown): void {
    for (const { clientMessageId } of this.#messages) this.#settle(clientMessageId, (waiter) => waiter.reject(reason));
  }

  /** Deletes a failed message. */
  discard(id: string): void {
    if (this.#find(id)?.state === 'failed') this.#remove(id);
  }

  /** Hides the message that is being sent once the chat shows the same one. */
  recognize(message: Message): void {
    const same = this.pending.value.find((pending) => pending.state === 'sending' && hasSameText(pending, message));
    if (same) this.#arrivedIds.add(same.clientMessageId);
    this.#publish();
  }

  /**
   * Deletes the messages and rejects their promises.
   * @param isKept says which to keep of what was written on this page before a chat was open; none when omitted
   */
  clear(reason: RequestError, isKept?: (id: string) => boolean): void {
    const kept = this.#messages.filter(
      ({ clientMessageId: id, chatId }) => !chatId && !this.#restoredIds.has(id) && isKept?.(id),
    );
    for (const message of this.#messages) {
      if (!kept.includes(message)) this.#settle(message.clientMessageId, ({ reject }) => reject(reason));
    }
    this.#replace(kept);
  }

  #flush(): void {
    this.#run ??= this.#sendAll().finally(() => {
      this.#run = null;
      // A message may have been added after the last check.
      if (this.#findNext()) this.#flush();
    });
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#findNext(); next; next = this.#findNext()) await this.#send(next);
  }

  async #send(message: KeptMessage): Promise<void> {
    const id = message.clientMessageId;
    this.#update(id, { state: 'sending' });
    for (let attempt = 0; ; attempt++) {
      try {
        return this.#confirm(id, await this.#sender.post(message));
      } catch (error) {
        // It waits for the next connection. If it was stored after all, its clientMessageId prevents a second one.
        if (!this.#isWanted(id)) return this.#update(id, { state: 'queued' });
        const delay = isTransient(error) ? RETRY_DELAYS[attempt] : undefined;
        if (delay === undefined) return this.#fail(id, error);
        await new Promise((resolve) => setTimeout(resolve, jitter(delay)));
        if (!this.#isWanted(id)) return this.#update(id, { state: 'queued' });
      }
    }
  }

  #confirm(id: string, stored: Message): void {
    this.#arrivedIds.delete(id);
    this.#remove(id);
    this.#settle(id, ({ resolve }) => resolve(stored));
  }

  #fail(id: string, error: unknown): void {
    this.#update(id, { state: 'failed', error: toFailure(error) });
    this.#settle(id, ({ reject }) => reject(error));
  }

  #settle(id: string, settle: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(id) ?? [];
    this.#waiters.delete(id);
    waiters.forEach(settle);
  }

  get #canSend(): boolean {
    return !this.#isPaused && this.#sender.isUp();
  }

  /** Whether a message may still be sent: the connection may be lost by now, or the message deleted. */
  #isWanted(id: string): boolean {
    return this.#canSend && this.#find(id) !== undefined;
  }

  #find(id: string): KeptMessage | undefined {
    return this.#messages.find(({ clientMessageId }) => clientMessageId === id);
  }

  #findNext(): KeptMessage | undefined {
    return this.#canSend ? this.#messages.find(({ state }) => state === 'queued') : undefined;
  }

  #queue(clientMessageId: string, content: string, { type = 'TEXT', ...options }: SendOptions, chatId?: string): void {
    const { metadata, replyTo, files } = options;
    const createdAt = new Date().toISOString();
    const message = { clientMessageId, content, type, metadata, replyTo, files, createdAt, chatId };
    this.#replace([...this.#messages, { ...message, state: 'queued' }]);
  }

  #update(id: string, change: Partial<KeptMessage>): void {
    if (change.state !== 'sending') this.#arrivedIds.delete(id);
    this.#replace(
      this.#messages.map((message) => (message.clientMessageId === id ? { ...message, ...change } : message)),
    );
  }

  #remove(id: string): void {
    this.#replace(this.#messages.filter(({ clientMessageId }) => clientMessageId !== id));
  }

  #replace(messages: readonly KeptMessage[]): void {
    this.#messages = messages;
    this.#store.writeOutbox(messages);
    this.#publish();
  }

  #publish(): void {
    this.pending.set(this.#messages.filter(({ clientMessageId }) => !this.#arrivedIds.has(clientMessageId)));
  }
}

function hasSameText(pending: PendingMessage, { content, type, replyTo, files }: Message): boolean {
  return (
    pending.content === content &&
    pending.type === type &&
    pending.replyTo?.messageId === replyTo?.messageId &&
    pending.files?.[0]?.id === files?.[0]?.id
  );
}

/** 128 random bits. `crypto.randomUUID` exists on https pages only. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
