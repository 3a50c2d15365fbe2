import { signal } from '@preact/signals';
import type { GoneRow, Row } from '../api/types.js';

/** So many rows are kept; those that changed longest ago go first. */
const MOST = 10_000;

const rows = new Map<string, Row>();
/** Grows with every change of a row. */
const version = signal(0);

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
 */
export function takeRow(row: Row | GoneRow): Row | undefined | false {
  const before = rows.get(row.id);
  if ('isGone' in row) {
    if (before && before.rev > row.rev) return false;
    rows.delete(row.id);
  } else {
    if (before && (before.rev > row.rev || before.messageCount > row.messageCount)) return false;
    rows.delete(row.id);
    rows.set(row.id, row);
    if (rows.size > MOST) rows.delete(rows.keys().next().value!);
  }
  version.value++;
  return before;
}

export function forgetRows(): void {
  rows.clear();
  version.value++;
}
