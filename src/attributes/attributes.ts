import { isStorable } from '../platform/lib/json.js';
import { hasAtMost } from '../platform/validation/validators.js';

export type AttributeValue = string | number | boolean;

/** What is known of a chat or a visitor, by key (CONTRACT: Attributes). */
export type Attributes = Record<string, AttributeValue>;

/** What a call sets. Null removes the key. */
export type AttributeChange = Record<string, AttributeValue | null>;

/** The most keys of a chat or a visitor. */
export const MAX_KEYS = 50;
/** The most characters of a text. */
export const MAX_TEXT = 500;
/** The most UTF-8 bytes of all attributes as JSON. */
export const MAX_ATTRIBUTES_BYTES = 4_096;

export const ATTRIBUTE_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

const BAD_KEY = 'must have keys of 1 to 64 letters, digits, and _ . -';
const TOO_MANY = `must have at most ${MAX_KEYS} keys`;
const TOO_LONG = `must have at most ${MAX_ATTRIBUTES_BYTES} bytes as JSON`;

/** Describes why a value can't be an attribute; null when it can. */
function findValueFault(value: unknown): string | null {
  switch (typeof value) {
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(value) ? null : 'must not be a number that is out of range';
    case 'string':
      if (!hasAtMost(MAX_TEXT, value)) return `must have at most ${MAX_TEXT} characters`;
      return isStorable(value) ? null : 'must not contain U+0000 or lone surrogates';
    default:
      return 'must be a string, a number, or a boolean';
  }
}

/** What's wrong with attributes. `key` is null if the fault isn't in a value, but in a key or in all attributes together. */
export interface AttributeFault {
  key: string | null;
  detail: string;
}

/**
 * Finds what's wrong with attributes; null when nothing is.
 * @param mayRemove whether null is a value
 */
export function findAttributeFault(attributes: Record<string, unknown>, mayRemove: boolean): AttributeFault | null {
  const entries = Object.entries(attributes);
  if (entries.length > MAX_KEYS) return { key: null, detail: TOO_MANY };
  for (const [key, value] of entries) {
    if (!ATTRIBUTE_KEY.test(key)) return { key: null, detail: BAD_KEY };
    if (value === null && mayRemove) continue;
    const detail = findValueFault(value);
    if (detail !== null) return { key, detail };
  }
  return Buffer.byteLength(JSON.stringify(attributes)) > MAX_ATTRIBUTES_BYTES ? { key: null, detail: TOO_LONG } : null;
}

/** Attributes after a change, and the part of the change that made a difference. */
export interface ChangedAttributes {
  attributes: Attributes;
  /** Without keys whose value stays. Null: the key was removed. */
  changed: AttributeChange;
}

/** Merges a change by key. Keys keep their place, and new ones come last. */
export function mergeAttributes(before: Attributes | null, change: AttributeChange): ChangedAttributes {
  const merged = new Map(Object.entries(before ?? {}));
  const changed: [string, AttributeValue | null][] = [];
  for (const [key, value] of Object.entries(change)) {
    if ((merged.get(key) ?? null) === value) continue;
    changed.push([key, value]);
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  // `Object.fromEntries` defines each key, so `__proto__` is a key like any other.
  return { attributes: Object.fromEntries(merged), changed: Object.fromEntries(changed) };
}

/** The change that turns some attributes into others, which replace them as a whole. */
export function differenceOf(before: Attributes | null, after: Attributes): AttributeChange {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after, key));
  const removed = gone.map((key): [string, null] => [key, null]);
  return mergeAttributes(before, Object.fromEntries([...Object.entries(after), ...removed])).changed;
}

export const isEmpty = (change: object): boolean => Object.keys(change).length === 0;
