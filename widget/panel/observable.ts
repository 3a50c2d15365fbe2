import { useLayoutEffect, useState } from 'preact/hooks';
import type { Observable } from '../client/types.js';

/** The value of an observable of the client; draws again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(() => observable.value);
  useLayoutEffect(() => observable.subscribe((next) => setValue(() => next)), [observable]);
  return value;
}
