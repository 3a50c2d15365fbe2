import type { Settings } from '../types.js';

/** Reads the settings from the script's `data-` attributes, which have the same names. */
export function readAttributes({ dataset }: HTMLScriptElement): Settings {
  return { ...(dataset as object), ...localeOf(dataset.locale), strings: {} } as Settings;
}

/** Returns the chosen locale, or the page's, or the browser's. English if Intl doesn't know it. */
export function localeOf(chosen?: string): Pick<Settings, 'locale' | 'isLocaleChosen'> {
  const wanted = chosen || document.documentElement.lang || navigator.language;
  try {
    return { locale: Intl.getCanonicalLocales(wanted.replace('_', '-'))[0] ?? 'en', isLocaleChosen: !!chosen };
  } catch {
    return { locale: 'en', isLocaleChosen: false };
  }
}
