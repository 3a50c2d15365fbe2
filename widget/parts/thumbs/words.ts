/** What the thumbs say, up and down, in the widget's languages. It's here so that only visitors who see thumbs load it. */
export const WORDS: Record<string, readonly [up: string, down: string]> = {
  ar: ['مفيد', 'غير مفيد'],
  de: ['Hilfreich', 'Nicht hilfreich'],
  en: ['Helpful', 'Not helpful'],
  es: ['Útil', 'No es útil'],
  fr: ['Utile', 'Pas utile'],
  it: ['Utile', 'Non utile'],
  ja: ['役に立った', '役に立たなかった'],
  nl: ['Nuttig', 'Niet nuttig'],
  pl: ['Pomocne', 'Niepomocne'],
  pt: ['Útil', 'Não é útil'],
  tr: ['Yararlı', 'Yararlı değil'],
  'zh-Hant': ['有幫助', '沒有幫助'],
  zh: ['有帮助', '没有帮助'],
};
