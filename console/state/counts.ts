import { signal } from '@preact/signals';
import { throttled } from '../lib/throttled.js';
import { get } from '../api/request.js';
import type { Counts, Group, Row } from '../api/types.js';
import { session } from './session.js';
import { isMine } from './views.js';

/** How many chats there are; null until it is known. */
export const counts = signal<Counts | null>(null);
/** Every group of the organization, by name. */
export const groups = signal<readonly Group[]>([]);

/** @throws RequestError */
export async function readCounts(): Promise<void> {
  const read = await get<Counts>('/chats/counts');
  if (session.value) counts.value = read;
}

/** @throws RequestError */
export async function readGroups(): Promise<void> {
  const read = await get<Group[]>('/groups');
  if (session.value) groups.value = read;
}

const readCountsSoon = throttled(readCounts, 1_000);
const readGroupsSoon = throttled(readGroups, 4_000);

/** Counts again when a row has gone from one count to another. */
export function recount(before: Row | undefined, after: Row | undefined): void {
  if (kindOf(before) !== kindOf(after)) readCountsSoon();
  if (before?.owner !== after?.owner || before?.group?.id !== after?.group?.id) readGroupsSoon();
}

export function groupOf(id: string | undefined): Group | undefined {
  return groups.value.find((group) => group.id === id);
}

function kindOf(row: Row | undefined): string {
  if (!row) return '';
  return row.owner === 'AGENT' ? `${isMine(row)} ${row.isUnread}` : row.owner;
}
