import { describe, expect, it } from '@jest/globals';
import { ownText } from '../../../src/mail/reading/reply-text.js';
import { CLIENTS, type Own } from './support/clients.js';
import { openReader } from './support/read.js';
import { type Language, LANGUAGES, sentIn } from './support/sent-mails.js';

const read = openReader();
const ABOVE: Record<Language, string> = {
  en: 'Blue, please.\n\nAnd could you send it to my office instead? The address is:\n1 Main Street\nSpringfield',
  de: 'Bitte in Blau!\n\nKönnten Sie es auch an mein Büro schicken? Die Adresse ist:\nHauptstraße 1\n12345 Berlin\n\nViele Grüße\nAda',
  fr: 'Bleu, s’il vous plaît.\n\nEst-ce possible de livrer à mon bureau ?\n\nCordialement,\nAda',
  es: 'Azul, por favor.\n\n¿Podrían enviarlo a mi oficina? Gracias 😊',
  ja: '青でお願いします。\n\n会社に送っていただけますか。よろしくお願いいたします。\nエイダ',
};
const BENEATH: Record<Language, string[]> = {
  en: ['Blue', 'I tracked it, thanks.', '👍'],
  de: ['Blau bitte, so wie das erste.', 'Geht auch Donnerstag?', 'Genau.'],
  fr: ['Bleu', 'Merci, je regarde.', 'Oui, deux.'],
  es: ['Azul.', 'De acuerdo', 'Sí'],
  ja: ['青でお願いします', 'わかりました。', 'はい'],
};

const above = (language: Language) => ({ own: { above: ABOVE[language] }, expected: ABOVE[language] });
const below = (language: Language) => ({ own: { below: ABOVE[language] }, expected: ABOVE[language] });
const inline = (language: Language) => ({
  own: { beneath: BENEATH[language] },
  expected: BENEATH[language].join('\n\n'),
});
const around = (language: Language) => ({
  own: { above: ABOVE[language], beneath: BENEATH[language] },
  expected: [ABOVE[language], ...BENEATH[language]].join('\n\n'),
});

/** Where a visitor writes with each program, for each language in order. */
const CASES: [keyof typeof CLIENTS, ((language: Language) => { own: Own; expected: string })[]][] = [
  ['gmail', [above, below, inline, around, inline]],
  ['gmailApp', [above, above, inline, above, below]],
  ['gmailHtml', [above, above, above, above, above]],
  ['appleMail', [inline, above, below, around, above]],
  ['iphone', [above, around, inline, above, inline]],
  ['outlook', [above, inline, above, around, above]],
  ['outlookWeb', [above, above, above, above, above]],
  ['outlookMobile', [above, above, above, above, above]],
  ['outlookHtml', [above, above, above, above, above]],
  ['thunderbird', [below, inline, above, below, inline]],
  ['yahoo', [above, above, above, above, above]],
  ['gmx', [above, above, above, above, above]],
];
const REPLIES = CASES.flatMap(([client, places]) =>
  LANGUAGES.map((language, at) => ({ client, language, place: places[at]!.name, ...places[at]!(language) })),
);

describe('the own text of a reply', () => {
  it.each(REPLIES)('$client, $language, $place', async ({ client, language, own, expected }) => {
    const { text } = await read(CLIENTS[client](language, own));
    expect(ownText(text, sentIn(language))).toBe(expected);
  });
});
