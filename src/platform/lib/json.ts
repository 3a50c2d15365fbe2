/** The deepest nesting that a metadata object may have. */
const MAX_JSON_DEPTH = 2_000;

// PostgreSQL cannot store U+0000, and a lone surrogate is not text.
// oxlint-disable-next-line no-control-regex -- the control character is what is looked for
const UNSTORABLE = /[\u0000\ud800-\udfff]/u;

/** Whether PostgreSQL can store the text and return it unchanged. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Whether a value is a JSON object: not an array, null, or an instance of a class (a socket may send bytes). */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Describes why a value can't be stored and come back deep-equal; null when it can, or when only `JSON.stringify` can
 * tell that it's too long. Stops at the limit, and walks without recursion, so that deep nesting can't exhaust the
 * stack.
 * @param maxBytes the maximum bytes of the value as JSON
 */
export function findUnstorable(root: unknown, maxBytes: number): string | null {
  // The fewest bytes the value can have as JSON. The first value has no comma, though one is counted.
  let bytes = -1;
  const pending = [root];
  const depths = [1];
  while (pending.length > 0) {
    const value = pending.pop();
    const depth = depths.pop()!;
    bytes += leastBytes(value);
    const fault = bytes > maxBytes ? tooLong(maxBytes) : findUnstorableScalar(value);
    if (fault) return fault;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_JSON_DEPTH) return `must not be nested deeper than ${MAX_JSON_DEPTH} levels`;
    for (const key of Array.isArray(value) ? [] : Object.keys(value)) {
      bytes += key.length + 3;
      if (bytes > maxBytes) return tooLong(maxBytes);
      if (!isStorable(key)) return 'must not contain U+0000 or lone surrogates';
    }
    for (const part of Array.isArray(value) ? value : Object.values(value)) {
      pending.push(part);
      depths.push(depth + 1);
    }
  }
  return null;
}

export function tooLong(maxBytes: number): string {
  return `must have at most ${maxBytes} bytes as JSON`;
}

// Includes the comma after it. A text may need more; a non-empty array or object has another bracket.
function leastBytes(value: unknown): number {
  return typeof value === 'string' ? value.length + 3 : 2;
}

function findUnstorableScalar(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return isStorable(value) ? null : 'must not contain U+0000 or lone surrogates';
    case 'number':
      return Number.isFinite(value) ? null : 'must not contain a number that is out of range';
    case 'object':
      return value === null || Array.isArray(value) || isJsonObject(value) ? null : 'must be JSON';
    default:
      return typeof value === 'boolean' ? null : 'must be JSON';
  }
}

const BACKSLASH = 92;
const QUOTE = 34;
const MINUS = 45;
const COMMA = 44;
const COLON = 58;
const BRACKET = 91;
const BRACE = 123;
/** Every integer with fewer digits is exact. */
const FIRST_INEXACT_DIGITS = 16;
const LONG_NUMBER = /(?:^|\D)\d{16}/;
/** Every character of a JSON number. */
const NUMBER = /[-+.\deE]+/y;

/**
 * Whether a JSON text has more than `most` values: outside its strings, each array, object and comma counts as one,
 * because it takes as much time and memory as a value, and each field name as two. Reads each character once, and stops
 * at the limit.
 */
export function hasMoreValues(json: string, most: number): boolean {
  let left = most;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COMMA || code === BRACKET || code === BRACE) left--;
    else if (code === COLON) left -= 2;
    if (left < 0) return true;
  }
  return false;
}

/** Whether integers of a JSON text may lose digits when parsed: only long ones do. Reads each character once. */
export function mayLoseDigits(json: string): boolean {
  return LONG_NUMBER.test(json);
}

/**
 * Whether a value of a JSON text was an integer that a double can't hold (`12345678901234567891` would come back as
 * another number). Reads each character once, and only if the value has an integer that large.
 * @param value what JSON.parse made of some of the text
 * @param json a text that JSON.parse accepted: in others, anything may look like a number
 */
export function hasInexactInteger(value: unknown, json: string): boolean {
  const large = largeIntegersOf(value);
  if (large.size === 0) return false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === MINUS || isDigit(code)) {
      const literal = numberAt(json, at);
      at += literal.length - 1;
      if (literal.length >= FIRST_INEXACT_DIGITS && large.has(Number(literal)) && isInexact(literal)) return true;
    }
  }
  return false;
}

// Smaller integers are exact.
function largeIntegersOf(root: unknown): ReadonlySet<number> {
  const large = new Set<number>();
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'object' && value !== null) pending.push(...Object.values(value));
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) large.add(value as number);
  }
  return large;
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

// Infinite numbers are rejected elsewhere, so the literal has at most 309 digits.
function isInexact(literal: string): boolean {
  if (!/^-?\d+$/.test(literal)) return false;
  const read = Number(literal);
  return String(read) !== literal && BigInt(read) !== BigInt(literal);
}

const texts = new WeakMap<object, string>();

/** `JSON.stringify` of an object that no longer changes, computed once per object. */
export function jsonOf(object: object): string {
  let text = texts.get(object);
  if (text === undefined) texts.set(object, (text = JSON.stringify(object)));
  return text;
}

/** JSON with the keys of every object sorted: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
