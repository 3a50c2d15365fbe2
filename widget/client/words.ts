import type { Strings } from '../locales/en.js';

/** The languages of the widget's words. */
export const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh', 'zh-Hant'] as const;

// One import for each file: bundlers then make a file of each language.
const FILES: Record<(typeof LANGUAGES)[number], () => Promise<Strings>> = {
  ar: async () => (await import('../locales/ar.js')).ar,
  de: async () => (await import('../locales/de.js')).de,
  en: async () => (await import('../locales/en.js')).en,
  es: async () => (await import('../locales/es.js')).es,
  fr: async () => (await import('../locales/fr.js')).fr,
  it: async () => (await import('../locales/it.js')).it,
  ja: async () => (await import('../locales/ja.js')).ja,
  nl: async () => (await import('../locales/nl.js')).nl,
  pl: async () => (await import('../locales/pl.js')).pl,
  pt: async () => (await import('../locales/pt.js')).pt,
  tr: async () => (await import('../locales/tr.js')).tr,
  'zh-Hant': async () => (await import('../locales/zh-Hant.js')).zhHant,
  zh: async () => (await import('../locales/zh.js')).zh,
};

/** Loads the widget's words in a language, or in English if it has none. @param locale a BCP 47 tag, such as `de-AT` */
export function loadWords(locale = 'en'): Promise<Strings> {
  if (/^zh-(hant|tw|hk|mo)\b/i.test(locale)) return FILES['zh-Hant']();
  const language = LANGUAGES.find((known) => known === locale.toLowerCase().replace(/-.*/s, '')) ?? 'en';
  return FILES[language]();
}
