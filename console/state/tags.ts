import { signal } from '@preact/signals';
import { get } from '../api/request.js';
import type { UsedTag } from '../api/types.js';
import { staleAt } from './live.js';

/** The colors of tags by their names; null: none. */
const colors = signal<ReadonlyMap<string, string | null>>(new Map());
/** When the most used tags were read: they're read again with the lists. */
let readAt: unknown;

/** The tags that begin with a text, the most used ones first. @throws RequestError */
export async function findTags(prefix: string): Promise<UsedTag[]> {
  const { tags } = await get<{ tags: UsedTag[] }>(`/tags?${new URLSearchParams({ prefix })}`);
  colors.value = new Map([...colors.value, ...tags.map(({ name, color }) => [name, color] as const)]);
  return tags;
}

/** The color of a tag, once it's known. */
export function colorOf(name: string): string | null | undefined {
  const { value: at } = staleAt;
  if (readAt !== at) {
    readAt = at;
    findTags('').catch(() => undefined);
  }
  return colors.value.get(name);
}
