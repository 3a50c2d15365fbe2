import { signal } from '@preact/signals';
import { getAll } from '../../api/request.js';
import type { Reply } from '../../api/types.js';

/** How long the list is cached. */
const FRESH_FOR_MS = 60_000;
/** The longest list of results. */
const MAX_SHOWN = 50;

/** The replies of the agent and of the organization, by shortcut. */
const replies = signal<readonly Reply[]>([]);
let readAt = 0;

/** Loads the list, unless the cached one is fresh. */
export async function readReplies(): Promise<void> {
  if (Date.now() - readAt < FRESH_FOR_MS) return;
  readAt = Date.now();
  try {
    const [everyones, own] = await Promise.all([
      getAll<Reply>('/replies', 'replies', 2_000),
      getAll<Reply>('/own-replies', 'replies'),
    ]);
    replies.value = [...own, ...everyones].sort((one, other) => one.shortcut.localeCompare(other.shortcut));
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
  /** How many more match. */
  more: number;
}

/** The replies that match the text after the slash: first by shortcut, then by containing each word. */
export function findReplies(typed: string): FoundReplies {
  const wanted = typed.toLowerCase();
  const words = wanted.split(' ').filter(Boolean);
  const begins = replies.value.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const contains = replies.value.filter((reply) => {
    const all = `${reply.shortcut} ${reply.content}`.toLowerCase();
    return !begins.includes(reply) && words.every((word) => all.includes(word));
  });
  const found = [...begins, ...contains];
  return { shown: found.slice(0, MAX_SHOWN), more: Math.max(0, found.length - MAX_SHOWN) };
}
