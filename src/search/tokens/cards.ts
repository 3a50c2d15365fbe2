import type { Group, Run } from './numbers.js';

/** The numbers of payment cards: their length, and the first digits of each kind (CONTRACT: Search). */
const KINDS: { lengths: number[]; from: number; to: number; prefix: number }[] = [
  { lengths: [13, 16, 19], prefix: 1, from: 4, to: 4 },
  { lengths: [16], prefix: 2, from: 51, to: 55 },
  { lengths: [16], prefix: 4, from: 2221, to: 2720 },
  { lengths: [15], prefix: 2, from: 34, to: 34 },
  { lengths: [15], prefix: 2, from: 37, to: 37 },
  { lengths: [14], prefix: 3, from: 300, to: 305 },
  { lengths: [14], prefix: 2, from: 36, to: 36 },
  { lengths: [14], prefix: 2, from: 38, to: 39 },
  ...[35, 60, 62, 64, 65].map((prefix) => ({ lengths: [16, 17, 18, 19], prefix: 2, from: prefix, to: prefix })),
];
const LENGTHS = { min: 13, max: 19 };

/** The groups of a run that are a payment card's number, or a part of one. They aren't indexed. */
export function cardGroups({ groups }: Run): Set<Group> {
  const found = new Set<Group>();
  for (const from of groups.keys()) {
    let digits = '';
    for (const [index, group] of groups.slice(from, from + LENGTHS.max).entries()) {
      if (digits.length + group.digits.length > LENGTHS.max) break;
      digits += group.digits;
      if (digits.length >= LENGTHS.min && isCard(digits))
        for (const part of groups.slice(from, from + index + 1)) found.add(part);
    }
  }
  return found;
}

function isCard(digits: string): boolean {
  const isOfKind = KINDS.some(({ lengths, prefix, from, to }) => {
    const start = Number(digits.slice(0, prefix));
    return lengths.includes(digits.length) && start >= from && start <= to;
  });
  return isOfKind && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits.at(-1 - place));
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
