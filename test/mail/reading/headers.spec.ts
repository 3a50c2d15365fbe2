import { describe, expect, it } from '@jest/globals';
import { mailWith, openReader } from './support/read.js';

const read = openReader();
const ID = 'mail.abcdefghijklmnopqrstuvwxyz@acme.example';

describe('the headers of an arrived mail', () => {
  it('a mail has its addresses in order, with names decoded', async () => {
    const mail = await read(
      mailWith([
        'Return-Path: <ada@example.com>',
        'Delivered-To: support@acme.example',
        'X-Original-To: Support+Token@acme.example',
        'Authentication-Results: mx.acme.example;',
        '\tdkim=pass header.d=example.com;',
        '\tdmarc=pass header.from=example.com',
        'Authentication-Results: forged.example; dmarc=pass header.from=example.com',
        'From: =?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <Joerg@Example.COM>',
        'To: "Acme, Support" <support+one@acme.example>, undisclosed: two@acme.example;',
        'Cc: three@acme.example (in a comment: four@acme.example)',
        'Message-ID: <reply-1@example.com>',
        `References: <a@b.example>`,
        ` <${ID}>`,
        `In-Reply-To: <${ID}> <other@c.example>`,
      ]),
    );
    expect(mail).toMatchObject({
      from: 'Joerg@example.com',
      recipients: [
        'support@acme.example',
        'Support+Token@acme.example',
        'support+one@acme.example',
        'two@acme.example',
        'three@acme.example',
      ],
      messageId: '<reply-1@example.com>',
      references: ['<a@b.example>', `<${ID}>`, '<other@c.example>'],
      authentication: 'mx.acme.example;\tdkim=pass header.d=example.com;\tdmarc=pass header.from=example.com',
      isAutomatic: false,
      isOfList: false,
      text: 'Hello',
      files: [],
      report: null,
    });
  });

  it.each<[string, string[], string | null]>([
    ['one address', ['From: ada@example.com'], 'ada@example.com'],
    ['an address beside a name with another', ['From: "victim@example.org" <ada@example.com>'], 'ada@example.com'],
    ['an address beside a word with another', ['From: victim@example.org <ada@example.com>'], null],
    ['an address beside the same one', ['From: ada@example.com <ada@example.com>'], 'ada@example.com'],
    ['a comment', ['From: ada@example.com (victim@example.org)'], null],
    ['nested comments', ['From: (a (b) <victim@example.org>) ada@example.com'], null],
    ['a quote without an end', ['From: "Ada <ada@example.com>'], null],
    ['a domain in another script', ['From: <ada@bücher.example>'], 'ada@xn--bcher-kva.example'],
    ['a domain in its ASCII form', ['From: <ada@XN--BCHER-KVA.example>'], 'ada@xn--bcher-kva.example'],
    ['two fields', ['From: ada@example.com', 'From: victim@example.org'], null],
    ['two equal fields', ['From: ada@example.com', 'From: ada@example.com'], null],
    ['two addresses', ['From: ada@example.com, victim@example.org'], null],
    ['two addresses in brackets', ['From: <ada@example.com> <victim@example.org>'], null],
    ['two addresses without a comma', ['From: ada@example.com victim@example.org'], null],
    ['a group', ['From: Friends: ada@example.com;'], null],
    ['a nested comment that ends early', ['From: ada@example.com (a (b) , victim@example.org)'], null],
    ['an address without end', ['From: <ada@example.com'], null],
    ['a quoted local part', ['From: "victim@example.org"@example.com'], null],
    ['a blank in the address', ['From: victim @example.com'], null],
    ['fullwidth characters', ['From: ada@ｅxample.com'], null],
    ['a domain without a dot', ['From: ada@localhost'], null],
    ['a literal address', ['From: ada@[192.0.2.1]'], null],
    ['nothing', ['From:'], null],
    ['no field', ['Subject: Hi'], null],
  ])('From with %s', async (_name, headers, from) => {
    expect((await read(mailWith(headers))).from).toBe(from);
  });

  it.each<[string, string[], string | null]>([
    ['none', [], null],
    ['one without brackets', ['Message-ID: a b@example.com'], '<ab@example.com>'],
    ['one with a comment', ['Message-ID: (c) <a@example.com> (d)'], '<a@example.com>'],
    ['an empty one', ['Message-ID: <>'], null],
    ['one of 999 characters', [`Message-ID: <${'a'.repeat(997)}>`], null],
    ['one of 998 characters', [`Message-ID: <${'a'.repeat(996)}>`], `<${'a'.repeat(996)}>`],
  ])('Message-ID: %s', async (_name, headers, id) => {
    expect((await read(mailWith(headers))).messageId).toBe(id);
  });
});

/** The headers of out-of-office notes as mail programs write them. */
const EXCHANGE = [
  'X-MS-Has-Attach:',
  'X-Auto-Response-Suppress: All',
  'X-MS-Exchange-Inbox-Rules-Loop: ada@example.com',
  'x-ms-exchange-parent-message-id: <mail.abcdefghijklmnopqrstuvwxyz@acme.example>',
  'auto-submitted: auto-generated',
  'x-ms-exchange-generated-message-source: Mailbox Rules Agent',
];
const GMAIL = ['Precedence: bulk', 'X-Autoreply: yes', 'Auto-Submitted: auto-replied'];
const SIEVE = ['Auto-Submitted: auto-replied (vacation)', 'X-Sieve: Pigeonhole Sieve 0.5', 'Precedence: bulk'];
const NOTES: [string, string, string[]][] = [
  ['German, Exchange', 'Automatische Antwort: Ihr Chat mit Acme', EXCHANGE],
  ['German, Sieve', 'Abwesenheit: Ihr Chat mit Acme', SIEVE],
  ['English, Exchange', 'Automatic reply: Your chat with Acme', EXCHANGE],
  ['English, Gmail', 'Out of office Re: Your chat with Acme', GMAIL],
  ['French, Exchange', '=?utf-8?Q?R=C3=A9ponse_automatique_=3A?= Votre discussion avec Acme', EXCHANGE],
  ['French, Gmail', 'Absence du bureau Re: Votre discussion avec Acme', GMAIL],
  ['Spanish, Exchange', '=?iso-8859-1?Q?Respuesta_autom=E1tica:?= Su chat con Acme', EXCHANGE],
  ['Spanish, Gmail', 'Fuera de la oficina Re: Su chat con Acme', GMAIL],
  ['Japanese, Exchange', '=?iso-2022-jp?B?GyRCPCtGMDF+RXobKEI=?=: Acme', EXCHANGE],
  ['Japanese, Gmail', '=?utf-8?B?5LiN5Zyo6YCa55+l?= Re: Acme', GMAIL],
];

describe('mails of programs', () => {
  it.each(NOTES)('a note that someone is out of the office: %s', async (_name, subject, headers) => {
    const mail = await read(mailWith(['From: ada@example.com', `Subject: ${subject}`, ...headers]));
    expect(mail).toMatchObject({ isAutomatic: true, isOfList: false, report: null });
  });

  it.each([
    'Auto-Submitted: auto-replied; owner-email="ada@example.com"',
    'Auto-Submitted: (comment) auto-notified',
    'Precedence: Bulk',
    'Precedence: junk',
    'Precedence: auto_reply',
    'X-Autoreply:',
    'X-Autorespond: yes',
    'Return-Path: <>',
    'Return-Path: (none) <>',
  ])('%s', async (header) => {
    expect((await read(mailWith(['From: ada@example.com', header]))).isAutomatic).toBe(true);
  });

  it.each([
    'Auto-Submitted: no',
    'Auto-Submitted: No (typed by a person)',
    'Precedence: list',
    'Precedence: first-class',
    'Return-Path: <ada@example.com>',
    'Subject: Automatic reply: I wrote this myself',
    'X-Auto-Response-Suppress: All',
    'X-MS-Exchange-Inbox-Rules-Loop: ada@example.com',
  ])("a person's mail with %s", async (header) => {
    expect((await read(mailWith(['From: ada@example.com', header]))).isAutomatic).toBe(false);
  });

  it.each<[string[], boolean]>([
    [['List-Id: Friends <friends.example.com>'], true],
    [['Precedence: list'], true],
    [['List-Id: <a.example>', 'Auto-Submitted: no'], true],
    [['List-Id: <a.example>', 'Auto-Submitted: auto-generated'], false],
    [['List-Unsubscribe: <mailto:a@example.com>'], false],
  ])('a mailing list: %j', async (headers, isOfList) => {
    expect((await read(mailWith(headers))).isOfList).toBe(isOfList);
  });
});
