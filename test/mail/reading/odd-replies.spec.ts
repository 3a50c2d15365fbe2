import { describe, expect, it } from '@jest/globals';
import { ownText } from '../../../src/mail/reading/reply-text.js';
import { ADDRESS, sentIn } from './support/sent-mails.js';

const [SENT] = sentIn('en') as [string];
const LINES = SENT.trim().split('\n');
const marked = (mark = '> ', lines: readonly string[] = LINES) => lines.map((line) => mark + line).join('\n');
const ON = `On Tue, Nov 3, 2026 at 10:12 AM Acme <${ADDRESS}> wrote:`;
const FIELDS = `From: Acme <${ADDRESS}>\nSent: Tuesday, November 3, 2026 10:12 AM\nTo: Ada\nSubject: Your chat with Acme`;
const COLOR = 'Which color would you like for the second cushion?';
const LONG = LINES.find((line) => line.startsWith('Hello Ada'))!;

/** The text of a reply, and what of it is the visitor's; without the second, all is. */
const CASES: [name: string, text: string, own?: string][] = [
  ['a sentence of ours in a paragraph', `You wrote "${COLOR}" and I say blue.`],
  ['a line of ours in a paragraph', `You asked:\n${COLOR}\nI want blue.`],
  ['our whole paragraph repeated', `${LONG}\n\nThat is not true.`],
  ['an answer on the quoted line', `${ON}\n> ${COLOR} Blue!\n> ${LINES[0]}`, 'Blue!'],
  ['three levels', `Yes\n\n${ON}\n${marked('>>> ')}`, 'Yes'],
  ['marks without blanks', `Yes\n\n${ON}\n${marked('>')}`, 'Yes'],
  ['marks with blanks between', `Yes\n\n${ON}\n${marked('> > ')}`, 'Yes'],
  ['no introduction', `Yes\n\n${marked()}`, 'Yes'],
  ['no introduction and no mark', `Yes\n\n${SENT}`, 'Yes'],
  ['only a quote', `${ON}\n${marked()}`, ''],
  [
    'fields with a warning below',
    `Yes\n\n${FIELDS}\n\nCAUTION: This email is from outside of the company.\n\n${SENT}`,
    'Yes',
  ],
  ['fields in bold', `Yes\n\n${FIELDS.replaceAll(/^(\w+:)/gm, '*$1*')}\n\n${SENT}`, 'Yes'],
  ['an original message', `Yes\n\n-----Original Message-----\n${FIELDS}\n\n${SENT}`, 'Yes'],
  [
    'an original message in German',
    `Ja\n\n-----Ursprüngliche Nachricht-----\nVon: Acme\nGesendet: 3.11.2026 10:12\nAn: Ada\nBetreff: Chat\n\n${SENT}`,
    'Ja',
  ],
  ['an introduction in Polish', `Tak\n\nwt., 3 lis 2026 o 10:12 Acme <${ADDRESS}> napisał(a):\n\n${marked()}`, 'Tak'],
  [
    'an introduction in Arabic',
    `نعم\n\nفي الثلاثاء، ٣ نوفمبر ٢٠٢٦ في ١٠:١٢ كتب Acme <${ADDRESS}>:\u200f\n\n${marked()}`,
    'نعم',
  ],
  ['an introduction in Chinese', `好的\n\nAcme <${ADDRESS}> 于2026年11月3日周二 10:12写道：\n\n${marked()}`, '好的'],
  [
    'an introduction in Turkish',
    `Evet\n\nAcme <${ADDRESS}>, 3 Kas 2026 Sal, 10:12 tarihinde şunu yazdı:\n\n${marked()}`,
    'Evet',
  ],
  [
    'an introduction on three lines',
    `Yes\n\nOn Tue, Nov 3, 2026 at\n10:12 AM Acme Customer Support\n<${ADDRESS}> wrote:\n\n${marked()}`,
    'Yes',
  ],
  ['an introduction directly below', `Yes\n${ON}\n${marked()}`, 'Yes'],
  ['lines broken behind the mark', `Yes\n\n${ON}\n> ${LONG.slice(0, 70)}\n${LONG.slice(70)}\n> ${COLOR}`, 'Yes'],
  ['blanks that do not break', `Yes\n\n${ON}\n${marked().replaceAll(' ', '\u00a0')}`, 'Yes'],
  ['double blanks', `Yes\n\n${ON}\n${marked().replaceAll(' ', '  ')}`, 'Yes'],
  ['other bullets', `Yes\n\n${FIELDS}\n\n${SENT.replaceAll('\n- ', '\n   •  ')}`, 'Yes'],
  ['curly quotes', `Yes\n\n${FIELDS}\n\n${SENT.replaceAll("'", '’')}`, 'Yes'],
  ['a signature below the quote', `${ON}\n${marked()}\n\nYes\n\n-- \nAda\nLondon`, 'Yes'],
  ['a signature above the quote', `Yes\n-- \nAda\n\n${ON}\n${marked()}`, 'Yes'],
  ['a divider of two dashes far from the end', `One\n--\n${'Two\n'.repeat(30)}End`],
  [
    'a link that was not sent beneath a quote',
    `${FIELDS}\n\n${SENT}\nhttps://example.com/photo.png`,
    'https://example.com/photo.png',
  ],
  ['an emoji', `👍\n\n${ON}\n${marked()}`, '👍'],
  ['one question mark', `?\n\n${ON}\n${marked()}`, '?'],
  [
    'a quote from elsewhere',
    `The manual says:\n> press the red button twice\nand nothing happens.\n\n${ON}\n${marked()}`,
    'The manual says:\n> press the red button twice\nand nothing happens.',
  ],
  ['data with colons', 'Name: Ada\nE-mail: ada@example.com\nDate: 3.11.2026\nOrder: 4711'],
  [
    'data with colons above a quote',
    `Name: Ada\nE-mail: ada@example.com\nOrder: 4711\n\n${ON}\n${marked()}`,
    'Name: Ada\nE-mail: ada@example.com\nOrder: 4711',
  ],
  [
    'a phone named in the text',
    `I bought it for my phone.\n\nIt was sent from my iPhone shop yesterday and never came.`,
  ],
  [
    'a program that sent it',
    `Yes\n\nDiese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.\n\n${ON}\n${marked()}`,
    'Yes',
  ],
  ['Outlook for Android', `Yes\n\nGet Outlook for Android<https://aka.ms/AAb9ysg>\n${FIELDS}\n\n${SENT}`, 'Yes'],
  ['a part of our mail alone', `Blue\n\n${ON}\n> ${COLOR}`, 'Blue'],
  ['our older mail', `Yes\n\n${ON}\n> Something that was sent long ago\n> in two lines`, 'Yes'],
  ['windows line breaks', `Yes\r\n\r\n${ON}\r\n${marked().replaceAll('\n', '\r\n')}`, 'Yes'],
];

describe('the own text of an odd reply', () => {
  it.each(CASES)('%s', (_name, text, own = text) => {
    expect(ownText(text, [SENT])).toBe(own);
  });
});
