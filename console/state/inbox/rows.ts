import { signal } from '@preact/signals';
import type { GoneRow, Row } from '../../api/types.js';

/** So many rows are kept; those that changed longest ago go first. */
const MOST = 10_000;
/** Of so many chats that the agent may not see any more it is kept since when. */
const MOST_GONE = 1_000;

const rows = new Map<string, Row>();
/** The `rev` with which chats went: a page that was read before does not bring them back. */
const gone = new Map<string, number>();
/** Grows with every change of a row. */
const version = signal(0);

let onTaken = (_before: Row | undefined, _row: Row): void => undefined;

/** Names what is called with each row that takes the place of an older one, or of none. */
export function watchRows(listener: (before: Row | undefined, row: Row) => void): void {
  onTaken = listener;
}

/** The newest known row of a chat; reading it follows its changes. */
export function rowOf(id: string): Row | undefined {
  void version.value;
  return rows.get(id);
}

/** The rows as they are now; reading it follows every change. */
export function allRows(): ReadonlyMap<string, Row> {
  void version.value;
  return rows;
}

/**
 * Takes a row unless a newer one is known: one that is lower in neither `rev` nor `messageCount`.
 * Returns the row before it, or false when it is not taken.
 * @param isNews whether it came because the chat has changed
 */
export function takeRow(row: Row | GoneRow, isNews = false): Row | undefined | false {
  const before = rows.get(row.id);
  if ('isGone' in row) {
    if (before && before.rev > row.rev) return false;
    rows.delete(row.id);
    keep(gone, row.id, row.rev, MOST_GONE);
  } else {
    if (row.rev < (gone.get(row.id) ?? 0)) return false;
    if (before && (before.rev > row.rev || before.messageCount > row.messageCount)) return false;
    keep(rows, row.id, row, MOST);
    if (before || isNews) onTaken(before, row);
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
