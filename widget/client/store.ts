import { JsonStorage } from './json-storage.js';
import type { PendingMessage, VisitorStorage } from './types.js';

/** What the browser stores about its visitor. All tabs of the site share it. */
export interface Kept {
  token?: string;
  expiresAt?: string;
  visitorId?: string;
  /** The `sub` of the identity that created the session. */
  sub?: string;
  chatId?: string;
  /** The last `seq` that was shown: a hint that saves a round trip. */
  latestSeq?: number;
}

/** An unconfirmed message. `chatId` is missing when the visitor wrote it before a chat was open. */
export type KeptMessage = PendingMessage & { chatId?: string };

export interface Store {
  read(): Kept;
  write(change: Partial<Kept>): void;
  /** Forgets the chat, and keeps the session. */
  forgetChat(): void;
  clear(): void;
  readOutbox(): KeptMessage[];
  /** Replaces the messages that this tab has read or written. Messages of other tabs stay. */
  writeOutbox(messages: readonly KeptMessage[]): void;
  /** Calls the listener when another tab changes the store. */
  onChange(listener: () => void): () => void;
}

/** @param given used in the place of `localStorage` */
export function createStore(widgetKey: string, given?: VisitorStorage): Store {
  const key = `parley:${widgetKey}`;
  const outboxKey = `${key}:outbox`;
  const storage = new JsonStorage(given);
  /** The ids of the messages that this tab has read or written. Any other message belongs to another tab. */
  const knownIds = new Set<string>();

  const read = () => storage.read<Kept>(key) ?? {};
  const write = (change: Partial<Kept>) => storage.write(key, { ...read(), ...change });
  const readAll = () => {
    const kept = storage.read<KeptMessage[]>(outboxKey);
    return Array.isArray(kept) ? kept.filter(Boolean) : [];
  };
  const remember = <T extends readonly KeptMessage[]>(messages: T): T => {
    for (const { clientMessageId } of messages) knownIds.add(clientMessageId);
    return messages;
  };

  return {
    read,
    write,
    forgetChat: () => write({ chatId: undefined, latestSeq: undefined }),
    clear() {
      storage.write(key);
      storage.write(outboxKey);
    },
    readOutbox: () => remember(readAll()),
    writeOutbox(messages) {
      remember(messages);
      const all = [...readAll().filter(({ clientMessageId }) => !knownIds.has(clientMessageId)), ...messages];
      storage.write(outboxKey, all[0] && all);
    },
    onChange: (listener) => onStorage(key, listener),
  };
}

/** Calls the listener when another tab changes the key or clears the storage. */
function onStorage(key: string, listener: () => void): () => void {
  if (typeof window === 'undefined') return () => undefined;
  const handle = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener();
  };
  window.addEventListener('storage', handle);
  return () => window.removeEventListener('storage', handle);
}
