import type { Observable, VisitorStorage } from 'parley/visitor';

/** Waits until the observable's value is as wanted. */
export function until<T>(observable: Observable<T>, holds: (value: T) => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error(`still ${JSON.stringify(observable.value)?.slice(0, 500)}`));
    }, 8_000);
    let end = (): void => undefined;
    end = observable.subscribe((value) => {
      if (!holds(value)) return;
      clearTimeout(timer);
      queueMicrotask(() => end());
      resolve(value);
    });
  });
}

/** A browser's storage, gone with the test. */
export function memory(): VisitorStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
