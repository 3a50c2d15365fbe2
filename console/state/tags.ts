import { signal } from '@preact/signals';
import { get } from '../api/request.js';
import type { UsedTag } from '../api/types.js';
import { throttled } from '../lib/throttled.js';
import { staleAt } from './live.js';
import { me } from './session.js';

/** How long an answer is used, and the least time between two reads of the colors. */
const FRESH_MS = 60_000;

/** The colors of tags by their names; null: none. */
const colors = signal<ReadonlyMap<string, string | null>>(new Map());
/** The answers by the agent and the beginning that was asked for. */
const answers = new Map<string, Promise<UsedTag[]>>();
/** When the most used tags were read: they're read again with the lists. */
let readAt: unknown;

/** The tags that begin with a text, the most used ones first, as they were up to a minute ago. @throws RequestError */
export function findTags(prefix: string): Promise<UsedTag[]> {
  const key = me().id + prefix;
  let tags = answers.get(key);
  if (!tags) {
    answers.set(key, (tags = ask(prefix)));
    const forget = () => answers.delete(key);
    tags.catch(forget);
    setTimeout(forget, FRESH_MS);
  }
  return tags;
}

async function ask(prefix: string): Promise<UsedTag[]> {
  const { tags } = await get<{ tags: UsedTag[] }>(`/tags?${new URLSearchParams({ prefix })}`);
  // A whole name without an answer has no color, and isn't asked for again.
  colors.value = new Map([[prefix, null], ...colors.value, ...tags.map(({ name, color }) => [name, color] as const)]);
  return tags;
}

/** Reads the colors again. @throws RequestError */
export async function readTags(): Promise<void> {
  answers.clear();
  await findTags('');
}

const readTagsSoon = throttled(readTags, FRESH_MS);

/** The color of a tag, once it's known. */
export function colorOf(name: string): string | null | undefined {
  const { value: at } = staleAt;
  if (readAt !== at) {
    readAt = at;
    readTagsSoon();
  }
  return colors.value.get(name);
}
