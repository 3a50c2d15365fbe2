import type { Char } from './fold.js';

/** Digits without anything between them, and their place in the text. */
export interface Group {
  digits: string;
  start: number;
  end: number;
}

/** Groups of digits with one or two separators between them. */
export interface Run {
  groups: Group[];
  /** Whether a `+` is before it. */
  hasPlus: boolean;
}

/** Whole groups of a run that match as one number, and their place. */
export interface NumberAt {
  digits: string;
  /** The last 8 digits of a phone number; null for other numbers. */
  tail: string | null;
  groups: number;
  start: number;
  end: number;
}

const SEPARATORS = new Set([' ', '\t', '\n', '\r', '-', '/', '.', '(', ')']);
const MAX_SEPARATORS = 2;
/** The most groups of a number, and the fewest and most digits. */
const MAX_GROUPS = 8;
const DIGITS = { min: 6, max: 20 };
const PHONE_DIGITS = { min: 9, max: 15 };
const TAIL = 8;

const isDigit = (text: string) => text >= '0' && text <= '9' && text.length === 1;

/** The runs of digits in a folded text. */
export function runsOf(chars: readonly Char[]): Run[] {
  const runs: Run[] = [];
  let run: Run | null = null;
  let group: Group | null = null;
  let separators = 0;
  for (const [index, { text, start, end }] of chars.entries()) {
    if (isDigit(text)) {
      if (group) Object.assign(group, { digits: group.digits + text, end });
      else {
        group = { digits: text, start, end };
        if (run) run.groups.push(group);
        else runs.push((run = { groups: [group], hasPlus: chars[index - 1]?.text === '+' }));
      }
      separators = 0;
      continue;
    }
    group = null;
    if (!SEPARATORS.has(text) || ++separators > MAX_SEPARATORS) run = null;
  }
  return runs;
}

/**
 * The numbers of a run: each sequence of up to 8 whole groups with 6 to 20 digits.
 * @param isLeftOut whether a group can't be a part of a number
 */
export function numbersOf({ groups, hasPlus }: Run, isLeftOut: (group: Group) => boolean = () => false): NumberAt[] {
  const numbers: NumberAt[] = [];
  for (const [from, first] of groups.entries()) {
    let digits = '';
    for (const [index, group] of groups.slice(from, from + MAX_GROUPS).entries()) {
      digits += digits.length > DIGITS.max ? '' : group.digits;
      if (digits.length > DIGITS.max || isLeftOut(group)) break;
      if (digits.length < DIGITS.min) continue;
      const tail = tailOf(digits, from === 0 && hasPlus);
      numbers.push({ digits, tail, groups: index + 1, start: first.start, end: group.end });
    }
  }
  return numbers;
}

/** The number that all groups of a run are together; null if it's too short or too long. */
export function wholeNumber(run: Run): NumberAt | null {
  return (
    numbersOf(run).find(({ groups, start }) => groups === run.groups.length && start === run.groups[0]!.start) ?? null
  );
}

// A number with a `+`, 00, or a trunk prefix is a phone number. Its last digits match, because the country and area may be written in
// several ways.
function tailOf(digits: string, hasPlus: boolean): string | null {
  const isPhone = digits.length >= PHONE_DIGITS.min && digits.length <= PHONE_DIGITS.max;
  return isPhone && (hasPlus || digits.startsWith('0')) ? digits.slice(-TAIL) : null;
}
