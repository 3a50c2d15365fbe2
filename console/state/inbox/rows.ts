import { signal } from '@preact/signals';
import type { GoneRow, Row } from '../../api/types.js';

/** Maximum rows in memory; the least recently changed are evicted first. */
const MAX_ROWS = 10_000;
/** Maximum removed chats whose `rev` is kept. */
const MAX_GONE = 1_000;

const rows = new Map<string, Row>();
/** The `rev` of each removed chat: an older page doesn't bring it back. */
const gone = new Map<string, number>();
/** Increases with every change of a row. */
const version = signal(0);

type RowListener = (before: Row | undefined, row: Row) => void;
const listeners: RowListener[] = [];

/** Adds a listener for new and changed rows. */
export function watchRows(listener: RowListener): void {
  listeners.push(listener);
}

/** The latest row of a chat; reading it subscribes to its changes. */
export function rowOf(id: string): Row | undefined {
  void version.value;
  return rows.get(id);
}

/** All rows; reading it subscribes to every change. */
export function allRows(): ReadonlyMap<string, Row> {
  void version.value;
  return rows;
}

/**
 * Stores a row, unless its `rev` or `messageCount` is lower than the known row's.
 * Returns the previous row, or false if it isn't stored.
 */
export function takeRow(row: Row | GoneRow): Row | undefined | false {
  const before = rows.get(row.id);
  if ('isGone' in row) {
    // The service no longer knows the `rev` of a chat that was erased. There is no later row of it.
    if (before && before.rev > row.rev && !row.isRemoved) return false;
    rows.delete(row.id);
    keep(gone, row.id, row.rev, MAX_GONE);
  } else {
    if (row.rev < (gone.get(row.id) ?? 0)) return false;
    if (before && (before.rev > row.rev || before.messageCount > row.messageCount)) return false;
    keep(rows, row.id, row, MAX_ROWS);
    // Rows of a read count too: after a reconnect, the read may come before the event.
    for (const listener of listeners) listener(before, row);
  }
  version.value++;
  return before;
}

function keep<T>(map: Map<string, T>, id: string, value: T, most: number): void {
  map.delete(id);
  map.set(id, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

export function forgetRows(): void {
  rows.clear();
  gone.clear();
  version.value++;
}
