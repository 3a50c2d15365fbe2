import type { Item } from './service.js';
import type { Column } from './table.js';

const NOTHING = '–';

/** A value as one readable line. */
export function valueOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueOf).join(', ') || NOTHING;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
}

export function text(field: string, title = field): Column<Item> {
  return { title, of: (row) => valueOf(row[field]) };
}

/** A column that may be cut. */
export function free(title: string, of: (row: Item) => unknown): Column<Item> {
  return { title, isFlexible: true, of: (row) => valueOf(of(row)) };
}

export function number(title: string, of: (row: Item) => unknown): Column<Item> {
  return { title, of: (row) => valueOf(of(row)) };
}

/** A column of a time, cut to `length` characters: 16 for minutes, 10 for days. */
export function time(
  field: string,
  title: string,
  { isExtra = true, nothing = NOTHING, length = 16 } = {},
): Column<Item> {
  const of = (row: Item) => (typeof row[field] === 'string' ? row[field].slice(0, length).replace('T', ' ') : nothing);
  return { title, isExtra, of };
}
