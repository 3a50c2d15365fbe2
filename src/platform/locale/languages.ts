/** The languages of what visitors read, as BCP 47 tags. `zh` is written in simplified characters. */
export const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh', 'zh-Hant'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Tags of Chinese in traditional characters. */
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/i;

/** The language of what visitors read for a BCP 47 tag; English if there are no texts in it. */
export function languageOf(tag: string): Language {
  if (TRADITIONAL.test(tag)) return 'zh-Hant';
  const language = tag.slice(0, 3).split(/[-_]/, 1)[0]!.toLowerCase();
  return LANGUAGES.find((known) => known === language) ?? 'en';
}
