import { editLexeme, numberLexeme, phoneLexeme, quoted, wholeLexeme } from '../tokens/lexemes.js';
import { MIN_EDITED, shortened } from '../tokens/edits.js';
import type { NumberAt } from '../tokens/numbers.js';
import { isPair } from '../tokens/words.js';
import type { Group, Phrase, Query } from './parse.js';

// The text of PostgreSQL's `tsquery`. Each lexeme is quoted, so nothing in `q` is an operator.

/** The query for rows that match all words. Empty without words. */
export function toTsquery({ groups, isLetter }: Query): string {
  if (isLetter) return `${quoted(groups[0]!.phrases[0]!.words[0]!.text)}:*A`;
  return all(groups.map(groupQuery));
}

/** The query for the chats that `q` names. */
export const toNamedTsquery = ({ text }: Query) => quoted(wholeLexeme(text));

/** The words that may differ by one edit from a word of a name: whole and unquoted. */
export function editableWords({ groups }: Query): { group: Group; word: string }[] {
  return groups.flatMap((group) => {
    const [phrase, ...others] = group.phrases;
    const [word, ...more] = phrase!.words;
    const isOne = others.length === 0 && more.length === 0 && !group.number && !phrase!.isQuoted && !word!.isPair;
    return isOne && Array.from(word!.text).length >= MIN_EDITED ? [{ group, word: word!.text }] : [];
  });
}

/** The query for names that may have one of the words with an edit. Empty if no word may have one. */
export function toEditedTsquery(query: Query): string {
  const editable = editableWords(query);
  return any(
    editable.map(({ group, word }) => {
      const edited = any(shortened(word).map((left) => quoted(editLexeme(left))));
      if (edited === '') return '';
      return all([edited, ...query.groups.filter((other) => other !== group).map(groupQuery)]);
    }),
  );
}

function groupQuery({ phrases, number }: Group): string {
  const words = all(phrases.map(phraseQuery));
  if (!number) return any([words, ...idQuery(phrases)]);
  return any([words, all([...number.rest.map(phraseQuery), numberQuery(number.number)])]);
}

// Ids are indexed as a whole, so their parts don't match as words.
function idQuery(phrases: readonly Phrase[]): string[] {
  const words = phrases.flatMap((phrase) => phrase.words);
  const [prefix, id] = words;
  return words.length === 2 && prefix!.text.length === 3 && id!.text.length === 26
    ? [quoted(wholeLexeme(`${prefix!.text}_${id!.text}`))]
    : [];
}

function numberQuery({ digits, tail }: NumberAt): string {
  return any([quoted(digits), quoted(numberLexeme(digits)), ...(tail === null ? [] : [quoted(phoneLexeme(tail))])]);
}

/** The words at their distances. Adjacent characters are indexed as pairs too, and a pair rules out more rows than one character. */
function phraseQuery({ words, isPrefix }: Phrase): string {
  let text = '';
  let last = 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    const before = words[index - 1];
    const startsPair = next !== undefined && isPair(word, next);
    if (!startsPair && before && isPair(before, word)) continue;
    const lexeme = quoted(startsPair ? word.text + next.text : word.text);
    const isLast = index === words.length - 1;
    text += (text === '' ? '' : ` <${index - last}> `) + lexeme + (isLast && isPrefix && !word.isPair ? ':*' : '');
    last = index;
  }
  return `(${text})`;
}

const all = (parts: readonly string[]) => joined(parts, ' & ');
export const any = (parts: readonly string[]) => joined(parts, ' | ');

function joined(parts: readonly string[], operator: string): string {
  const some = parts.filter((part) => part !== '');
  return some.length > 1 ? `(${some.join(operator)})` : (some[0] ?? '');
}
