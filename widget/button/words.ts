/** The label of the button that hides the chat's button, in the widget's languages. */
export const HIDE: Record<string, string> = {
  ar: 'إخفاء زر المحادثة حتى الصفحة التالية',
  de: 'Chat bis zur nächsten Seite ausblenden',
  en: 'Hide the chat until the next page',
  es: 'Ocultar el chat hasta la próxima página',
  fr: 'Masquer le chat jusqu’à la prochaine page',
  it: 'Nascondi la chat fino alla prossima pagina',
  ja: '次のページまでチャットを隠す',
  nl: 'Chat verbergen tot de volgende pagina',
  pl: 'Ukryj czat do następnej strony',
  pt: 'Ocultar o chat até a próxima página',
  tr: 'Sohbeti sonraki sayfaya kadar gizle',
  'zh-Hant': '隱藏聊天，直到下一頁',
  zh: '隐藏聊天，直到下一页',
};
