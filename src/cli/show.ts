import { valueOf } from './columns.js';
import { itemsOf, type Noun } from './noun.js';
import type { Item } from './service.js';
import { type Column, renderPairs, renderTable } from './table.js';
import { printable } from '../platform/lib/printable.js';
import { toJson } from './text.js';

const SECRETS = ['identitySecret', 'token', 'secret', 'visitorToken'];
const INDENT = '  ';

/** Prints the results of commands, as text or as the API's JSON. */
export class Show {
  constructor(
    private readonly isJson: boolean,
    /** The width of the terminal, in columns. */
    readonly width: number,
  ) {}

  /** Prints a page as a table. */
  page(noun: Noun, page: Item): void {
    if (this.isJson) return out(toJson(page));
    const items = page[itemsOf(noun)] as Item[];
    if (items.length === 0) note(`no ${itemsOf(noun)}`);
    const columns = noun.columns.filter((column) => !column.isIn || items.some((item) => column.isIn!(item)));
    if (items.length > 0) out(renderTable(columns, items, this.width).join('\n'));
    if (page.nextCursor) note(`there are more: --cursor ${page.nextCursor as string}`);
  }

  /** Prints all fields of one item. */
  item(item: Item, { parts = {}, nothing = {} }: Pick<Noun, 'parts' | 'nothing'> = {}): void {
    if (this.isJson) return out(toJson(item));
    const secrets = SECRETS.filter((name) => name in item);
    const plain = Object.entries(item).filter(([name]) => !secrets.includes(name) && !(name in parts));
    const pairs = [
      ...plain.map(([name, value]) => [name, value ?? nothing[name]] as [string, unknown]).flatMap(flatten),
      ...secrets.map((name) => [name, printable(valueOf(item[name]))] as const),
    ];
    out(renderPairs(pairs).join('\n'));
    for (const [name, columns] of Object.entries(parts))
      if (name in item) this.part(name, item[name] as Item[], columns);
    if (secrets.length > 0) note(`keep ${secrets.join(' and ')} now: it is not shown again`);
  }

  /** Prints a message, except with `--json`. */
  message(text: string): void {
    if (!this.isJson) out(text);
  }

  private part(name: string, items: Item[], columns: Column<Item>[]): void {
    if (items.length === 0) return;
    const lines = renderTable(columns, items, this.width - INDENT.length);
    out([name, ...lines.map((line) => INDENT + line)].join('\n'));
  }
}

// Names nested fields with a dot.
function flatten([name, value]: [string, unknown]): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[printable(name), printable(valueOf(value))]];
  return Object.entries(value).flatMap(([inner, its]) => flatten([`${name}.${inner}`, its]));
}

export function out(text: string): void {
  if (text) process.stdout.write(`${text}\n`);
}

/** Prints to stderr, so that it doesn't mix with the output that scripts read. */
export function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
