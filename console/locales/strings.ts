import { computed, signal } from '@preact/signals';
import { fill } from '../../headless/text.js';
import { en, type Strings } from './en.js';

/** The languages of the console, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'parley:console:language';

export const strings = signal<Strings>(en);
export const language = signal<Language>('en');
/** How the page writes times and numbers: its language as the browser's region has it, en-GB or de-CH. */
export const locale = computed(
  () => navigator.languages.find((tag) => toLanguage(tag) === language.value) ?? language.value,
);

/** The language that was chosen, else the first of the browser's that there is. */
export function wantedLanguage(): Language {
  return readChosen() ?? navigator.languages.map(toLanguage).find(Boolean) ?? 'en';
}

/** Shows everything in a language from now on. @throws what the import of its words throws */
export async function loadLanguage(next: Language): Promise<void> {
  strings.value = next === 'de' ? (await import('./de.js')).de : en;
  language.value = next;
  document.documentElement.lang = next;
}

/** Shows everything in a language from now on, also the next time. @throws what the import of its words throws */
export async function chooseLanguage(chosen: Language): Promise<void> {
  await loadLanguage(chosen);
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // The choice holds as long as the page.
  }
}

/** Chooses between the forms of a text by a number, and puts the number in. */
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

/** The service counts chats no further than about this: more are told as that and more. */
const MOST_COUNTED = 999;

/** A number of chats, which may be more than was counted: "1,000+". */
export function countWords(count: number): string {
  return `${new Intl.NumberFormat(locale.value).format(count)}${count >= MOST_COUNTED ? '+' : ''}`;
}

/** The form of a text by a number of chats that may be more than was counted. */
export function pluralOfChats(forms: { one: string; other: string }, count: number): string {
  return count < MOST_COUNTED ? plural(forms, count) : fill(forms.other, { count: countWords(count) });
}
