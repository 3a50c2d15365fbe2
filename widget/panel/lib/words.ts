import type { Strings } from '../../locales/en.js';
import { fill, pluralOf } from '../../../headless/text.js';

/** The words, with the site's replacements. A replaced text has only the site's form. */
export function withOwn(words: Strings, own: Partial<Strings>): Strings {
  const kept = Object.entries(words).filter(([key]) => !(key.split('_')[0]! in own));
  return { ...(Object.fromEntries(kept) as Strings), ...own, language: words.language };
}

/** A text with a number, in the form that the language has for it. */
export function counted(strings: Strings, key: 'openUnread' | 'wait' | 'unread', count: number): string {
  return fill(pluralOf(strings, key, strings.language, count), { count });
}
