import { ArgumentError } from './stack.js';

/** Why a value is wrong, such as "must be a text"; null if it's right. */
export type Check = (value: unknown) => string | null;

/** The check of each option. A name that ends with a dot stands for all options that begin with it. */
export type Checks<Options> = Record<keyof Options, Check>;

const must = (isRight: (value: unknown) => boolean, rule: string): Check => {
  return (value) => (isRight(value) ? null : `must be ${rule}`);
};

export const aText = must((value) => typeof value === 'string', 'a text');
/** A value of the header `Idempotency-Key`. With another one, fetch always fails, as if the network did. */
export const aKey = must(
  (value) => typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value),
  '1 to 255 visible ASCII characters, without spaces',
);
export const aFlag = must((value) => typeof value === 'boolean', 'true or false');
export const aFunction = must((value) => typeof value === 'function', 'a function');
export const anObject = must(isObject, 'an object');
/** One text, or several. */
export const texts = must(
  (value) => [value].flat().every((one) => typeof one === 'string'),
  'a text or a list of texts',
);
export const aList = must(
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'a list of texts',
);
export const anything: Check = () => null;

export function oneOf(...words: readonly string[]): Check {
  const list = words.length > 2 ? words.join(', ') : words.map((word) => `'${word}'`).join(' or ');
  return must((value) => words.includes(value as string), list);
}

/** A number, never a text of digits: '60' would be 60 ms where 60 s are meant. */
export function aNumber(min: number, max = Number.POSITIVE_INFINITY): Check {
  const rule = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `from ${min} to ${max}`;
  return (value) => {
    if (typeof value !== 'number') return `must be a number, not ${inWords(value)}`;
    return value >= min && value <= max ? null : `must be ${rule}`;
  };
}

/** Options within an option. */
export function options<Options>(checks: Checks<Options>): Check {
  return (value) => (isObject(value) ? findFault(value, checks) : 'must be an object');
}

/**
 * Checks the names and values of options, because a misspelt or wrong one would silently do nothing, or something else. Undefined and
 * null count as omitted.
 * @throws TypeError that names the option
 */
export function checkOptions<Options>(given: unknown, checks: Checks<Options>): void {
  if (!isObject(given)) throw new ArgumentError(`options must be an object, not ${inWords(given)}`);
  const fault = findFault(given, checks);
  if (fault !== null) throw new ArgumentError(fault);
}

function findFault<Options>(given: object, checks: Checks<Options>): string | null {
  for (const [name, value] of Object.entries(given)) {
    const known = [name, name.slice(0, name.indexOf('.') + 1)].find((one) => Object.hasOwn(checks, one));
    if (known === undefined) return `there is no option ${name}: there are ${Object.keys(checks).join(', ')}`;
    const fault = value == null ? null : checks[known as keyof Options](value);
    if (fault !== null) return fault.startsWith('must') ? `${name} ${fault}` : `${name}: ${fault}`;
  }
  return null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inWords(value: unknown): string {
  return typeof value === 'string'
    ? `the text '${value}'`
    : value === null
      ? 'null'
      : `a value of the type ${typeof value}`;
}
