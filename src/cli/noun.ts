import type { Item } from './service.js';
import type { Column } from './table.js';

/** An option and the body field that it sets. */
export interface Field {
  /** In commander's form: `--name <name>`. */
  flags: string;
  about: string;
  /** The name of the field. A dot leads to a nested field: `visitor.name`. */
  field: string;
  /** Whether the value is a comma-separated list. An empty value is an empty list. */
  isList?: boolean;
  /** The separator of a list; default: a comma. */
  separator?: string;
  /** Whether the value is a comma-separated list of `NAME=VALUE`, each a parameter of its own. */
  isPairs?: boolean;
  /** Set if the value is an integer; this word stands for null. */
  numberOr?: string;
  /** Set if the value is a text; this word stands for null. */
  textOr?: string;
  /** Whether the value is JSON. */
  isJson?: boolean;
  /** Whether the value is an integer. */
  isNumber?: boolean;
  /** The field's value, if the option takes none. */
  value?: boolean;
  isRequired?: boolean;
}

/** A verb of a single noun: a request about one item. */
export interface Action {
  verb: string;
  about: string;
  method: 'get' | 'post' | 'patch';
  /** The path after the id. */
  path: string;
  body?: object;
  /** The options of the body. */
  fields?: Field[];
  /** Whether it may go on in the background, and is repeated until it's done. The item may no longer exist then. */
  isRepeated?: boolean;
  /** Whether the response means success. */
  isSuccess?: (answer: Item) => boolean;
}

/** What the command line knows about a kind of resource. The service decides everything else. */
export interface Noun {
  name: string;
  about: string;
  /** The last segment of its path in the API; default: its plural. */
  path?: string;
  /** The name of the list in the API's response; default: its plural. */
  items?: string;
  /** Whether an organization has exactly one, which is shown and changed without an id. */
  isSingle?: boolean;
  /** Whether it can only be listed, not shown or changed. */
  isListOnly?: boolean;
  /** Whether it belongs to no organization. */
  isOfInstallation?: boolean;
  /** The parent of the resource, besides the organization. */
  parent?: 'bot' | 'webhook';
  columns: Column<Item>[];
  /** Lists within an item, shown as tables. */
  parts?: Record<string, Column<Item>[]>;
  /** What null means in a field of an item, in a word. */
  nothing?: Record<string, string>;
  filters?: Field[];
  create?: Field[];
  update?: Field[];
  updateAliases?: string[];
  /** The options of the verb `set`, which replaces the whole list. */
  set?: Field[];
  /** The consequence of deleting, for the prompt and the help; undefined: it can't be deleted. */
  deleting?: string;
  deleteAliases?: string[];
  /** Set if deleting can be undone for some days: the help of `--now`. */
  deletesNow?: string;
  /** Whether an item's data can be exported as a file. For a noun that can only be listed: the list. */
  isExported?: boolean;
  actions?: Action[];
}

/** The name of the list in the API's response. */
export function itemsOf(noun: Noun): string {
  return noun.items ?? pluralOf(noun);
}

export function pluralOf({ name }: Pick<Noun, 'name'>): string {
  return /[^aeo]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}
