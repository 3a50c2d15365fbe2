import { signal } from '@preact/signals';
import { get } from '../api/request.js';
import type { AttributeKey } from '../api/types.js';
import { staleAt } from './live.js';

/** The attribute keys that can be searched for. */
export const filterKeys = signal<readonly AttributeKey[]>([]);
/** When they were read: they're read again with the lists. */
let readAt: unknown;

/** Reads the keys, once for each time that the lists are. */
export function wantFilterKeys(): void {
  const { value: at } = staleAt;
  if (readAt === at) return;
  readAt = at;
  get<{ keys: AttributeKey[] }>('/attribute-keys').then(
    ({ keys }) => (filterKeys.value = keys),
    () => (readAt = undefined),
  );
}
