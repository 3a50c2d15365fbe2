import { createValue } from './observable.js';
import { isTransient, type RequestError, toVisitorError } from './request.js';
import type { KeptMessage, Store } from './store.js';
import type { Message, PendingMessage, SendOptions } from './types.js';

/** Waits between attempts, in milliseconds, while there is a connection; after the last one the message has failed. */
const DELAYS = [1_000, 2_000, 4_000, 8_000];

export interface OutboxWay {
  /** Whether there is a way to the service. */
  isUp(): boolean;
  /** Stores a message. @throws RequestError */
  post(message: KeptMessage): Promise<Message>;
}

/** What the visitor has said and the service has not confirmed: sent one after the other, in order, each once. */
export function createOutbox(store: Store, way: OutboxWay) {
  let all: readonly KeptMessage[] = store
    .readOutbox()
    .map((message) => (message.state === 'sending' ? { ...message, state: 'queued' } : message));
  /** Those that an earlier page left. */
  const found = new Set(all.map(({ clientMessageId }) => clientMessageId));
  /** Those that were seen in the chat before the service confirmed them. */
  const seen = new Set<string>();
  const pending = createValue<readonly PendingMessage[]>(all);
  const waiting = new Map<string, { resolve: (message: Message) => void; reject: (error: unknown) => void }[]>();
  let isResting = false;
  let running: Promise<void> | null = null;

  function set(messages: readonly KeptMessage[]): void {
    all = messages;
    store.writeOutbox(all);
    show();
  }

  const show = () => pending.set(all.filter(({ clientMessageId }) => !seen.has(clientMessageId)));
  const find = (id: string) => all.find(({ clientMessageId }) => clientMessageId === id);
  const without = (id: string) => all.filter(({ clientMessageId }) => clientMessageId !== id);
  const change = (id: string, to: Partial<KeptMessage>) => {
    if (to.state !== 'sending') seen.delete(id);
    set(all.map((message) => (message.clientMessageId === id ? { ...message, ...to } : message)));
  };

  function settle(id: string, work: (promise: NonNullable<ReturnType<typeof waiting.get>>[0]) => void): void {
    const promises = waiting.get(id) ?? [];
    waiting.delete(id);
    promises.forEach(work);
  }

  function flush(): void {
    running ??= run().finally(() => {
      running = null;
      // Something may have come after the last look.
      if (findNext()) flush();
    });
  }

  async function run(): Promise<void> {
    for (let next = findNext(); next; next = findNext()) await attempt(next);
  }

  function findNext(): KeptMessage | undefined {
    return isResting || !way.isUp() ? undefined : all.find(({ state }) => state === 'queued');
  }

  async function attempt(message: KeptMessage): Promise<void> {
    const id = message.clientMessageId;
    change(id, { state: 'sending' });
    for (let tries = 0; ; tries++) {
      try {
        const stored = await way.post(message);
        seen.delete(id);
        set(without(id));
        return settle(id, ({ resolve }) => resolve(stored));
      } catch (error) {
        // It waits for the next connection; the service knows it by its clientMessageId if it came through after all.
        if (isResting || !way.isUp()) return change(id, { state: 'queued' });
        const delay = isTransient(error) ? DELAYS[tries] : undefined;
        if (delay === undefined) {
          change(id, { state: 'failed', error: toVisitorError(error) });
          return settle(id, ({ reject }) => reject(error));
        }
        await new Promise((resolve) => setTimeout(resolve, delay * (0.75 + Math.random() / 2)));
      }
    }
  }

  return {
    pending,
    flush(): void {
      isResting = false;
      flush();
    },
    /** Sends nothing more until `flush`; resolves when what is on its way has its answer. */
    async rest(): Promise<void> {
      isResting = true;
      await running;
    },
    /** The same `clientMessageId` again is the same message. */
    add(
      content: string,
      { type = 'TEXT', metadata, replyTo, clientMessageId = newId() }: SendOptions,
      chatId?: string,
    ) {
      if (!find(clientMessageId)) {
        const createdAt = new Date().toISOString();
        const message = { clientMessageId, content, type, metadata, replyTo, createdAt, chatId };
        set([...all, { ...message, state: 'queued' }]);
      }
      const stored = new Promise<Message>((resolve, reject) => {
        waiting.set(clientMessageId, [...(waiting.get(clientMessageId) ?? []), { resolve, reject }]);
      });
      // Whoever looks at `pending` alone need not catch it too.
      stored.catch(() => undefined);
      flush();
      return stored;
    },
    retry(id: string): void {
      if (find(id)?.state !== 'failed') return;
      change(id, { state: 'queued', error: undefined });
      flush();
    },
    discard(id: string): void {
      if (find(id)?.state === 'failed') set(without(id));
    },
    /** A message of this visitor arrived: what is on its way and says the same is it, and is not shown twice. */
    recognize(message: Message): void {
      const same = pending.value.find(
        ({ state, content, type, replyTo }) =>
          state === 'sending' &&
          content === message.content &&
          type === message.type &&
          replyTo?.messageId === message.replyTo?.messageId,
      );
      if (same) seen.add(same.clientMessageId);
      show();
    },
    /** @param keepsNew keeps what was said on this page and is for no chat yet */
    clear(reason: RequestError, keepsNew?: boolean): void {
      const kept = all.filter(({ clientMessageId, chatId }) => keepsNew && !chatId && !found.has(clientMessageId));
      for (const message of all) {
        if (!kept.includes(message)) settle(message.clientMessageId, ({ reject }) => reject(reason));
      }
      set(kept);
    },
  };
}

/** 128 random bits; `crypto.randomUUID` is there on https pages alone. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
