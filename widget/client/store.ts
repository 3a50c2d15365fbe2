import { JsonStorage, parseObject } from '../../headless/json-storage.js';
import { createOutboxStore, type OutboxStore } from '../../headless/outbox-store.js';
import type { VisitorStorage } from './types.js';

/** What the browser stores about its visitor. All tabs of the site share it. */
export interface Kept {
  token?: string;
  expiresAt?: string;
  visitorId?: string;
  /** The `sub` of the identity that created the session. */
  sub?: string;
  /** A number for the profile that the session was last sent, without what is in it. */
  profile?: number;
  chatId?: string;
  /** The last `seq` that was shown: a hint that saves a round trip. */
  latestSeq?: number;
}

/** The storage of a tab whose visitor is a guest: `sessionStorage` is used until the page signs out. */
export interface TabStorage extends VisitorStorage {
  used?: VisitorStorage;
}

export interface Store extends OutboxStore {
  read(): Kept;
  write(change: Partial<Kept>): void;
  /** Forgets the chat, and keeps the session. */
  forgetChat(): void;
  clear(): void;
  /** Deletes what no tab has sent. A tab that is open stores its own again with the next change. */
  clearOutbox(): void;
  /** Calls the listener when another tab changes the store, with whether that tab cleared it, and what was in it before. */
  onChange(listener: (isCleared: boolean, before: Kept) => void): () => void;
}

/** @param given used instead of `localStorage` */
export function createStore(widgetKey: string, given?: TabStorage): Store {
  const key = `parley:${widgetKey}`;
  const outboxKey = `${key}:outbox`;
  const storage = new JsonStorage(given);

  const read = () => storage.read<Kept>(key) ?? {};
  const write = (change: Partial<Kept>) => storage.write(key, { ...read(), ...change });

  const clearOutbox = () => storage.write(outboxKey);

  return {
    ...createOutboxStore(storage, outboxKey),
    read,
    write,
    forgetChat: () => write({ chatId: undefined, latestSeq: undefined }),
    clearOutbox,
    clear() {
      storage.write(key);
      clearOutbox();
      storage.write('parley:emitted');
    },
    onChange: (listener) => onStorage(key, given, listener),
  };
}

/** Calls the listener when another tab changes the key or clears the storage. What is only this tab's, no other tab changes. */
function onStorage(
  key: string,
  given: TabStorage | undefined,
  listener: (isCleared: boolean, before: Kept) => void,
): () => void {
  if (typeof window === 'undefined') return () => undefined;
  const handle = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return;
    if ((given?.used ?? event.storageArea) === sessionStorage) return;
    listener(event.newValue === null, parseObject<Kept>(() => event.oldValue) ?? {});
  };
  window.addEventListener('storage', handle);
  return () => window.removeEventListener('storage', handle);
}
