import { useLayoutEffect, useState } from 'preact/hooks';
import type { Observable } from '../client/types.js';

/** Returns the value of an observable, and renders again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(() => observable.value);
  useLayoutEffect(() => observable.subscribe((next) => setValue(() => next)), [observable]);
  return value;
}
