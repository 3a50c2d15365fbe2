import { computed, signal } from '@preact/signals';
import { fill } from '../../headless/text.js';
import { ownName } from '../lib/service.js';
import { en, type Strings } from './en.js';

/** The languages of the console, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = ownName('console:language');

export const strings = signal<Strings>(en);
export const language = signal<Language>('en');
/** The locale of times and numbers: the page's language with the browser's region, such as en-GB or de-CH. */
export const locale = computed(
  () => navigator.languages.find((tag) => toLanguage(tag) === language.value) ?? language.value,
);

/** The chosen language, or the first of the browser's that the console has. */
export function wantedLanguage(): Language {
  return readChosen() ?? navigator.languages.map(toLanguage).find(Boolean) ?? 'en';
}

/** Switches the language. @throws if its texts can't be loaded */
export async function loadLanguage(next: Language): Promise<void> {
  strings.value = next === 'de' ? (await import('./de.js')).de : en;
  language.value = next;
  document.documentElement.lang = next;
}

/** Switches the language and remembers it. @throws if its texts can't be loaded */
export async function chooseLanguage(chosen: Language): Promise<void> {
  await loadLanguage(chosen);
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage, the choice lasts until a reload.
  }
}

/** A text in its singular or plural form, with the number. */
export function plural(forms: { one: string; other: string }, count: number): string {
  const form = new Intl.PluralRules(language.value).select(count) === 'one' ? forms.one : forms.other;
  return fill(form, { count: new Intl.NumberFormat(locale.value).format(count) });
}

function readChosen(): Language | undefined {
  try {
    return toLanguage(localStorage.getItem(KEY) ?? '');
  } catch {
    return undefined;
  }
}

function toLanguage(tag: string): Language | undefined {
  const code = tag.slice(0, 2).toLowerCase();
  return code in LANGUAGES ? (code as Language) : undefined;
}

/** The service stops counting chats at about this number. */
const MAX_COUNTED = 999;

/** A count of chats that may be capped: "999+". */
export function countWords(count: number): string {
  return `${new Intl.NumberFormat(locale.value).format(count)}${count >= MAX_COUNTED ? '+' : ''}`;
}

/** `plural` for a count of chats that may be capped. */
export function pluralOfChats(forms: { one: string; other: string }, count: number): string {
  return count < MAX_COUNTED ? plural(forms, count) : fill(forms.other, { count: countWords(count) });
}
