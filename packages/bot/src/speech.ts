/** Characters (Unicode code points) of one message. */
const MAX_LENGTH = 5_000;

/** What `say` takes: a text, or its parts as they come, such as the output of a language model. */
export type Source = string | Iterable<string> | AsyncIterable<string>;

/**
 * Collects a text.
 * @param show is given the text so far, after each part
 */
export async function collect(source: Source, show: (soFar: string) => void): Promise<string> {
  if (typeof source === 'string') return source;
  let text = '';
  for await (const part of source) {
    text += part;
    show(text);
  }
  return text;
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
