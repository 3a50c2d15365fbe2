import type { Strings } from '../../locales/en.js';
import type { Host } from '../../types.js';
import { fill } from '../../../headless/text.js';
import { correctionOf, type Formats } from './formats.js';

/** When people are back, for a visitor who writes outside of the office hours. @param opening null: not known */
export function openingWords(opening: string | null, strings: Strings, formats: Formats): string {
  return opening === null ? strings.unanswered : fill(strings.opens, { time: formats.moment(opening) });
}

/** When the organization opens; undefined while it's open, null if it isn't known. */
export function openingOf(host: Host): string | null | undefined {
  const hours = host.chosen?.hours;
  if (!hours) return undefined;
  const now = Date.now() + correctionOf(host);
  const { opensAt, closesAt, reopensAt } = hours;
  if (now < Date.parse(opensAt)) return opensAt;
  if (now < Date.parse(closesAt)) return undefined;
  // Settings that were read before the next opening.
  return reopensAt !== null && now >= Date.parse(reopensAt) ? undefined : reopensAt;
}
