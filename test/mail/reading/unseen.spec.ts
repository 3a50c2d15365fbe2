import { describe, expect, it } from '@jest/globals';
import { wordsOf } from '../../../src/mail/letters/languages.js';
import { htmlOf, textOf } from '../../../src/mail/letters/layout.js';
import { fill, type Letter } from '../../../src/mail/letters/letter.js';
import { ownText } from '../../../src/mail/reading/reply-text.js';
import type { Language } from '../../../src/platform/locale/languages.js';
import { base64, multipart, openReader, part } from './support/read.js';
import { ADDRESS, letterIn } from './support/sent-mails.js';

const read = openReader();

/** A mail of ours with a message of Anna's and one of the visitor's before it. */
function ours(language: Language, agent: string, visitor: string): Letter {
  const words = wordsOf(language);
  return {
    ...letterIn('en'),
    language,
    subject: fill(words.chatSubject, { name: 'Acme' }),
    blocks: [
      { type: 'text', text: fill(words.missedText, { name: 'Acme' }) },
      { type: 'message', sender: 'Anna Berg', text: agent, isEarlier: false },
      { type: 'text', text: words.earlier },
      { type: 'message', sender: words.you, text: visitor, isEarlier: true },
    ],
    button: { label: words.openChat, url: letterIn('en').button!.url },
    footer: [words.linkEnd],
    unsubscribe: { label: words.unsubscribe, url: letterIn('en').unsubscribe!.url },
  };
}

/** The HTML between the tags of the body. */
const bodyOf = (letter: Letter) => /<body[^>]*>([^]*)<\/body>/.exec(htmlOf(letter))![1]!;

/** What a mail program makes of our HTML when it answers in plain text. */
function seen({ blocks, button, footer, unsubscribe }: Letter, linkOf = (url: string) => `<${url}>`): string {
  return [
    ...blocks.map((block) => (block.type === 'text' ? block.text : `${block.sender}\n${block.text}`)),
    `${button!.label}${linkOf(button!.url)}`,
    `${footer.join('\n')}\n${unsubscribe!.label}${linkOf(unsubscribe!.url)}`,
  ].join('\n\n');
}

const quote = (text: string, prefix = '> ') =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? prefix.trimEnd() : prefix + line))
    .join('\n');

function wrap(text: string, width = 72): string {
  const wrapLine = (line: string) =>
    line.split(' ').reduce((lines: string[], word) => {
      const last = lines.at(-1);
      if (last === undefined || last.length + 1 + word.length > width) return [...lines, word];
      return [...lines.slice(0, -1), `${last} ${word}`];
    }, []);
  return text.split('\n').flatMap(wrapLine).join('\n');
}

const HEADERS = ['From: Ada <ada@visitor.example>', `To: Acme <${ADDRESS}>`, 'Subject: Re: Your chat with Acme'];
const plain = (text: string) => part([...HEADERS, 'Content-Type: text/plain; charset=utf-8'], text);
const html = (content: string) =>
  part([...HEADERS, 'Content-Type: text/html; charset=utf-8'], `<html><body>${content}</body></html>`);
const both = (text: string, content: string) =>
  multipart(
    'alternative',
    [
      part(['Content-Type: text/plain; charset=utf-8'], text),
      part(['Content-Type: text/html; charset=utf-8'], content),
    ],
    HEADERS,
  );

/** Text in a charset that Node.js can only decode. */
function encode(charset: string, text: string): Buffer {
  const decoder = new TextDecoder(charset);
  // Node.js 20 decodes this one as Latin-1.
  const codes = new Map<string, number[]>(charset === 'windows-1252' ? [['’', [0x92]]] : []);
  for (let first = 255; first >= 0; first--) {
    if (charset === 'gb18030' && first > 0x80)
      for (let second = 0x40; second < 0xff; second++)
        codes.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);
    else codes.set(decoder.decode(Uint8Array.of(first)), [first]);
  }
  return Buffer.from([...text].flatMap((character) => codes.get(character)!));
}
const inCharset = (charset: string, type: string, text: string) =>
  part(
    [...HEADERS, `Content-Type: text/${type}; charset=${charset}`, 'Content-Transfer-Encoding: base64'],
    base64(encode(charset, text.replaceAll('\n', '\r\n'))),
  );

/** Quoted-printable with soft breaks. */
function quotedPrintable(type: string, text: string): string {
  const lines = text.split('\n').map((line) => {
    const units = [...Buffer.from(line)].map((byte) =>
      byte > 126 || byte === 61 ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCodePoint(byte),
    );
    const rows = [''];
    for (const unit of units) {
      if (rows.at(-1)!.length + unit.length > 75) rows.push('');
      rows[rows.length - 1] += unit;
    }
    return rows.join('=\n').replace(/ $/, '=20');
  });
  return part(
    [...HEADERS, `Content-Type: text/${type}; charset=utf-8`, 'Content-Transfer-Encoding: quoted-printable'],
    lines.join('\n'),
  );
}

/** The lines that Outlook and its kin write above a quote. */
const block = (...lines: readonly string[]) => lines.join('\n');
const lineBreaks = (text: string) => text.replaceAll('<', '&lt;').replaceAll('\n', '<br>');

const EN = letterIn('en');
const DE = letterIn('de');
const FR = letterIn('fr');
const ES = letterIn('es');
const JA = letterIn('ja');
const ZH = ours('zh', '您好，枕套有蓝色和绿色两种，您想要哪一种？', '请问我的枕套什么时候到？');
const PL = ours('pl', 'Dzień dobry, paczka wyjechała w poniedziałek. Jaki kolor poduszki?', 'Gdzie jest moja paczka?');
const NL = ours('nl', 'Goedemorgen, uw pakket is maandag verstuurd. Welke kleur wilt u?', 'Waar is mijn pakket?');
const IT = ours('it', 'Buongiorno, il pacco è partito lunedì. Quale colore preferisce?', 'Dov’è il mio pacco?');
const PT = ours('pt', 'Bom dia, a encomenda saiu na segunda-feira. Qual é a cor?', 'Onde está a minha encomenda?');
const TR = ours('tr', 'Merhaba, paketiniz pazartesi yola çıktı. Hangi rengi istersiniz?', 'Paketim nerede?');
const AR = ours('ar', 'مرحبًا، غادر الطرد المستودع يوم الاثنين. ما اللون الذي تريده؟', 'أين طلبي؟');
const KO = ours('en', '안녕하세요, 월요일에 출고되었습니다. 어떤 색을 원하시나요?', '제 소포는 어디에 있나요?');
const RU = ours('en', 'Здравствуйте, посылка ушла в понедельник. Какой цвет вы хотите?', 'Где моя посылка?');
const YES = ours('en', 'Shall I send a second one? Answer with one of these:\nYes, please\nNo, thanks', 'It broke.');
const SECOND = ours('en', 'Blue is sold out, sorry. Would gray do as well?', 'Blue, please.');

const GMAIL = `On Fri, Nov 27, 2026 at 10:12 AM Acme <${ADDRESS}>\nwrote:`;
const OUTLOOK = block(
  `From: Acme <${ADDRESS}>`,
  'Sent: Friday, November 27, 2026 10:12 AM',
  'To: Ada Byron <ada@visitor.example>',
  'Subject: Your chat with Acme',
);
const LONG = `Hello Anna,

thank you for looking into it so quickly. I've thought about the colors for a while, and I have a few things to say.

First, the second cushion should be dark green, because the sofa is light gray. If you no longer have dark green, then I'd rather wait than take another color:

1. dark green
2. nothing else

Second, the delivery address has changed. We moved to 12 Mill Lane last week, and the parcel is probably on its way to the old flat. Can you still change it? The page only shows an error.

Kind regards
Ada`;

type Row = [name: string, mail: string, sent: readonly Letter[], own: string];
const rows: Row[] = [
  [
    'Outlook 365 in Chinese, gb18030',
    inCharset(
      'gb18030',
      'plain',
      `请给我蓝色的，谢谢！\n\n发件人: Acme <${ADDRESS}>\n发送时间: 2026年11月27日 10:12\n收件人: 李雷 <ada@visitor.example>\n主题: 您与 Acme 的对话\n\n${seen(ZH)}`,
    ),
    [ZH],
    '请给我蓝色的，谢谢！',
  ],
  [
    'Outlook 365 in Swedish, with a signature',
    plain(
      `Hej Anna!\n\nBlå, tack.\n\n-- \nErik Lund\nTel: 070-123 45 67\n\nFrån: Acme <${ADDRESS}>\nSkickat: den 27 november 2026 10:12\nTill: Erik Lund <ada@visitor.example>\nÄmne: Your chat with Acme\n\n${seen(EN)}`,
    ),
    [EN],
    'Hej Anna!\n\nBlå, tack.',
  ],
  [
    'Outlook on the web in Polish, HTML only',
    html(
      `<div class="elementToProof">Poproszę zieloną.</div><div class="elementToProof"><br></div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>Od:</b> Acme &lt;${ADDRESS}&gt;<br><b>Wysłane:</b> piątek, 27 listopada 2026 10:12<br><b>Do:</b> Ada &lt;ada@visitor.example&gt;<br><b>Temat:</b> Twój czat z Acme<div>&nbsp;</div></div>${bodyOf(PL)}`,
    ),
    [PL],
    'Poproszę zieloną.',
  ],
  [
    'Outlook 2016 in Dutch',
    plain(
      `Graag de groene.\n\nMet vriendelijke groet,\nAda\n\nVan: Acme [mailto:${ADDRESS}] \nVerzonden: vrijdag 27 november 2026 10:12\nAan: Ada <ada@visitor.example>\nOnderwerp: Uw chat met Acme\n\n${seen(NL, (url) => ` <${url}> `)}`,
    ),
    [NL],
    'Graag de groene.\n\nMet vriendelijke groet,\nAda',
  ],
  [
    'Outlook 2016 in Italian, HTML in windows-1252',
    inCharset(
      'windows-1252',
      'html',
      `<html><body lang=IT><div class=WordSection1><p class=MsoNormal>Blu, perché sta meglio con il divano.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>Da:</b> Acme &lt;${ADDRESS}&gt; <br><b>Inviato:</b> venerdì 27 novembre 2026 10:12<br><b>A:</b> Ada &lt;ada@visitor.example&gt;<br><b>Oggetto:</b> La tua chat con Acme<o:p></o:p></p></div>${bodyOf(IT)}</div></body></html>`,
    ),
    [IT],
    'Blu, perché sta meglio con il divano.',
  ],
  [
    'Outlook in Portuguese, with a line above the block',
    plain(
      `Azul, por favor.\n\nObrigada\n________________________________\nDe: Acme <${ADDRESS}>\nEnviado: 27 de novembro de 2026 10:12\nPara: Ada <ada@visitor.example>\nAssunto: O seu chat com Acme\n\n${seen(PT)}`,
    ),
    [PT],
    'Azul, por favor.\n\nObrigada',
  ],
  [
    'Outlook in Turkish, HTML in quoted-printable',
    quotedPrintable(
      'html',
      `<html><body><div>Mavi olsun lütfen.</div><div><br></div><hr><div id="divRplyFwdMsg"><b>Kimden:</b> Acme &lt;${ADDRESS}&gt;<br><b>Gönderildi:</b> 27 Kasım 2026 Cuma 10:12<br><b>Kime:</b> Ada &lt;ada@visitor.example&gt;<br><b>Konu:</b> Acme ile sohbetiniz</div><br>${bodyOf(TR)}</body></html>`,
    ),
    [TR],
    'Mavi olsun lütfen.',
  ],
  [
    'Outlook in Arabic, from right to left',
    html(
      `<div dir="rtl">أريد اللون الأزرق من فضلك.</div><div dir="rtl"><br></div><hr><div id="divRplyFwdMsg" dir="rtl"><b>\u200fمن:</b> Acme &lt;${ADDRESS}&gt;<br><b>\u200fتم الإرسال:</b> الجمعة، 27 نوفمبر 2026 10:12<br><b>\u200fإلى:</b> Ada &lt;ada@visitor.example&gt;<br><b>\u200fالموضوع:</b> محادثتك مع Acme</div><div>${bodyOf(AR)}</div>`,
    ),
    [AR],
    'أريد اللون الأزرق من فضلك.',
  ],
  [
    'Outlook in Korean',
    plain(
      `파란색으로 부탁드립니다.\n\n보낸 사람: Acme <${ADDRESS}>\n보낸 날짜: 2026년 11월 27일 금요일 오전 10:12\n받는 사람: Ada <ada@visitor.example>\n제목: Your chat with Acme\n\n${seen(KO)}`,
    ),
    [KO],
    '파란색으로 부탁드립니다.',
  ],
  [
    'Outlook in Russian, koi8-r',
    inCharset(
      'koi8-r',
      'plain',
      `Синий, пожалуйста.\n\nОт: Acme <${ADDRESS}>\nОтправлено: 27 ноября 2026 г. 10:12\nКому: Ада <ada@visitor.example>\nТема: Your chat with Acme\n\n${seen(RU)}`,
    ),
    [RU],
    'Синий, пожалуйста.',
  ],
  [
    'Gmail in Turkish',
    both(
      `Yeşil.\n\nAcme <${ADDRESS}>, 27 Kas 2026 Cum, 10:12\ntarihinde şunu yazdı:\n\n${quote(wrap(seen(TR)))}\n`,
      '<div dir="ltr">Yeşil.</div>',
    ),
    [TR],
    'Yeşil.',
  ],
  [
    'Gmail in Japanese, HTML only',
    html(
      `<div dir="ltr">青でお願いします。<div><br></div><div>よろしくお願いいたします。</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">2026年11月27日(金) 10:12 Acme &lt;<a href="mailto:${ADDRESS}">${ADDRESS}</a>&gt;:<br></div><blockquote class="gmail_quote">${bodyOf(JA)}</blockquote></div>`,
    ),
    [JA],
    '青でお願いします。\n\nよろしくお願いいたします。',
  ],
  [
    'Apple Mail in French, HTML only, signature of the phone',
    html(
      `<div dir="ltr">Bleu, merci !</div><div dir="ltr"><br>Envoyé de mon iPhone</div><div dir="ltr"><br><blockquote type="cite">Le 27 nov. 2026 à 10:12, Acme &lt;${ADDRESS}&gt; a écrit :<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff${bodyOf(FR)}</div></blockquote>`,
    ),
    [FR],
    'Bleu, merci !',
  ],
  [
    'Windows Mail, no prefix',
    plain(`Any color but pink.\n\nSent from Mail for Windows\n\n${OUTLOOK}\n\n${seen(EN)}`),
    [EN],
    'Any color but pink.',
  ],
  [
    'Roundcube, posted below the quote',
    plain(
      `On 2026-11-27 10:12, Acme wrote:\n${quote(wrap(textOf(EN)))}\n\nBlue would be lovely.\nAnd Friday is fine.\n`,
    ),
    [EN],
    'Blue would be lovely.\nAnd Friday is fine.',
  ],
  [
    'SOGo, HTML only',
    html(
      `<p>Green, and please ring twice.</p><br>On Friday, November 27, 2026 10:12 CET, "Acme" &lt;${ADDRESS}&gt; wrote:<br>&nbsp;<blockquote type="cite" cite="${ADDRESS}">${bodyOf(EN)}</blockquote><br><br>&nbsp;`,
    ),
    [EN],
    'Green, and please ring twice.',
  ],
  [
    'Zimbra in German, with | as the prefix',
    plain(
      `Das blaue bitte.\n\n----- Ursprüngliche Mail -----\n| Von: "Acme" <${ADDRESS}>\n| An: "Ada" <ada@visitor.example>\n| Gesendet: Freitag, 27. November 2026 10:12:00\n| Betreff: Ihr Chat mit Acme\n\n${quote(wrap(textOf(DE)), '| ')}`,
    ),
    [DE],
    'Das blaue bitte.',
  ],
  [
    'Zoho, no prefix',
    plain(
      `Blue.\n\nThanks,\nAda\n\n\n\n---- On Fri, 27 Nov 2026 10:12:00 +0100 Acme <${ADDRESS}> wrote ---- \n\n${seen(EN, (url) => ` [${url}]`)}`,
    ),
    [EN],
    'Blue.\n\nThanks,\nAda',
  ],
  [
    'Proton',
    plain(
      `Dark blue if you have it.\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\nOn Friday, November 27th, 2026 at 10:12 AM, Acme <${ADDRESS}> wrote:\n\n${quote(seen(EN, (url) => ` (${url})`))}\n`,
    ),
    [EN],
    'Dark blue if you have it.',
  ],
  [
    'Fastmail, interleaved',
    plain(
      `Hello Anna,\n\nOn Fri, Nov 27, 2026, at 10:12 AM, Acme wrote:\n> I've checked your order, and the parcel left our warehouse on\n> Monday, so it should arrive by Friday at the latest.\n\nGreat!\n\n> Which color would you like for the second cushion?\n\nBlue.\n\nBye\nAda\n`,
    ),
    [EN],
    'Hello Anna,\n\nGreat!\n\nBlue.\n\nBye\nAda',
  ],
  [
    'mutt, trimmed to one line, with a signature',
    plain(
      `On Fri, Nov 27, 2026 at 10:12:00AM +0100, Acme wrote:\n> - Change the delivery address until Wednesday, 6 pm\n\nHow? The page says "404".\n\n-- \nAda Byron, +44 20 7946 0000\nhttps://ada.example | PGP 0x1234ABCD\n`,
    ),
    [EN],
    'How? The page says "404".',
  ],
  [
    'K-9 in German',
    plain(
      `Blau bitte.\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n\nAm 27. November 2026 10:12:33 MEZ schrieb Acme <${ADDRESS}>:\n${quote(textOf(DE), '>')}`,
    ),
    [DE],
    'Blau bitte.',
  ],
  [
    'Samsung Email in Spanish',
    plain(
      `Azul por favor\n\n\nEnviado desde mi Galaxy\n\n\n-------- Mensaje original --------\nDe: Acme <${ADDRESS}> \nFecha: 27/11/26 10:12 (GMT+01:00) \nA: ada@visitor.example \nAsunto: Su chat con Acme \n\n${seen(ES, (url) => ` ${url}`)}`,
    ),
    [ES],
    'Azul por favor',
  ],
  [
    'BlackBerry',
    plain(
      `Can't open the link, just take blue\n\nSent from my BlackBerry 10 smartphone on the Vodafone network.\nFrom: Acme\nSent: Friday, 27 November 2026 10:12\nTo: ada@visitor.example\nReply To: ${ADDRESS}\nSubject: Your chat with Acme\n\n${textOf(EN)}`,
    ),
    [EN],
    "Can't open the link, just take blue",
  ],
  [
    'Lotus Notes in German, tabs in the block',
    plain(
      `Guten Tag,\n\nFreitag passt, die Farbe ist egal.\n\nMfG\nAda\n\n\n\nVon:\t"Acme" <${ADDRESS}>\nAn:\tada@visitor.example\nDatum:\t27.11.2026 10:12\nBetreff:\tIhr Chat mit Acme\n\n\n\n${seen(DE, () => '')}`,
    ),
    [DE],
    'Guten Tag,\n\nFreitag passt, die Farbe ist egal.\n\nMfG\nAda',
  ],
  [
    'two mails of ours one in another, >> and re-wrapped',
    plain(
      `Gray is fine.\n\n${GMAIL}\n${quote(wrap(textOf(SECOND), 68))}\n>\n> On Thu, Nov 26, 2026 at 9:00 AM Ada <ada@visitor.example> wrote:\n>> Blue, please.\n>>\n>> On Thu, Nov 26, 2026 at 8:00 AM Acme <${ADDRESS}> wrote:\n${quote(wrap(textOf(EN), 66), '>>> ')}\n`,
    ),
    [SECOND, EN],
    'Gray is fine.',
  ],
  [
    'a sentence of ours without a word of introduction',
    plain('> Which color would you like for the second cushion?\nBlue, like the first.\n'),
    [EN],
    'Blue, like the first.',
  ],
  [
    'forwarded to the husband, and answered',
    plain(
      `My husband says green.\n\nOn Fri, Nov 27, 2026 at 11:40 AM Bob Byron <bob@visitor.example> wrote:\n> Green is nicer!\n>\n> On Fri, Nov 27, 2026 at 11:02 AM Ada <ada@visitor.example> wrote:\n>> What do you think?\n>>\n>> ---------- Forwarded message ---------\n>> From: Acme <${ADDRESS}>\n>> Date: Fri, Nov 27, 2026 at 10:12 AM\n>> Subject: Your chat with Acme\n>> To: Ada <ada@visitor.example>\n>>\n${quote(wrap(seen(EN)), '>> ')}\n`,
    ),
    [EN],
    'My husband says green.',
  ],
  [
    'a banner of the company in the quote, and its disclaimer after it',
    plain(
      `Blue please.\n\n${OUTLOOK}\n\nCAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.\n\n${seen(EN)}\n\nThis e-mail and any attachments are confidential and intended solely for the addressee. If you have received it in error, please delete it and notify the sender.\n`,
    ),
    [EN],
    'Blue please.',
  ],
  [
    'only "ok", in quoted-printable with soft breaks',
    quotedPrintable('plain', `ok\n\n${GMAIL}\n\n${quote(wrap(seen(EN)))}\n`),
    [EN],
    'ok',
  ],
  [
    'only an emoji, Apple Mail',
    both(
      `👍\n\n> On 27 Nov 2026, at 10:12, Acme <${ADDRESS}> wrote:\n> \n> \ufeff\n${quote(seen(EN, () => ''))}\n`,
      '<div>👍</div>',
    ),
    [EN],
    '👍',
  ],
  [
    'our sentence within a sentence of the visitor',
    plain(
      `You wrote that the parcel left our warehouse on Monday, so it should arrive by Friday at the latest. Today is Saturday!\n\n${GMAIL}\n\n${quote(seen(EN))}\n`,
    ),
    [EN],
    'You wrote that the parcel left our warehouse on Monday, so it should arrive by Friday at the latest. Today is Saturday!',
  ],
  [
    'the words of a line of ours as the answer, no prefix',
    plain(`Yes, please\n\n${OUTLOOK}\n\n${seen(YES)}`),
    [YES],
    'Yes, please',
  ],
  [
    'a list of commands that begin with >',
    plain(
      `I typed this:\n\n> npm install\n> npm run track\n\nand nothing happened.\n\n${GMAIL}\n\n${quote(wrap(textOf(EN)))}\n`,
    ),
    [EN],
    'I typed this:\n\n> npm install\n> npm run track\n\nand nothing happened.',
  ],
  [
    'a long reply with paragraphs, Outlook',
    plain(`${LONG}\n\n-- \nAda Byron | Analyst | M +44 7700 900123\n\n${OUTLOOK}\n\n${seen(EN)}`),
    [EN],
    LONG,
  ],
  [
    'nothing of ours is left, Gmail',
    plain(`Is the green one back?\n\n${GMAIL}\n\n${quote(wrap(seen(EN)))}\n`),
    [],
    'Is the green one back?',
  ],
  [
    'nothing of ours is left, Outlook in German',
    plain(
      `Gibt es das grüne wieder?\n\nVon: Acme <${ADDRESS}>\nGesendet: Freitag, 27. November 2026 10:12\nAn: Ada <ada@visitor.example>\nBetreff: Ihr Chat mit Acme\n\n${seen(DE)}`,
    ),
    [],
    'Gibt es das grüne wieder?',
  ],
  [
    'two mails of ours one in another, Outlook without a prefix',
    plain(
      `Gray it is.\n\nAda\n\n${OUTLOOK}\n\n${seen(SECOND)}\n\n${block('From: Ada Byron <ada@visitor.example>', 'Sent: Thursday, November 26, 2026 9:00 AM', `To: Acme <${ADDRESS}>`, 'Subject: RE: Your chat with Acme')}\n\nBlue, please.\n\n${OUTLOOK}\n\n${seen(EN)}`,
    ),
    [SECOND, EN],
    'Gray it is.\n\nAda',
  ],
  [
    'Gmail in Swedish from an iPhone, HTML only',
    html(
      `<div dir="auto">Blå tack 🙂</div><div dir="auto"><br></div><div dir="auto">Skickat från min iPhone</div><br><div class="gmail_quote"><div dir="ltr">Den fre 27 nov. 2026 kl 10:12 skrev Acme &lt;${ADDRESS}&gt;:<br></div><blockquote>${bodyOf(EN)}</blockquote></div>`,
    ),
    [EN],
    'Blå tack 🙂',
  ],
  [
    'Yahoo in Italian on Android, HTML',
    html(
      `Va bene il blu.<br><br><div id="ymail_android_signature"><a href="https://mail.onelink.me/1">Inviato da Yahoo Mail su Android</a></div><br><blockquote style="margin:0 0 20px 0"><div>Il ven, nov 27, 2026 alle 10:12, Acme</div><div>&lt;${ADDRESS}&gt; ha scritto:</div><div>${lineBreaks(seen(IT))}</div></blockquote>`,
    ),
    [IT],
    'Va bene il blu.',
  ],
];

describe('replies of 40 mail programs and people', () => {
  it.each(rows)('%s', async (_name, mail, sent, own) => {
    const { text } = await read(mail);
    expect(ownText(text, sent.map(textOf))).toBe(own);
  });
});

const ZOHO = `---- On Fri, 27 Nov 2026 10:12:00 +0100 Acme <${ADDRESS}> wrote ----`;
const QUOTE = `${GMAIL}\n\n${quote(wrap(textOf(EN)))}`;

describe('lines that programs and companies add', () => {
  it.each([
    'Skickat från min iPhone',
    'Sendt fra min iPad',
    'Lähetetty iPhonesta',
    'Odesláno z iPhonu',
    'Отправлено с iPhone',
    '나의 iPhone에서 보냄',
    '從我的 iPhone 傳送',
    'iPhoneから送信',
    '使用手机发送',
    '获取 Outlook for Android',
    'Hämta Outlook för Android<https://aka.ms/AAb9ysg>',
    'Get Outlook for iOS https://aka.ms/o0ukef',
    '获取适用于 iOS 的 Outlook',
    'iPhone’umdan gönderildi',
    'Windows için Posta ile gönderildi',
    'Скачать Outlook для Android',
    'Diese E-Mail ist vertraulich und nur für den Empfänger bestimmt. Wenn Sie sie irrtümlich erhalten haben, löschen Sie sie.',
    'CONFIDENTIALITY NOTICE: The information in this message is confidential and intended only for the recipient named above.',
  ])('%s', (line) => {
    expect(ownText(`Ok\n\n${line}\n\n${QUOTE}\n\n${line}\n`, [textOf(EN)])).toBe('Ok');
  });

  it.each([
    '使用手机的时候打不开链接',
    '从我的手机发送不了',
    'Samsung telefonum dün gönderildi',
    '使用 Outlook 打不开链接',
    'Download it to Outlook with a click? No, on my Android that fails.',
    'iPhoneから送信できません',
    'Mit dem Handy habe ich es gestern gesendet',
    'Télécharger la facture sur mon smartphone ne marche pas',
    'Please treat my message as confidential, and send the parcel to the recipient that I named in my first mail.',
    'Is it true that this e-mail is confidential and intended for the recipient only? I want to show it to a lawyer.',
    'Our prices of 27.11.2026:\n| blue | 12 |\n| green | 14 |',
  ])('%s: the visitor wrote it', (line) => {
    for (const sent of [[], [textOf(EN)]]) expect(ownText(`${line}\n\n${QUOTE}\n`, sent)).toBe(line);
  });

  it('an introduction of Zoho ends the text when nothing of ours is left', () => {
    expect(ownText(`Blue.\n\n${ZOHO}\n\n${seen(EN)}`, [])).toBe('Blue.');
  });
});
