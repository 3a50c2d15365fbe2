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

export function createStore(widgetKey: string, given?: VisitorStorage): Store {
  const key = `parley:${widgetKey}`;
  const outboxKey = `${key}:outbox`;
  const storage = given ?? defaultStorage();
  /** What the storage would not take: a full one, a sandboxed page. Only a reload loses it. */
  const memory = new Map<string, string>();
  /** The messages that were ever seen here; any other in the outbox is another tab's. */
  const known = new Set<string>();

  // Whatever is found there may have been written by another version, or by hand.
  function parse<T extends object>(name: string): T | null {
    try {
      const value: unknown = JSON.parse(memory.get(name) ?? storage?.getItem(name) ?? 'null');
      return typeof value === 'object' ? (value as T | null) : null;
    } catch {
      return null;
    }
  }

  function put(name: string, value?: object): void {
    memory.delete(name);
    try {
      if (value) storage!.setItem(name, JSON.stringify(value));
      else storage!.removeItem(name);
    } catch {
      memory.set(name, JSON.stringify(value ?? null));
    }
  }

  function know<T extends readonly KeptMessage[]>(messages: T): T {
    for (const { clientMessageId } of messages) known.add(clientMessageId);
    return messages;
  }

  function readOutbox(): KeptMessage[] {
    const kept = parse<KeptMessage[]>(outboxKey);
    return Array.isArray(kept) ? kept.filter(Boolean) : [];
  }

  const write = (change: Partial<Kept>) => put(key, { ...parse<Kept>(key), ...change });

  return {
    read: () => parse<Kept>(key) ?? {},
    write,
    forgetChat: () => write({ chatId: undefined, latestSeq: undefined }),
    clear() {
      put(key);
      put(outboxKey);
    },
    readOutbox: () => know(readOutbox()),
    writeOutbox(messages) {
      know(messages);
      const all = [...readOutbox().filter(({ clientMessageId }) => !known.has(clientMessageId)), ...messages];
      put(outboxKey, all[0] && all);
    },
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

/** `localStorage`; none where it may not be used (a sandboxed page, Node). */
function defaultStorage(): VisitorStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
