import { align } from './replies/alignment.js';
import { isSeparator } from './replies/introductions.js';
import { Quotes } from './replies/quotes.js';
import { withoutSignature } from './replies/signatures.js';
import { wordsOf } from './replies/words.js';

/** The most characters of a reply that are compared; the rest is left out. */
const MAX_TEXT = 50_000;

/**
 * A visitor's own words of a reply, in their order, without quotes and signatures (CONTRACT: E-mail). What's quoted is found by
 * comparing with the mails that were sent, so it works in every language. When in doubt, a line stays. Takes linear time.
 * @param text the plain text of the reply
 * @param sent the plain texts of the mails that we sent, the newest first. Without any, only quotes with a clear introduction are removed
 */
export function ownText(text: string, sent: readonly string[]): string {
  const words = wordsOf(text.slice(0, MAX_TEXT).replaceAll(/\r\n?/g, '\n'));
  const quotes = new Quotes(words, align(words, sent));
  const kept: string[] = [];
  let part: string[] = [];
  const endPart = () => {
    kept.push(...withoutSignature(part), '');
    part = [];
  };
  for (const [at, line] of words.lines.entries()) {
    if (!quotes.isQuoted[at]) {
      part.push(line.text.trimEnd());
      continue;
    }
    while (part.length > 0 && (part.at(-1)!.trim() === '' || isSeparator(part.at(-1)!))) part.pop();
    endPart();
    const tail = line.depth > 0 ? quotes.ownTailOf(at) : null;
    if (tail !== null) part.push(tail);
  }
  endPart();
  return kept
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
