import type { Observable } from './types.js';

/** An observable that its owner sets. Setting the same value again is no change. */
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

/** Listeners of one kind of thing. One that throws is reported and hinders nobody. */
export function createListeners<T>() {
  const all = new Set<(value: T) => void>();
  return {
    listeners(listener: (value: T) => void): () => void {
      // Wrapped, so that the same function may listen twice.
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
