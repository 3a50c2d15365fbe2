/** What the button below a folded message says, in the widget's languages. */
export const ALL: Record<string, string> = {
  ar: 'إظهار الكل',
  de: 'Alles anzeigen',
  en: 'Show all',
  es: 'Mostrar todo',
  fr: 'Tout afficher',
  it: 'Mostra tutto',
  ja: 'すべて表示',
  nl: 'Alles tonen',
  pl: 'Pokaż wszystko',
  pt: 'Mostrar tudo',
  tr: 'Tümünü göster',
  'zh-Hant': '顯示全部',
  zh: '显示全部',
};
