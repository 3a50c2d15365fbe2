/** The languages besides English; `widget/locales` has a file for each, and the build copies the one of traditional Chinese for its regions. */
const LANGUAGES = /^(ar|de|es|fr|it|ja|nl|pl|pt|tr|zh(-(Hant|TW|HK|MO))?)\b/;

/** The language of a locale; English if the widget doesn't have it. */
export function languageOf(locale: string): string {
  return LANGUAGES.exec(locale)?.[0] ?? 'en';
}
