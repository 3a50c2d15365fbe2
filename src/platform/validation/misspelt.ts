import { isJsonObject } from '../lib/json.js';
import { type Class, type Fault, rulesOf } from './validation-rules.js';

/** The fields of a JSON value, or of each item of a list, that no class describes. Null: what's in the field is free. */
export interface Shape {
  readonly [name: string]: Shape | null;
}

const SHAPE = Symbol('shape');

/** Names the fields that the API defines in this field's JSON value. */
export function Shaped(shape: Shape): PropertyDecorator {
  return Reflect.metadata(SHAPE, shape);
}

interface Known {
  /** What's known of the value in each field; null: anything may be in it. */
  fields: ReadonlyMap<string, Known | null>;
  /** Each name as it's compared. */
  words: readonly { name: string; word: string }[];
}

/** A longer name isn't compared. The API's longest has 22 characters. */
const MAX_LENGTH = 100;
/** Shorter words must be equal: `from` and `form`, or `type` and `typed`, are too likely different words. */
const MIN_LETTERS = 5;
/** The most misspelt fields that an error names. */
const MAX_FAULTS = 20;

const knownOfClass = new WeakMap<Class, Known>();

/**
 * Fields that aren't part of the class, but nearly have the name of one that is: they differ in case, `_`, and `-`, or in one letter of
 * at least 5 that's missing, added, different, or swapped with its neighbor (CONTRACT: Conventions). At every depth that the API defines;
 * what's in free JSON isn't read. Takes linear time: a name is compared with the few of about its length.
 */
export function findMisspelt(type: Class, given: unknown): Fault[] {
  const faults: Fault[] = [];
  if (isJsonObject(given)) checkNames(knownOf(type), given, [], faults);
  return faults;
}

function checkNames(known: Known, given: object, path: readonly string[], faults: Fault[]): void {
  for (const name of Object.keys(given)) {
    const below = known.fields.get(name);
    if (below) checkBelow(below, (given as Record<string, unknown>)[name], [...path, name], faults);
    const meant = below === undefined ? findMeant(known, name) : null;
    if (meant !== null) faults.push({ path: [...path, name], detail: `unknown field; did you mean ${meant}?` });
    if (faults.length >= MAX_FAULTS) return;
  }
}

function checkBelow(known: Known, value: unknown, path: readonly string[], faults: Fault[]): void {
  if (isJsonObject(value)) return checkNames(known, value, path, faults);
  if (!Array.isArray(value)) return;
  for (const [at, item] of value.entries()) {
    if (isJsonObject(item)) checkNames(known, item, [...path, String(at)], faults);
    if (faults.length >= MAX_FAULTS) return;
  }
}

function findMeant({ words }: Known, name: string): string | null {
  if (name.length > MAX_LENGTH) return null;
  const word = wordOf(name);
  const same = words.find((one) => one.word === word);
  const near = same ?? words.find((one) => one.word.length >= MIN_LETTERS && isOneLetterOff(one.word, word));
  return near?.name ?? null;
}

function wordOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const isSame = (fromA: number, fromB: number) => a.slice(at + fromA) === b.slice(at + fromB);
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at] && isSame(2, 2);
  return isSame(1, 1) || isSame(0, 1) || isSame(1, 0) || isSwapped;
}

function knownOf(type: Class): Known {
  let known = knownOfClass.get(type);
  if (!known) knownOfClass.set(type, (known = readClass(type)));
  return known;
}

function readClass(type: Class): Known {
  return toKnown(
    rulesOf(type)
      .fields.filter(({ prefixes }) => prefixes.length === 0)
      .map(({ name, nested }) => {
        const shape = Reflect.getMetadata(SHAPE, type.prototype as object, name) as Shape | undefined;
        return [name, nested ? knownOf(nested) : readShape(shape ?? null)];
      }),
  );
}

function readShape(shape: Shape | null): Known | null {
  return shape && toKnown(Object.entries(shape).map(([name, below]) => [name, readShape(below)]));
}

function toKnown(fields: [string, Known | null][]): Known {
  return { fields: new Map(fields), words: fields.map(([name]) => ({ name, word: wordOf(name) })) };
}
