/** What stops an answer, and what is said after that, in the widget's languages. */
export const WORDS: Record<string, readonly [stop: string, stopped: string]> = {
  ar: ['إيقاف', 'تم إيقاف الرد'],
  de: ['Anhalten', 'Antwort angehalten'],
  en: ['Stop', 'Answer stopped'],
  es: ['Detener', 'Respuesta detenida'],
  fr: ['Arrêter', 'Réponse arrêtée'],
  it: ['Interrompi', 'Risposta interrotta'],
  ja: ['停止', '回答を停止しました'],
  nl: ['Stoppen', 'Antwoord gestopt'],
  pl: ['Zatrzymaj', 'Odpowiedź zatrzymana'],
  pt: ['Parar', 'Resposta interrompida'],
  tr: ['Durdur', 'Yanıt durduruldu'],
  'zh-Hant': ['停止', '已停止回答'],
  zh: ['停止', '已停止回答'],
};
