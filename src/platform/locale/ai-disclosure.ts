import type { Language } from './languages.js';

/**
 * What visitors read before the first word of an AI (CONTRACT: AI disclosure). The widget has the same words, for pages that couldn't read
 * its settings.
 */
export const AI_DISCLOSURES: Record<Language, string> = {
  ar: 'أنت تتحدث مع ذكاء اصطناعي، وليس مع شخص.',
  de: 'Sie schreiben mit einer KI, nicht mit einem Menschen.',
  en: 'You are chatting with an AI, not with a person.',
  es: 'Está chateando con una IA, no con una persona.',
  fr: 'Vous discutez avec une IA, pas avec une personne.',
  it: 'Sta parlando con un’IA, non con una persona.',
  ja: 'お話ししている相手は、人ではなくAIです。',
  nl: 'U chat met een AI, niet met een mens.',
  pl: 'Rozmawiasz z AI, a nie z człowiekiem.',
  pt: 'Você está falando com uma IA, não com uma pessoa.',
  tr: 'Bir insanla değil, bir yapay zekâ ile yazışıyorsunuz.',
  'zh-Hant': '與您對話的是 AI，不是真人。',
  zh: '您正在与 AI 对话，而不是与真人对话。',
};

/** What stands beside the name of an AI, as in the widget. */
export const AI_MARKS: Record<Language, string> = {
  ar: 'ذكاء اصطناعي',
  de: 'KI',
  en: 'AI',
  es: 'IA',
  fr: 'IA',
  it: 'IA',
  ja: 'AI',
  nl: 'AI',
  pl: 'AI',
  pt: 'IA',
  tr: 'Yapay zekâ',
  'zh-Hant': 'AI',
  zh: 'AI',
};

/** What the visitor read before the first word of an AI, for a chat that the widget began. */
export interface AiDisclosure {
  text: string;
  /** The BCP 47 tag of the widget's language. */
  locale: string;
}
