import { computed, signal } from '@preact/signals';
import type { Row } from '../../api/types.js';
import { hasMore, readMore, visibleRows, whenRead } from './views.js';

/** The most chats that are selected at a time. */
const MAX_SELECTED = 200;
/** The most pages that are read to select all: some may be lost to a read of the whole list. */
const MAX_PAGES = 10;

/** Whether the list shows checkboxes. */
export const isSelecting = signal(false);
const chosen = signal<ReadonlySet<string>>(new Set());
/** How far a run over selected chats has come; null when none runs. */
export const bulkRun = signal<{ done: number; total: number } | null>(null);
/** The chat that was selected last: Shift selects from it. */
let anchor: string | undefined;
/** Increases with every choice: what was asked for before it ends. */
let choices = 0;

/** The selected chats of the list. A chat that leaves the list is no longer selected. */
export const selectedRows = computed<Row[]>(() => {
  const ids = chosen.value;
  return ids.size === 0 ? [] : visibleRows.value.filter(({ id }) => ids.has(id));
});

export function isSelected(id: string): boolean {
  return chosen.value.has(id);
}

/** Selects a chat, or takes it out. @param isRange whether all chats between it and the last one follow it */
export function toggleSelected(id: string, isRange = false): void {
  const next = new Set(selectedRows.value.map((row) => row.id));
  const isOn = !next.has(id);
  for (const one of isRange ? rangeTo(id) : [id]) {
    if (!isOn) next.delete(one);
    else if (next.size < MAX_SELECTED) next.add(one);
  }
  anchor = id;
  choices++;
  chosen.value = next;
  isSelecting.value = true;
}

/** Selects all chats of the list, up to MAX_SELECTED. Reads unloaded ones, until the agent selects others, ends it, or shows another list. */
export async function selectAll(): Promise<void> {
  const choice = ++choices;
  // So that Escape ends it.
  isSelecting.value = true;
  for (let page = 0; page < MAX_PAGES; page++) {
    await whenRead();
    if (choice !== choices || !hasMore.value || visibleRows.value.length >= MAX_SELECTED) break;
    await readMore();
  }
  if (choice === choices) select(visibleRows.value.slice(0, MAX_SELECTED).map(({ id }) => id));
}

/** Selects only these chats of the list. Without any, selecting ends. */
export function select(ids: readonly string[]): void {
  choices++;
  const wanted = new Set(ids);
  isSelecting.value = visibleRows.value.some(({ id }) => wanted.has(id));
  chosen.value = wanted;
  anchor = undefined;
}

export const endSelecting = (): void => select([]);

function rangeTo(id: string): string[] {
  const ids = visibleRows.value.map((row) => row.id);
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
  if (from === -1 || to === -1) return [id];
  return ids.slice(Math.min(from, to), Math.max(from, to) + 1);
}
