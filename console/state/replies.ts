import { signal } from '@preact/signals';
import { getAll } from '../api/request.js';
import type { Reply } from '../api/types.js';

/** How long the list counts as fresh, in milliseconds. */
const FRESH = 60_000;
const MOST_SHOWN = 8;

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

/** The replies that fit what was typed behind the slash: by shortcut first, then by content. */
export function findReplies(typed: string): Reply[] {
  const wanted = typed.toLowerCase();
  const begins = replies.value.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const contains = replies.value.filter(
    (reply) => !begins.includes(reply) && `${reply.shortcut} ${reply.content}`.toLowerCase().includes(wanted),
  );
  return [...begins, ...contains].slice(0, MOST_SHOWN);
}
