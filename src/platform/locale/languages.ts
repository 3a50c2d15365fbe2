/** The languages of the texts that visitors read, as BCP 47 tags. */
export const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The languages of the widget's own words. */
export type WidgetLanguage = Language | 'zh-Hant';

/** Tags of Traditional Chinese. The texts in `zh` are in Simplified Chinese. */
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/i;

/** The language of what visitors read for a BCP 47 tag; English if there are no texts in it. */
export function languageOf(tag: string): Language {
  const language = tag.slice(0, 3).split(/[-_]/, 1)[0]!.toLowerCase();
  return LANGUAGES.find((known) => known === language && !TRADITIONAL.test(tag)) ?? 'en';
}

/** The language of the widget's own words for a BCP 47 tag; English if it has none in it. */
export function widgetLanguageOf(tag: string): WidgetLanguage {
  return TRADITIONAL.test(tag) ? 'zh-Hant' : languageOf(tag);
}
