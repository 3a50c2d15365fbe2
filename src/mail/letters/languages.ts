import { ar } from './locales/ar.js';
import { de } from './locales/de.js';
import { en } from './locales/en.js';
import { es } from './locales/es.js';
import { fr } from './locales/fr.js';
import { it } from './locales/it.js';
import { ja } from './locales/ja.js';
import { nl } from './locales/nl.js';
import { pl } from './locales/pl.js';
import { pt } from './locales/pt.js';
import { tr } from './locales/tr.js';
import { zh } from './locales/zh.js';
import type { Words } from './words.js';

const WORDS: Record<string, Words> = { ar, de, en, es, fr, it, ja, nl, pl, pt, tr, zh };

/** Traditional Chinese has other characters than the texts. */
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/i;

/** The language of a mail for a BCP 47 tag: one of the widget's; English if there are no texts in it. */
export function languageOf(tag: string): string {
  const language = tag.slice(0, 3).split(/[-_]/, 1)[0]!.toLowerCase();
  return Object.hasOwn(WORDS, language) && !TRADITIONAL.test(tag) ? language : 'en';
}

/** What mails say in a language that `languageOf` returned. */
export function wordsOf(language: string): Words {
  return WORDS[language] ?? en;
}
