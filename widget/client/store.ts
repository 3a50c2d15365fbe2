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
  clear(): void;
  readOutbox(): KeptMessage[];
  writeOutbox(messages: readonly KeptMessage[]): void;
  /** Calls the listener when another tab changed what is kept. */
  onChange(listener: () => void): () => void;
}

export function createStore(widgetKey: string, storage = defaultStorage()): Store {
  const key = `parley:${widgetKey}`;
  const outboxKey = `${key}:outbox`;
  return {
    read: () => parse<Kept>(storage, key) ?? {},
    write: (change) => put(storage, key, { ...parse<Kept>(storage, key), ...change }),
    clear() {
      storage.removeItem(key);
      storage.removeItem(outboxKey);
    },
    readOutbox() {
      const kept = parse<KeptMessage[]>(storage, outboxKey);
      return Array.isArray(kept) ? kept : [];
    },
    writeOutbox: (messages) =>
      messages.length > 0 ? put(storage, outboxKey, messages) : storage.removeItem(outboxKey),
    onChange(listener) {
      if (typeof window === 'undefined') return () => undefined;
      const heard = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener();
      };
      window.addEventListener('storage', heard);
      return () => window.removeEventListener('storage', heard);
    },
  };
}

// Whatever is found there may have been written by another version, or by hand.
function parse<T extends object>(storage: VisitorStorage, key: string): T | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return typeof value === 'object' ? (value as T | null) : null;
  } catch {
    return null;
  }
}

// A full storage costs the memory of the next page, not this one's messages.
function put(storage: VisitorStorage, key: string, value: object): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}

/** `localStorage`; memory where there is none or it may not be used (a sandboxed page, Node). */
function defaultStorage(): VisitorStorage {
  try {
    const probe = 'parley:probe';
    window.localStorage.setItem(probe, '1');
    window.localStorage.removeItem(probe);
    return window.localStorage;
  } catch {
    return memoryStorage();
  }
}

function memoryStorage(): VisitorStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
