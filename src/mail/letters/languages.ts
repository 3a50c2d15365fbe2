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
import { zhHant } from './locales/zh-Hant.js';
import type { Language } from '../../platform/locale/languages.js';
import type { Words } from './words.js';

const WORDS: Record<Language, Words> = { ar, de, en, es, fr, it, ja, nl, pl, pt, tr, zh, 'zh-Hant': zhHant };

/** What mails say. */
export function wordsOf(language: Language): Words {
  return WORDS[language];
}
