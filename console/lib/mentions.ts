import { foldText } from '../../src/platform/locale/fold.js';

interface Person {
  id: string;
  name: string;
}

/** The most agents whom one note can mention. */
const MAX_MENTIONS = 20;

const LETTER = /[\p{L}\p{M}\p{N}_]/u;

interface Place<P extends Person> {
  from: number;
  to: number;
  person: P;
}

/** Where a note mentions people: `@` and the whole name. Of names that begin alike, the longest counts. */
function placesOf<P extends Person>(content: string, people: readonly P[]): Place<P>[] {
  const longestFirst = people.filter(({ name }) => name).toSorted((one, other) => other.name.length - one.name.length);
  const places: Place<P>[] = [];
  for (let from = content.indexOf('@'); from !== -1; from = content.indexOf('@', from + 1)) {
    const isAt = ({ name }: P) =>
      content.startsWith(name, from + 1) && !LETTER.test(content.slice(from + 1 + name.length).charAt(0));
    const isAlone = from === 0 || !LETTER.test(content.charAt(from - 1));
    const person = isAlone ? longestFirst.find(isAt) : undefined;
    if (person) places.push({ from, to: from + 1 + person.name.length, person });
  }
  return places;
}

/** The ids of the people whom a note mentions. */
export function mentionsIn(content: string, people: readonly Person[]): string[] {
  return [...new Set(placesOf(content, people).map(({ person }) => person.id))].slice(0, MAX_MENTIONS);
}

export interface Piece {
  text: string;
  isMention: boolean;
}

/** A note's text, split where it mentions people. */
export function splitMentions(content: string, people: readonly Person[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to } of placesOf(content, people)) {
    if (from < at) continue;
    if (from > at) pieces.push({ text: content.slice(at, from), isMention: false });
    pieces.push({ text: content.slice(from, to), isMention: true });
    at = to;
  }
  if (at < content.length) pieces.push({ text: content.slice(at), isMention: false });
  return pieces;
}

/** The longest name that is searched, in characters. */
const MAX_TYPED = 60;

/** What is typed after the last `@` of a draft, if that may become a mention. */
export function mentionTyped(draft: string): string | null {
  const from = draft.lastIndexOf('@');
  if (from === -1 || (from > 0 && draft.charAt(from - 1).trim() !== '')) return null;
  const typed = draft.slice(from + 1);
  return typed.length > MAX_TYPED || typed.includes('\n') ? null : typed;
}

/** The people whose name, or a word of it, begins as typed. */
export function fitsMention<P extends Person>(typed: string, people: readonly P[]): P[] {
  const wanted = foldText(typed);
  return people.filter(({ name }) => {
    const known = foldText(name);
    return known.startsWith(wanted) || (wanted !== '' && known.split(' ').some((word) => word.startsWith(wanted)));
  });
}
