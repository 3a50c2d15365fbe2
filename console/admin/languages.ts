/** The languages that the widget speaks. */
export const WIDGET_LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'zh', 'zh-Hant'];
