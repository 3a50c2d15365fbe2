import type { Observable } from './types.js';

/** An observable that its owner sets. Setting an equal value notifies no listener. */
export interface Value<T> extends Observable<T> {
  set(value: T): void;
}

export function createValue<T>(initial: T): Value<T> {
  let value = initial;
  const { listeners, tell } = createListeners<T>();
  return {
    get value() {
      return value;
    },
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      tell(next);
    },
    subscribe(listener) {
      const end = listeners(listener);
      listener(value);
      return end;
    },
  };
}

/** A set of listeners. An error in one is reported, and the others are called all the same. */
export function createListeners<T>() {
  const all = new Set<(value: T) => void>();
  return {
    listeners(listener: (value: T) => void): () => void {
      // Wrapped, so that the same function can be added twice.
      const own = (value: T) => listener(value);
      all.add(own);
      return () => void all.delete(own);
    },
    tell(value: T): void {
      for (const listener of Array.from(all)) {
        try {
          listener(value);
        } catch (error) {
          setTimeout(() => {
            throw error;
          });
        }
      }
    },
  };
}
