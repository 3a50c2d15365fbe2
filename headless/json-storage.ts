import type { TextStorage } from './types.js';

/** Keeps objects as JSON in the browser's storage. */
export class JsonStorage {
  readonly #storage: TextStorage | undefined;
  /** The values that the storage refused, because it is full or the page is sandboxed. A reload loses them. */
  readonly #memory = new Map<string, string>();

  /** @param given used instead of `localStorage` */
  constructor(given?: TextStorage) {
    this.#storage = given ?? defaultStorage();
  }

  read<T extends object>(key: string): T | null {
    return parseObject<T>(() => this.#memory.get(key) ?? this.#storage?.getItem(key));
  }

  /** Keeps the value, or removes the key without one. */
  write(key: string, value?: object): void {
    this.#memory.delete(key);
    try {
      if (value) this.#storage!.setItem(key, JSON.stringify(value));
      else this.#storage!.removeItem(key);
    } catch {
      this.#memory.set(key, JSON.stringify(value ?? null));
    }
  }
}

/** Returns null for a value that is not JSON of an object: another version may have written it, or a person. */
export function parseObject<T extends object>(read: () => string | null | undefined): T | null {
  try {
    const value: unknown = JSON.parse(read() ?? 'null');
    return typeof value === 'object' ? (value as T | null) : null;
  } catch {
    return null;
  }
}

/** `localStorage`; undefined where it cannot be used (a sandboxed page, Node). */
function defaultStorage(): TextStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
