import { signal } from '@preact/signals';
import { getAll } from '../../api/request.js';
import type { Reply } from '../../api/types.js';

/** How long the list counts as fresh, in milliseconds. */
const FRESH = 60_000;
/** So many are listed: nobody looks through more. */
const MOST_SHOWN = 50;

/** The canned replies of the organization, by shortcut. */
const replies = signal<readonly Reply[]>([]);
let readAt = 0;

/** Reads the list unless it is fresh. */
export async function readReplies(): Promise<void> {
  if (Date.now() - readAt < FRESH) return;
  readAt = Date.now();
  try {
    const read = await getAll<Reply>('/replies', 'replies', 2_000);
    replies.value = read.sort((one, other) => one.shortcut.localeCompare(other.shortcut));
  } catch {
    readAt = 0;
  }
}

export function forgetReplies(): void {
  readAt = 0;
  replies.value = [];
}

export interface FoundReplies {
  shown: Reply[];
  /** How many fit beside these. */
  more: number;
}

/** The replies that fit what was typed behind the slash: by shortcut first, then those that have each of the words. */
export function findReplies(typed: string): FoundReplies {
  const wanted = typed.toLowerCase();
  const words = wanted.split(' ').filter(Boolean);
  const begins = replies.value.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const contains = replies.value.filter((reply) => {
    const all = `${reply.shortcut} ${reply.content}`.toLowerCase();
    return !begins.includes(reply) && words.every((word) => all.includes(word));
  });
  const found = [...begins, ...contains];
  return { shown: found.slice(0, MOST_SHOWN), more: Math.max(0, found.length - MOST_SHOWN) };
}
