import type { Settings } from '../types.js';

/** Reads the settings from the script's `data-` attributes. */
export function readAttributes({ dataset }: HTMLScriptElement): Settings {
  return {
    ...localeOf(dataset.locale),
    theme: dataset.theme as Settings['theme'],
    position: dataset.position as Settings['position'],
    color: dataset.color,
    zIndex: dataset.zIndex ? Number(dataset.zIndex) : undefined,
    title: dataset.title,
    greeting: dataset.greeting,
    strings: {},
  };
}

/** Returns the chosen locale, else the page's, else the browser's. English when Intl does not know it. */
export function localeOf(chosen?: string): Pick<Settings, 'locale' | 'isLocaleChosen'> {
  const wanted = chosen || document.documentElement.lang || navigator.language;
  try {
    return { locale: Intl.getCanonicalLocales(wanted.replace('_', '-'))[0] ?? 'en', isLocaleChosen: !!chosen };
  } catch {
    return { locale: 'en', isLocaleChosen: false };
  }
}
