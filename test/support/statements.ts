import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

export interface Statement {
  /** Its name, or how it begins. */
  label: string;
  /** Without quotes, literals, and line breaks. */
  text: string;
  isPrepared: boolean;
  /** How often it was sent. */
  times: number;
  /** As it was sent last, with its values. */
  sent: { text: string; values: unknown[] };
}

/** Every distinct statement that this process's service sends, from `start` to `stop`. */
export class StatementRecorder {
  private readonly seen = new Map<string, Statement>();
  private readonly original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;

  start(): void {
    const { original } = this;
    const see = (client: unknown, query: unknown, values: unknown) => this.see(client, query, values);
    const seen = function (this: unknown, ...args: unknown[]): unknown {
      see(this, args[0], args[1]);
      return Reflect.apply(original, this, args);
    };
    Object.assign(pg.Client.prototype, { query: seen });
  }

  stop(): void {
    Object.assign(pg.Client.prototype, { query: this.original });
  }

  get statements(): Statement[] {
    return Array.from(this.seen.values());
  }

  // The tests' own statements have no application name.
  private see(client: unknown, query: unknown, parameters: unknown): void {
    const { connectionParameters } = client as { connectionParameters: { application_name?: string } };
    if (connectionParameters.application_name !== 'parley') return;
    const sent = typeof query === 'string' ? { text: query, values: parameters } : query;
    const { text, name, values } = sent as { text?: string; name?: string; values?: unknown };
    if (text === undefined) return;
    const plain = simplify(text);
    const label = name ?? plain.slice(0, 60);
    const times = (this.seen.get(plain)?.times ?? 0) + 1;
    const last = { text, values: Array.isArray(values) ? values : [] };
    this.seen.set(plain, { label, text: plain, isPrepared: name !== undefined, times, sent: last });
  }
}

/** One line, without the quotes of names and the contents of literals. */
function simplify(sql: string): string {
  return sql
    .replaceAll('"', '')
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The place of a table's name in a statement. */
export interface Mention {
  table: string;
  /** Whether the rows are selected by `organization_id`: compared with something, or the first inserted column. */
  isScoped: boolean;
}

/** Every mention of these tables. @throws Error for a name at an unknown place, so that none is overlooked */
export function mentionsOf(text: string, tables: readonly string[]): Mention[] {
  const names = tables.join('|');
  const mention = new RegExp(`\\b(FROM|JOIN|UPDATE|INTO) (${names})\\b(?: AS (\\w+)| (?!${NO_ALIAS})(\\w+))?`, 'g');
  const found = [...text.matchAll(mention)];
  // Before =, it's a column of the same name.
  const words = [...text.matchAll(new RegExp(`(?<![.\\w]|\\bAS )(?:${names})\\b(?![.\\w]| ?=)`, 'g'))];
  if (words.length !== found.length) throw new Error(`a table is named in a way this test does not know: ${text}`);
  return found.map((match) => ({ table: match[2]!, isScoped: isScoped(text, match) }));
}

const NO_ALIAS =
  '(?:WHERE|SET|ON|JOIN|LEFT|CROSS|ORDER|GROUP|LIMIT|FOR|SELECT|VALUES|RETURNING|USING|UNION|DEFAULT|INNER|OFFSET)\\b';

function isScoped(text: string, match: RegExpMatchArray): boolean {
  const [whole, verb, table, ...aliases] = match;
  if (verb === 'INTO') return /^ ?\( ?organization_id\b/.test(text.slice(match.index! + whole.length));
  const alias = aliases.find((name) => name !== undefined);
  const column = `(?<![.\\w])${alias === undefined ? `(?:${table}\\.)?` : `${alias}\\.`}organization_id\\b`;
  const isCompared = new RegExp(`${column} ?(?:=|IN\\b)|= ?${column}|\\(${column},[^()]*\\) IN\\b`);
  return isCompared.test(blockAround(text, match.index!));
}

/** The part between the parentheses around a position, without the queries inside. */
function blockAround(text: string, place: number): string {
  let start = place;
  for (let depth = 0; start > 0; start--) {
    const before = text[start - 1];
    if (before === ')') depth++;
    if (before === '(' && depth-- === 0) break;
  }
  let block = '';
  let hidden = 0;
  for (let depth = 0, at = start; at < text.length; at++) {
    if (text[at] === '(') {
      depth++;
      if (hidden === 0 && /^\(+ ?(?:SELECT|WITH)\b/.test(text.slice(at, at + 20))) hidden = depth;
    }
    if (hidden === 0) block += text[at];
    if (text[at] === ')') {
      if (depth === 0) break;
      if (depth === hidden) hidden = 0;
      depth--;
    }
  }
  return block;
}

/** Whether a statement is about one organization that its caller names, so that one shard can answer it. */
export function isOfOneOrganization(text: string): boolean {
  return /\borganization_id = \$\d/.test(text) || /\(organization_id\b[^()]*\) (?:VALUES ?\(|SELECT )\$\d/.test(text);
}

/**
 * The SQL in the source: how each text that begins like a statement begins, up to its first placeholder.
 * `platform/database/` creates the database and its schema, and `cli/` is a separate program that only reads it.
 */
export function statementsInSource(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!spec)\.ts$/.test(name) && !/^(?:platform\/database|cli)\b/.test(name),
  );
  const texts = files.flatMap((file) => {
    const source = readFileSync(join(SOURCE, file), 'utf8');
    return [...source.matchAll(/(['`])\s*((?:SELECT|INSERT|UPDATE|DELETE|WITH)\s[^`]*?)(?:\1|\$\{)/g)];
  });
  return texts.map(([, , text]) => simplify(text!).replace(/'[^']*$/, ''));
}
