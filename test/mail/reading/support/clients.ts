import { htmlOf } from '../../../../src/mail/letters/layout.js';
import type { Block, Letter } from '../../../../src/mail/letters/letter.js';
import { base64, multipart, part } from './read.js';
import { ADDRESS, type Language, letterIn } from './sent-mails.js';

/** What a visitor wrote: above the quote, below it, or beneath its messages. */
export interface Own {
  above?: string;
  below?: string;
  /** Beneath the message with the same index. */
  beneath?: string[];
}

/** A mail program writes a reply. */
type Client = (language: Language, own: Own) => string;

const SAFELINKS = 'https://eur01.safelinks.protection.outlook.com/?url=';

/** Breaks a text at blanks, and a text without blanks at the width. */
function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const blank = rest.lastIndexOf(' ', width);
      const at = blank > 0 ? blank : width;
      lines.push(rest.slice(0, at));
      rest = rest.slice(blank > 0 ? at + 1 : at);
    }
    return [...lines, rest];
  });
}

/** How a program turns our HTML into text. */
interface Style {
  bold: (name: string) => string;
  link: (label: string, url: string) => string;
}

/** Our mail as a program shows its HTML as text, in paragraphs, with the index of the message that each one ends. */
function paragraphsOf({ blocks, button, footer, unsubscribe }: Letter, { bold, link }: Style): [string, number?][] {
  let message = 0;
  const shown = blocks.map((block: Block): [string, number?] =>
    block.type === 'text' ? [block.text] : [`${bold(block.sender)}\n${block.text}`, message++],
  );
  return [
    ...shown,
    [link(button!.label, button!.url)],
    [`${footer.join('\n')}\n${link(unsubscribe!.label, unsubscribe!.url)}`],
  ];
}

const QUOTED_TEXT: Record<'gmail' | 'apple' | 'outlook', Style> = {
  gmail: { bold: (name) => `*${name}*`, link: (label, url) => `${label}\n<${url}>` },
  apple: { bold: (name) => name, link: (label, url) => `${label} <${url}>` },
  outlook: {
    bold: (name) => name,
    link: (label, url) => `${label}<${SAFELINKS}${encodeURIComponent(url)}&data=05%7C02>`,
  },
};

/** A quote with `> `, wrapped, with the visitor's lines beneath the messages. */
function marked(
  language: Language,
  style: Style,
  own: Own,
  { width, blank }: { width: number; blank: string },
): string {
  return paragraphsOf(letterIn(language), style)
    .map(([text, message], at) => {
      const lines = wrap(text, width).map((line) => (line === '' ? blank : `> ${line}`));
      const answer = message === undefined ? undefined : own.beneath?.[message];
      return [...(at > 0 ? [blank] : []), ...lines, ...(answer === undefined ? [] : ['', answer, ''])].join('\n');
    })
    .join('\n');
}

/** A quote without marks. */
function unmarked(language: Language, style: Style, own: Own = {}): string {
  return paragraphsOf(letterIn(language), style)
    .flatMap(([text, message]) => [
      text,
      ...(message === undefined || !own.beneath?.[message] ? [] : [own.beneath[message]!]),
    ])
    .join('\n\n');
}

function headersOf(language: Language): string[] {
  return [
    'Return-Path: <ada@example.com>',
    `Delivered-To: ${ADDRESS}`,
    'From: =?utf-8?Q?Ada_L=C3=B6velace?= <ada@example.com>',
    `To: Acme <${ADDRESS}>`,
    `Subject: Re: ${letterIn(language).subject.replaceAll(/[^\x20-\x7e]/g, '')}`,
    `Message-ID: <${language}-1@mail.example.com>`,
    'MIME-Version: 1.0',
  ];
}

const encoded = (type: string, text: string) =>
  part(
    [`Content-Type: ${type}; charset="utf-8"`, 'Content-Transfer-Encoding: base64'],
    base64(text.replaceAll('\n', '\r\n')),
  );

/** Quoted-printable, with lines of at most 76 characters. */
function quotedPrintable(text: string): string {
  const escape = (line: string) =>
    Array.from(Buffer.from(line), (byte, at) => {
      const isPlain = byte > 31 && byte < 127 && byte !== 61;
      return isPlain && !(byte === 32 && at === Buffer.byteLength(line) - 1)
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    });
  return text
    .split('\n')
    .map((line) => {
      const lines = [''];
      for (const piece of escape(line)) {
        if (lines.at(-1)!.length + piece.length > 75) lines.push('');
        lines[lines.length - 1] += piece;
      }
      return lines.join('=\n');
    })
    .join('\n');
}

const printable = (type: string, text: string) =>
  part([`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: quoted-printable'], quotedPrintable(text));

function alternative(language: Language, text: string, html: string, encode = printable): string {
  return multipart('alternative', [encode('text/plain', text), encode('text/html', html)], headersOf(language));
}

const toHtml = (text: string | undefined) =>
  (text ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');
const bodyOf = (language: Language) => htmlOf(letterIn(language)).replace(/^[^]*<body[^>]*>|<\/body>[^]*$/g, '');
const filled = (lines: (string | undefined)[]) => lines.filter((line) => line !== undefined).join('\n');

const GMAIL_INTRODUCTIONS: Record<Language, string> = {
  en: `On Tue, Nov 3, 2026 at 10:12\u202fAM Acme <${ADDRESS}>\nwrote:`,
  de: `Am Di., 3. Nov. 2026 um 10:12 Uhr schrieb Acme <\n${ADDRESS}>:`,
  fr: `Le mar. 3 nov. 2026 à 10:12, Acme <${ADDRESS}> a\nécrit :`,
  es: `El mar, 3 nov 2026 a las 10:12, Acme (<${ADDRESS}>)\nescribió:`,
  ja: `2026年11月3日(火) 10:12 Acme <${ADDRESS}>:`,
};

const gmailText = (language: Language, own: Own) =>
  filled([
    own.above && `${own.above}\n`,
    GMAIL_INTRODUCTIONS[language],
    '',
    marked(language, QUOTED_TEXT.gmail, own, { width: 76, blank: '>' }),
    own.below && `\n${own.below}`,
  ]);

/** Gmail in a browser. */
const gmail: Client = (language, own) =>
  alternative(
    language,
    gmailText(language, own),
    `<div dir="ltr">${toHtml(own.above)}</div><div class="gmail_quote">…</div>`,
  );

/** Gmail on a phone. */
const gmailApp: Client = (language, own) =>
  alternative(language, gmailText(language, own).replaceAll('\n>', '\n> '), '<div dir="auto">…</div>', encoded);

/** A mail of Gmail that came without its plain text. */
const gmailHtml: Client = (language, own) =>
  part(
    [...headersOf(language), 'Content-Type: text/html; charset="UTF-8"', 'Content-Transfer-Encoding: base64'],
    base64(
      `<div dir="ltr">${toHtml(own.above)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${toHtml(
        GMAIL_INTRODUCTIONS[language].replaceAll('\n', ' '),
      )}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><u></u>${bodyOf(language)}</blockquote></div>`,
    ),
  );

const APPLE_INTRODUCTIONS: Record<Language, string> = {
  en: `On 3 Nov 2026, at 10:12, Acme <${ADDRESS}> wrote:`,
  de: `Am 03.11.2026 um 10:12 schrieb Acme <${ADDRESS}>:`,
  fr: `Le 3 nov. 2026 à 10:12, Acme <${ADDRESS}> a écrit :`,
  es: `El 3 nov 2026, a las 10:12, Acme <${ADDRESS}> escribió:`,
  ja: `2026/11/03 10:12、Acme <${ADDRESS}>のメール:`,
};
const IPHONE: Record<Language, string> = {
  en: 'Sent from my iPhone',
  de: 'Von meinem iPhone gesendet',
  fr: 'Envoyé de mon iPhone',
  es: 'Enviado desde mi iPhone',
  ja: 'iPhoneから送信',
};

/** Apple Mail on a computer. */
const appleMail: Client = (language, own) =>
  alternative(
    language,
    filled([
      own.above && `${own.above}\n`,
      `> ${APPLE_INTRODUCTIONS[language]}`,
      '> ',
      marked(language, QUOTED_TEXT.apple, own, { width: 10_000, blank: '> ' }),
      own.below && `\n${own.below}`,
    ]),
    '<html>…</html>',
  );

/** Mail on an iPhone. */
const iphone: Client = (language, own) =>
  alternative(
    language,
    filled([
      own.above,
      '',
      IPHONE[language],
      '',
      `> ${APPLE_INTRODUCTIONS[language]}`,
      '> ',
      `> \ufeff`,
      marked(language, QUOTED_TEXT.apple, own, { width: 10_000, blank: '> ' }),
    ]),
    '<html>…</html>',
    encoded,
  );

const OUTLOOK_FIELDS: Record<Language, [from: string, sent: string, to: string, subject: string, date: string]> = {
  en: ['From:', 'Sent:', 'To:', 'Subject:', 'Tuesday, November 3, 2026 10:12 AM'],
  de: ['Von:', 'Gesendet:', 'An:', 'Betreff:', 'Dienstag, 3. November 2026 10:12'],
  fr: ['De :', 'Envoyé :', 'À :', 'Objet :', 'mardi 3 novembre 2026 10:12'],
  es: ['De:', 'Enviado:', 'Para:', 'Asunto:', 'martes, 3 de noviembre de 2026 10:12'],
  ja: ['差出人:', '送信日時:', '宛先:', '件名:', '2026年11月3日 10:12'],
};

function outlookFields(language: Language): string {
  const [from, sent, to, subject, date] = OUTLOOK_FIELDS[language];
  return [
    `${from} Acme <${ADDRESS}>`,
    `${sent} ${date}`,
    `${to} Ada Lovelace <ada@example.com>`,
    `${subject} ${letterIn(language).subject}`,
  ].join('\n');
}

/** Outlook on a computer. */
const outlook: Client = (language, own) =>
  alternative(
    language,
    filled([
      own.above,
      '',
      outlookFields(language),
      '',
      unmarked(language, QUOTED_TEXT.outlook, own),
      own.below && `\n${own.below}`,
    ]),
    '<html>…',
    encoded,
  );

/** Outlook in a browser. */
const outlookWeb: Client = (language, own) =>
  alternative(
    language,
    filled([
      own.above,
      '________________________________',
      outlookFields(language),
      '',
      unmarked(language, QUOTED_TEXT.outlook),
    ]),
    '<html>…',
  );

const GET_OUTLOOK: Record<Language, string> = {
  en: 'Get Outlook for iOS<https://aka.ms/o0ukef>',
  de: 'Outlook für iOS<https://aka.ms/o0ukef> beziehen',
  fr: 'Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>',
  es: 'Obtener Outlook para Android<https://aka.ms/AAb9ysg>',
  ja: 'iOS 版 Outlook<https://aka.ms/o0ukef>を入手する',
};

/** Outlook on a phone. */
const outlookMobile: Client = (language, own) =>
  alternative(
    language,
    filled([
      own.above,
      '',
      GET_OUTLOOK[language],
      '________________________________',
      outlookFields(language),
      '',
      unmarked(language, QUOTED_TEXT.outlook),
    ]),
    '<html>…',
    encoded,
  );

/** A mail of Outlook that came as HTML alone. */
const outlookHtml: Client = (language, own) => {
  const fields = outlookFields(language)
    .split('\n')
    .map((line) =>
      line
        .replace(/^([^:]+:)/, '<b>$1</b>')
        .replace(`<${ADDRESS}>`, `&lt;${ADDRESS}&gt;`)
        .replace('<ada@example.com>', '&lt;ada@example.com&gt;'),
    )
    .join('<br>\n');
  const paragraphs = (own.above ?? '')
    .split('\n')
    .map((line) => `<p class="MsoNormal"><span lang="EN-US">${toHtml(line) || '&nbsp;'}<o:p></o:p></span></p>`);
  const body = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang="EN-US"><div class="WordSection1">${paragraphs.join('\n')}<p class="MsoNormal"><o:p>&nbsp;</o:p></p>\n<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${fields}<o:p></o:p></p></div>${bodyOf(language)}</div></body></html>`;
  return part(
    [...headersOf(language), 'Content-Type: text/html; charset="utf-8"', 'Content-Transfer-Encoding: quoted-printable'],
    quotedPrintable(body),
  );
};

const THUNDERBIRD_INTRODUCTIONS: Record<Language, string> = {
  en: 'On 11/3/26 10:12, Acme wrote:',
  de: 'Am 03.11.26 um 10:12 schrieb Acme:',
  fr: 'Le 03/11/2026 à 10:12, Acme a écrit :',
  es: 'El 3/11/26 a las 10:12, Acme escribió:',
  ja: 'On 2026/11/03 10:12, Acme wrote:',
};

/** Thunderbird, which writes flowed lines. */
const thunderbird: Client = (language, own) => {
  const flowed = (text: string) => wrap(text, 70).join(' \n');
  return part(
    [
      ...headersOf(language),
      'Content-Type: text/plain; charset=UTF-8; format=flowed',
      'Content-Transfer-Encoding: 8bit',
    ],
    filled([
      own.above && `${own.above.split('\n').map(flowed).join('\n')}\n`,
      THUNDERBIRD_INTRODUCTIONS[language],
      marked(language, QUOTED_TEXT.apple, own, { width: 76, blank: '>' }),
      own.below && `\n${own.below.split('\n').map(flowed).join('\n')}\n\n-- \nAda Lovelace\nLondon\n`,
    ]),
  );
};

const YAHOO_INTRODUCTIONS: Record<Language, string> = {
  en: `On Tuesday, November 3, 2026 at 10:12:33 AM GMT+1, Acme <${ADDRESS}> wrote:`,
  de: `Am Dienstag, 3. November 2026 um 10:12:33 MEZ hat Acme <${ADDRESS}> Folgendes geschrieben:`,
  fr: `Le mardi 3 novembre 2026 à 10:12:33 UTC+1, Acme <${ADDRESS}> a écrit :`,
  es: `El martes, 3 de noviembre de 2026, 10:12:33 CET, Acme <${ADDRESS}> escribió:`,
  ja: `2026年11月3日火曜日 10:12:33 JST、Acme <${ADDRESS}> さんが書きました:`,
};

/** Yahoo in a browser, which marks quotes with blanks only. */
const yahoo: Client = (language, own) => {
  const quote = unmarked(language, QUOTED_TEXT.apple)
    .split('\n')
    .map((line) => ` ${line}`)
    .join('\n');
  return alternative(
    language,
    filled([` ${own.above}`, '', `    ${YAHOO_INTRODUCTIONS[language]}  `, ' ', ` ${quote}  `]),
    '<html>…',
    encoded,
  );
};

const GMX_FIELDS: Record<Language, [sent: string, from: string, to: string, subject: string, date: string]> = {
  en: ['Sent:', 'From:', 'To:', 'Subject:', 'Tuesday, November 03, 2026 at 10:12 AM'],
  de: ['Gesendet:', 'Von:', 'An:', 'Betreff:', 'Dienstag, 3. November 2026 um 10:12'],
  fr: ['Envoyé:', 'De:', 'À:', 'Objet:', 'mardi 3 novembre 2026 à 10:12'],
  es: ['Enviado:', 'De:', 'Para:', 'Asunto:', 'martes, 3 de noviembre de 2026 a las 10:12'],
  ja: ['Sent:', 'From:', 'To:', 'Subject:', 'Tuesday, November 03, 2026 at 10:12 AM'],
};

/** GMX and web.de in a browser, which send HTML. */
const gmx: Client = (language, own) => {
  const [sent, from, to, subject, date] = GMX_FIELDS[language];
  const fields = [
    `<b>${sent}</b> ${date}`,
    `<b>${from}</b> "Acme" &lt;${ADDRESS}&gt;`,
    `<b>${to}</b> ada@example.com`,
    `<b>${subject}</b> ${letterIn(language).subject}`,
  ];
  const html = `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>${toHtml(own.above)}</div>\n<div>&nbsp;\n<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">\n<div style="margin:0 0 10px 0;">${fields.join('<br/>\n')}</div>\n<div name="quoted-content">${bodyOf(language)}</div></div></div></div></body></html>`;
  return part(
    [...headersOf(language), 'Content-Type: text/html; charset=UTF-8', 'Content-Transfer-Encoding: base64'],
    base64(html),
  );
};

/** What each mail program writes. */
export const CLIENTS = {
  gmail,
  gmailApp,
  gmailHtml,
  appleMail,
  iphone,
  outlook,
  outlookWeb,
  outlookMobile,
  outlookHtml,
  thunderbird,
  yahoo,
  gmx,
};
