/** What a server found by one method. */
export interface MethodResult {
  /** Such as `dmarc`, in lower case. */
  method: string;
  /** Such as `pass`, in lower case. */
  result: string;
  /** The values of each property, such as `header.d`, in lower case. */
  properties: Map<string, string[]>;
}

/** A field `Authentication-Results` (RFC 8601). */
export interface AuthenticationResults {
  /** In lower case; empty if the field has none. */
  id: string;
  methods: MethodResult[];
}

/** The longest field that's read. */
const MAX_LENGTH = 20_000;
const VERSION = /^\d{1,9}$/;
// Each kind of token begins with another character, so that reading takes linear time.
const TOKEN = /"(?:[^"\\]|\\[^])*"|[;=]|[^\s";=]+/g;
const METHOD = /^([a-z][a-z0-9-]*)(?:\/\d{1,9})?$/;
const PROPERTY = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/;

/**
 * Reads a field. Null if it isn't one of RFC 8601, or its comments or quotes have no end.
 * @param hasId whether it begins with the server's id, which Microsoft's doesn't
 */
export function parseAuthentication(value: string, hasId: boolean): AuthenticationResults | null {
  const bare = value.length > MAX_LENGTH ? null : withoutComments(value);
  if (bare === null) return null;
  const [first, ...others] = clausesOf(bare);
  if (!hasId)
    return methodsOf(first!).length === 0 ? null : { id: '', methods: [first!, ...others].flatMap(methodsOf) };
  return isHead(first!) ? { id: unquoted(first![0]!).toLowerCase(), methods: others.flatMap(methodsOf) } : null;
}

function isHead(tokens: readonly string[]): boolean {
  return tokens.length === 1 || (tokens.length === 2 && VERSION.test(tokens[1]!));
}

/**
 * A field without its comments, which may be nested. Parentheses in quotes stay. Null if a comment has no end, or has quotes: servers copy
 * the sender's envelope address into comments, and its quotes may have parentheses, so that it's unclear where the comment ends.
 */
function withoutComments(value: string): string | null {
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  const kept: string[] = [];
  for (let at = 0; at < value.length; at++) {
    const character = value[at];
    if (character === '\\' && (isQuoted || depth > 0)) at++;
    else if (character === '"' && depth > 0) return null;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(' && depth++ === 0) kept.push(value.slice(start, at));
    else if (character === ')') {
      if (depth === 0) return null;
      if (--depth === 0) start = at + 1;
    }
  }
  return depth > 0 || isQuoted ? null : [...kept, value.slice(start)].join(' ');
}

/** The tokens between semicolons. */
function clausesOf(text: string): string[][] {
  const clauses: string[][] = [[]];
  for (const token of text.match(TOKEN) ?? []) {
    if (token === ';') clauses.push([]);
    else clauses.at(-1)!.push(token);
  }
  return clauses;
}

/** `dkim=pass reason="…" header.d=example.com`; other clauses, such as `none`, have no method. */
function methodsOf(tokens: readonly string[]): MethodResult[] {
  const method = METHOD.exec(tokens[0]?.toLowerCase() ?? '')?.[1];
  const result = tokens[2]?.toLowerCase();
  if (method === undefined || tokens[1] !== '=' || result === undefined) return [];
  const properties = new Map<string, string[]>();
  for (let at = 3; at < tokens.length; at++) {
    if (tokens[at + 1] !== '=' || tokens[at + 2] === undefined) continue;
    const name = tokens[at]!.toLowerCase();
    if (PROPERTY.test(name))
      properties.set(name, [...(properties.get(name) ?? []), unquoted(tokens[at + 2]!).toLowerCase()]);
    at += 2;
  }
  return [{ method, result, properties }];
}

function unquoted(token: string): string {
  return token.startsWith('"') ? token.slice(1, -1).replaceAll(/\\([^])/g, '$1') : token;
}
