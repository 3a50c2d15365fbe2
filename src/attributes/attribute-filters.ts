import { isStorable } from '../platform/lib/json.js';
import { hasAtMost } from '../platform/validation/validators.js';
import { ATTRIBUTE_KEY, MAX_TEXT } from './attributes.js';

/** How the names of filters begin. `attr.` compares all values, `verified.` only the ones of signed identities. */
export const FILTER_PREFIXES = ['attr.', 'verified.'] as const;
/** The value of a filter for chats where the key is set. */
const IS_SET = '*';

/** A filter by an attribute, as a request has it. */
export interface AskedAttribute {
  /** The parameter, such as `attr.plan`. */
  name: string;
  key: string;
  /** Null: the key is set. */
  value: string | null;
  isVerified: boolean;
}

/** Describes why a parameter isn't a filter by an attribute; null when it is. */
export function findFilterFault(name: string, value: unknown): string | null {
  if (!ATTRIBUTE_KEY.test(keyOf(name))) return 'must name a key of 1 to 64 letters, digits, and _ . -';
  if (typeof value !== 'string') return 'must be a text, or several';
  if (!hasAtMost(MAX_TEXT, value)) return `must have at most ${MAX_TEXT} characters`;
  return isStorable(value) ? null : 'must not contain U+0000 or lone surrogates';
}

/** @param name the name of a parameter without a fault */
export function toAskedAttribute(name: string, value: string): AskedAttribute {
  return { name, key: keyOf(name), value: value === IS_SET ? null : value, isVerified: name.startsWith('verified.') };
}

const keyOf = (name: string) => name.slice(name.indexOf('.') + 1);
