import { printable } from '../platform/lib/printable.js';
import { cut, widthOf } from './text.js';

export interface Column<T = Record<string, unknown>> {
  title: string;
  of(row: T): string;
  /** Whether cells may be cut to fit. Ids and numbers are never cut. */
  isFlexible?: boolean;
  /** Set if the column is only shown when a row has a value for it: whether this one does. */
  isIn?(row: T): boolean;
  /** Whether the column is dropped first if the table is too wide. */
  isExtra?: boolean;
}

interface Cells {
  titles: string[];
  isFlexible: boolean[];
  rows: string[][];
}

const GAP = 2;
const MIN_WIDTH = 8;

/**
 * Renders the rows as lines of at most `width` columns. Cuts long names, then drops extra columns. If the table is still too wide,
 * prints each row as a block of lines.
 */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], width: number): string[] {
  const { titles, isFlexible, rows: cells } = toCells(columns, rows);
  const natural = titles.map((title, index) => Math.max(...[title, ...cells.map((row) => row[index]!)].map(widthOf)));
  const widths = fit(natural, isFlexible, width);
  if (widths) return [titles, ...cells].map((row) => renderRow(row, widths));
  const extra = columns.findLastIndex(({ isExtra }) => isExtra);
  if (extra >= 0) return renderTable(columns.toSpliced(extra, 1), rows, width);
  return cells.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...renderPairs(row.map((cell, at) => [titles[at]!, cell])),
  ]);
}

/** Renders each pair as a line `name  value`, without cutting. */
export function renderPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => widthOf(name)));
  return pairs.map(([name, value]) => `${pad(name, width)}${' '.repeat(GAP)}${value}`.trimEnd());
}

function toCells<T>(columns: readonly Column<T>[], rows: readonly T[]): Cells {
  return {
    titles: columns.map(({ title }) => title.toUpperCase()),
    isFlexible: columns.map(({ isFlexible }) => isFlexible ?? false),
    rows: rows.map((row) => columns.map((column) => printable(column.of(row)))),
  };
}

/** Column widths that fit, shrinking the widest flexible column first; null if the table can't fit. */
function fit(natural: number[], isFlexible: boolean[], width: number): number[] | null {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  while (excess > 0) {
    const widest = widths.reduce(
      (best, one, at) => (isFlexible[at] && one > (widths[best] ?? MIN_WIDTH) ? at : best),
      -1,
    );
    if (widest < 0) return null;
    widths[widest]!--;
    excess--;
  }
  return widths;
}

function renderRow(row: string[], widths: number[]): string {
  return row
    .map((cell, at) => pad(cut(cell, widths[at]!), widths[at]!))
    .join(' '.repeat(GAP))
    .trimEnd();
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
