import type { Item } from './service.js';
import type { Column } from './table.js';

/** An option and the field of the body that it fills. */
export interface Field {
  /** As commander writes it: `--name <name>`. */
  flags: string;
  about: string;
  /** A field of a field with a dot: `visitor.name`. */
  field: string;
  /** Words with commas between them; nothing at all is an empty list. */
  isList?: boolean;
  /** A whole number, or this word for null. */
  numberOr?: string;
  /** What an option without a value stands for. */
  value?: boolean;
  isRequired?: boolean;
}

/** A verb of one noun alone: a request about one of them. */
export interface Action {
  verb: string;
  about: string;
  method: 'post' | 'patch';
  /** What follows the id in the path. */
  path: string;
  body?: object;
  /** Whether what came back is a success. */
  isGood?: (answer: Item) => boolean;
}

/** What the command line knows of one kind of thing; everything else is the service's to say. */
export interface Noun {
  name: string;
  about: string;
  /** What it belongs to beside the organization. */
  parent?: 'bot' | 'webhook';
  columns: Column<Item>[];
  /** Lists within one of them, shown as tables. */
  parts?: Record<string, Column<Item>[]>;
  filters?: Field[];
  create?: Field[];
  update?: Field[];
  /** What people are told that deleting does; undefined: it cannot be deleted. */
  deleting?: string;
  deleteAliases?: string[];
  /** Whether everything that is known of one can be had as a file. */
  isExported?: boolean;
  actions?: Action[];
}

export function pluralOf({ name }: Pick<Noun, 'name'>): string {
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}
