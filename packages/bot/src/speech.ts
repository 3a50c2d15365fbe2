import { ArgumentError } from './stack.js';

/** Characters (Unicode code points) of one message. */
export const MAX_LENGTH = 5_000;

/** A part of a stream: text, as a string or as UTF-8. */
export type Part = string | Uint8Array;
/** What `say` takes: a text, or its parts as they come, such as the output of a language model. */
export type Source = string | Iterable<Part> | AsyncIterable<Part>;

const TAKEN = 'it takes a text or an (async) iterable of texts';

/**
 * Collects a text.
 * @param show is given the text so far, after each part
 * @throws TypeError that names what is no text
 */
export async function collect(source: Source, show: (soFar: string) => void): Promise<string> {
  if (typeof source === 'string') return source;
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of partsOf(source)) {
    text += toText(part, decoder);
    show(text);
  }
  return text + decoder.decode();
}

function partsOf(source: Source): Iterable<Part> | AsyncIterable<Part> {
  if (source instanceof Uint8Array) return [source];
  const isIterable = typeof source === 'object' && source !== null;
  if (isIterable && (Symbol.asyncIterator in source || Symbol.iterator in source)) return source;
  throw new ArgumentError(`${TAKEN}, not ${nameOf(source)}`);
}

function toText(part: unknown, decoder: InstanceType<typeof TextDecoder>): string {
  if (typeof part === 'string') return part;
  if (part instanceof Uint8Array) return decoder.decode(part, { stream: true });
  throw new ArgumentError(`${TAKEN}; a part of it is ${nameOf(part)}`);
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const members = Object.keys(value).slice(0, 5).join(', ');
  return `an object with the members ${members || '(none)'}`;
}

/** How many characters (Unicode code points) a text has. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Divides a text into messages: at the end of a paragraph, a line or a word when there is one in the second half. */
export function toMessages(text: string): string[] {
  const messages: string[] = [];
  for (let rest = [...text.trim()]; rest.length > 0;) {
    const length = rest.length <= MAX_LENGTH ? rest.length : findEnd(rest.slice(0, MAX_LENGTH));
    messages.push(rest.slice(0, length).join('').trim());
    rest = [...rest.slice(length).join('').trimStart()];
  }
  return messages;
}

function findEnd(characters: string[]): number {
  const half = MAX_LENGTH / 2;
  const paragraph = characters.findLastIndex(
    (character, index) => character === '\n' && characters[index - 1] === '\n',
  );
  const places = [paragraph, characters.lastIndexOf('\n'), characters.lastIndexOf(' ')];
  const place = places.find((index) => index >= half);
  return place === undefined ? MAX_LENGTH : place + 1;
}
