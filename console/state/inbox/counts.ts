import { batch, signal } from '@preact/signals';
import { Readings } from '../../lib/readings.js';
import { throttled } from '../../lib/throttled.js';
import { get } from '../../api/request.js';
import type { Counts, Group, Row } from '../../api/types.js';
import { session } from '../session.js';
import { isMine } from './views.js';

/** The number of chats per view; null until it's loaded. */
export const counts = signal<Counts | null>(null);
/** Every group of the organization, by name. */
export const groups = signal<readonly Group[]>([]);

const readingsOfCounts = new Readings();
const readingsOfGroups = new Readings();

/** @throws RequestError */
export function readCounts(): Promise<void> {
  return readingsOfCounts.read(
    () => get<Counts>('/chats/counts'),
    (read) => session.value && (counts.value = read),
  );
}

/** @throws RequestError */
export function readGroups(): Promise<void> {
  return readingsOfGroups.read(
    () => get<Group[]>('/groups'),
    (read) => session.value && (groups.value = read),
  );
}

/** The numbers of views and groups, in one step: they stand below each other. */
const readNumbers = async () => {
  const [all, every] = await Promise.all([get<Counts>('/chats/counts'), get<Group[]>('/groups')]);
  if (!session.value) return;
  batch(() => {
    counts.value = all;
    groups.value = every;
  });
};

export const readCountsSoon = throttled(readCounts, 1_000);
const readNumbersSoon = throttled(readNumbers, 2_000);

/** Refreshes the counts when a row moves from one count to another. */
export function recount(before: Row | undefined, after: Row | undefined): void {
  if (before?.owner !== after?.owner || before?.group?.id !== after?.group?.id) readNumbersSoon();
  else if (kindOf(before) !== kindOf(after)) readCountsSoon();
}

export function groupOf(id: string | undefined): Group | undefined {
  return groups.value.find((group) => group.id === id);
}

function kindOf(row: Row | undefined): string {
  if (!row) return '';
  return row.owner === 'AGENT' ? `${isMine(row)} ${row.isUnread} ${row.snooze != null}` : row.owner;
}
