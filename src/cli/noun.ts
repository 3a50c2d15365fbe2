import type { Item } from './service.js';
import type { Column } from './table.js';

/** An option and the body field that it sets. */
export interface Field {
  /** In commander's form: `--name <name>`. */
  flags: string;
  about: string;
  /** The name of the field; a dot leads to a nested field: `visitor.name`. */
  field: string;
  /** Whether the value is a comma-separated list; an empty value is an empty list. */
  isList?: boolean;
  /** Between the parts of a list; a comma when omitted. */
  separator?: string;
  /** Set for a whole number; this word stands for null. */
  numberOr?: string;
  /** Set for a text: this word stands for null. */
  textOr?: string;
  /** Whether the value is a whole number. */
  isNumber?: boolean;
  /** The field's value for an option that takes no value. */
  value?: boolean;
  isRequired?: boolean;
}

/** A verb that only one noun has: a request about one item. */
export interface Action {
  verb: string;
  about: string;
  method: 'get' | 'post' | 'patch';
  /** The part of the path after the id. */
  path: string;
  body?: object;
  /** Whether the answer is a success. */
  isSuccess?: (answer: Item) => boolean;
}

/** What the command line knows about one kind of resource; the service decides all else. */
export interface Noun {
  name: string;
  about: string;
  /** The last part of its path in the API; undefined: its plural. */
  path?: string;
  /** The name of the list in the API's answer; undefined: its plural. */
  items?: string;
  /** Whether there is one in an organization: it is shown and changed without an id. */
  isSingle?: boolean;
  /** Whether it can only be listed. */
  isListOnly?: boolean;
  /** The parent of the resource, besides the organization. */
  parent?: 'bot' | 'webhook';
  columns: Column<Item>[];
  /** Lists within an item, shown as tables. */
  parts?: Record<string, Column<Item>[]>;
  filters?: Field[];
  create?: Field[];
  update?: Field[];
  /** The consequence of deleting, for the prompt and the help; undefined: it cannot be deleted. */
  deleting?: string;
  deleteAliases?: string[];
  /** Whether an item's data, or the list of what can only be listed, can be exported as a file. */
  isExported?: boolean;
  actions?: Action[];
}

/** The name of the list in the API's answer. */
export function itemsOf(noun: Noun): string {
  return noun.items ?? pluralOf(noun);
}

export function pluralOf({ name }: Pick<Noun, 'name'>): string {
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}
