import { useLayoutEffect, useState } from 'preact/hooks';
import type { Observable } from '../../client/types.js';

/** Returns the value of an observable, or a part of it, and renders again when that changes. */
export function useObservable<T, R = T>(observable: Observable<T>, pick = (value: T) => value as unknown as R): R {
  const [value, setValue] = useState(() => pick(observable.value));
  useLayoutEffect(() => observable.subscribe((next) => setValue(() => pick(next))), [observable]);
  return value;
}
