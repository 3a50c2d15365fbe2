import { JsonStorage } from './json-storage.js';
import type { PendingMessage, VisitorStorage } from './types.js';

/** What a browser remembers of its visitor; every tab of the site shares it. */
export interface Kept {
  token?: string;
  expiresAt?: string;
  visitorId?: string;
  /** The `sub` of the identity that the session was made with. */
  sub?: string;
  chatId?: string;
  /** Where the chat was when it was last looked at: a hint that saves a round trip. */
  latestSeq?: number;
}

/** A message that waits, and the chat it is for; none when it begins one. */
export type KeptMessage = PendingMessage & { chatId?: string };

export interface Store {
  read(): Kept;
  write(change: Partial<Kept>): void;
  /** Forgets the chat, and keeps the session. */
  forgetChat(): void;
  clear(): void;
  readOutbox(): KeptMessage[];
  /** Keeps these in the place of all that were read or written here; what another tab keeps stays. */
  writeOutbox(messages: readonly KeptMessage[]): void;
  /** Calls the listener when another tab changed what is kept. */
  onChange(listener: () => void): () => void;
}

/** @param given the page's own storage in the place of `localStorage` */
export function createStore(widgetKey: string, given?: VisitorStorage): Store {
  const key = `parley:${widgetKey}`;
  const outboxKey = `${key}:outbox`;
  const storage = new JsonStorage(given);
  /** The ids of all messages that this tab has read or written; any other in the outbox is another tab's. */
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
