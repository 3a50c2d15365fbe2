/** The deepest nesting that a metadata object may have. */
const MAX_JSON_DEPTH = 2_000;

// PostgreSQL cannot store U+0000, and a lone surrogate is not text.
// oxlint-disable-next-line no-control-regex -- the control character is what is looked for
const UNSTORABLE = /[\u0000\ud800-\udfff]/u;

/** Whether PostgreSQL can store the text and give it back unaltered. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Whether a value is a JSON object: no array, no null, no instance of a class (a socket may send bytes). */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Describes why a value cannot be stored and come back deep-equal; null when it can. Walks without recursion, so that
 * deep nesting cannot exhaust the stack.
 */
export function findUnstorable(root: unknown, inexact?: ReadonlySet<number>): string | null {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    const wrong = findUnstorableScalar(value, inexact);
    if (wrong) return wrong;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_JSON_DEPTH) return `must not be nested deeper than ${MAX_JSON_DEPTH} levels`;
    for (const key of Object.keys(value)) {
      if (!isStorable(key)) return 'must not contain U+0000 or lone surrogates';
      pending.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
    }
  }
  return null;
}

function findUnstorableScalar(value: unknown, inexact?: ReadonlySet<number>): string | null {
  switch (typeof value) {
    case 'string':
      return isStorable(value) ? null : 'must not contain U+0000 or lone surrogates';
    case 'number':
      if (!Number.isFinite(value)) return 'must not contain a number that is out of range';
      return inexact?.has(value) ? 'must not contain an integer that loses digits; send it as a string' : null;
    case 'object':
      return value === null || Array.isArray(value) || isJsonObject(value) ? null : 'must be JSON';
    default:
      return typeof value === 'boolean' ? null : 'must be JSON';
  }
}

const BACKSLASH = 92;
const QUOTE = 34;
const MINUS = 45;
/** Every integer with fewer digits is exact. */
const FIRST_INEXACT_DIGITS = 16;
/** Every character of a JSON number. */
const NUMBER = /[-+.\deE]+/y;

/**
 * The integers of a JSON text that a double cannot hold (`12345678901234567891` would come back as another number), as
 * the doubles that they were parsed to. Reads each character once.
 * @param json a text that JSON.parse accepted: in others, anything may look like a number
 */
export function findInexactIntegers(json: string): ReadonlySet<number> | undefined {
  if (!/\d{16}/.test(json)) return undefined;
  const inexact = new Set<number>();
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === MINUS || isDigit(code)) {
      const literal = numberAt(json, at);
      at += literal.length - 1;
      if (isInexact(literal)) inexact.add(Number(literal));
    }
  }
  return inexact.size > 0 ? inexact : undefined;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return json.length;
}

function numberAt(json: string, start: number): string {
  NUMBER.lastIndex = start;
  return NUMBER.exec(json)![0];
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isInexact(literal: string): boolean {
  if (literal.length < FIRST_INEXACT_DIGITS || !/^-?\d+$/.test(literal)) return false;
  const read = Number(literal);
  // Infinite numbers are refused elsewhere; so at most 309 digits are left.
  return Number.isFinite(read) && String(read) !== literal && BigInt(read) !== BigInt(literal);
}

const texts = new WeakMap<object, string>();

/** `JSON.stringify` of an object that does not change any more; made once per object. */
export function jsonOf(object: object): string {
  let text = texts.get(object);
  if (text === undefined) texts.set(object, (text = JSON.stringify(object)));
  return text;
}

/** JSON with the keys of every object in order: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
