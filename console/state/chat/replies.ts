import { signal } from '@preact/signals';
import { foldText } from '../../../src/platform/locale/fold.js';
import { getAll } from '../../api/request.js';
import type { Reply } from '../../api/types.js';

/** How long the list is cached. */
const FRESH_FOR_MS = 60_000;
/** The longest list of results. */
const MAX_SHOWN = 50;

/** The replies of the agent and of the organization, by shortcut. */
const replies = signal<readonly Reply[] | null>(null);
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
    replies.value = [...own, ...everyones].sort((one, other) =>
      one.shortcut.localeCompare(other.shortcut, undefined, { numeric: true }),
    );
  } catch {
    readAt = 0;
  }
}

/** Whether the list is loaded. */
export function areRepliesRead(): boolean {
  return replies.value !== null;
}

export function forgetReplies(): void {
  readAt = 0;
  replies.value = null;
}

export interface FoundReplies {
  shown: Reply[];
  /** How many more match. */
  more: number;
  /** Whether there are none at all. */
  isEmpty: boolean;
}

/** The replies that match the text after the slash: first by shortcut, then by containing each word. */
export function findReplies(typed: string): FoundReplies {
  const wanted = foldText(typed);
  const words = wanted.split(' ').filter(Boolean);
  const all = replies.value ?? [];
  const begins = all.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const contains = all.filter((reply) => {
    const searched = foldText(`${reply.shortcut} ${reply.content}`);
    return !begins.includes(reply) && words.every((word) => searched.includes(word));
  });
  const found = [...begins, ...contains];
  return {
    shown: found.slice(0, MAX_SHOWN),
    more: Math.max(0, found.length - MAX_SHOWN),
    isEmpty: replies.value?.length === 0,
  };
}
