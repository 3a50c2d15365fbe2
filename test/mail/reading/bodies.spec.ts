import { describe, expect, it } from '@jest/globals';
import { base64, multipart, openReader, part } from './support/read.js';

const read = openReader();
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const picture = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes, 1)]);

function textIn(charset: string | null, bytes: Buffer): Buffer {
  const type = charset === null ? 'text/plain' : `text/plain; charset=${charset}`;
  return Buffer.concat([Buffer.from(`From: a@b.example\r\nContent-Type: ${type}\r\n\r\n`), bytes]);
}

describe('charsets', () => {
  it.each<[string | null, string, string]>([
    ['windows-1252', '80 96 93 68 69 94', '€ – “hi”'],
    ['iso-8859-1', '80e4', '€ä'],
    ['us-ascii', '67 72 fc 6e', 'grün'],
    ['windows-1250', '9c e6', 'ść'],
    ['windows-1251', 'cf f0 e8', 'При'],
    ['koi8-r', 'f0d2c9', 'При'],
    ['iso-8859-15', 'a4', '€'],
    ['ISO-2022-JP', '1b2442 467c 4b5c 1b2842', '日本'],
    ['shift_jis', '93fa967b', '日本'],
    ['cp932', '93fa967b', '日本'],
    ['gb2312', 'd6d0', '中'],
    ['gb18030', '8139ef31', '㐂'],
    ['big5', 'a4a4', '中'],
    ['euc-kr', 'c7d1', '한'],
    ['utf-8', 'f09f988a', '😊'],
    ['utf-8', '67 72 fc 6e', 'grün'],
    ['utf-8', `${'c3a4'.repeat(20)} ff`, `${'ä'.repeat(20)}\ufffd`],
    ['windows-1252', 'c3a4', 'ä'],
    ['x-unknown', 'c3a4', 'ä'],
    ['x-unknown', 'e4', 'ä'],
    ['', 'e4', 'ä'],
    [null, 'c3a4', 'ä'],
  ])('%s: %s', async (charset, hex, text) => {
    expect((await read(textIn(charset, Buffer.from(hex.replaceAll(' ', ''), 'hex')))).text.replaceAll(' ', '')).toBe(
      text.replaceAll(' ', ''),
    );
  });

  it('control characters, which the database refuses, are left out', async () => {
    const mail = await read(textIn('utf-8', Buffer.from('a\0b\u0007c\u0085d\te\r\nf\ufeff')));
    expect(mail.text).toBe('abcd\te\nf');
  });

  it('half a character of UTF-16 is replaced', async () => {
    const mail = await read('Content-Type: text/html\n\na&#xd83d;b');
    expect(mail.text).toBe('a\ufffdb');
  });

  it('right-to-left text and emoji stay as they are', async () => {
    const text = 'שלום 👩‍👩‍👧 مرحبا\u200f!';
    expect((await read(textIn('utf-8', Buffer.from(text)))).text).toBe(text);
  });
});

describe('the text of a mail', () => {
  it('a text in quoted-printable is decoded', async () => {
    const headers = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'];
    expect((await read(part(headers, 'gr=C3=BCn und=\n blau =3D =ZZ'))).text).toBe('grün und blau = =ZZ');
  });

  it('flowed lines are joined, each quote for itself', async () => {
    const body = '> quoted \n> on\n>> deeper \nMy own \nwords\n Stuffed\n-- \nAda';
    const headers = ['Content-Type: text/plain; charset=utf-8; format=flowed'];
    expect((await read(part(headers, body))).text).toBe('> quoted on\n>> deeper \nMy own words\nStuffed\n-- \nAda');
  });

  it('flowed lines are joined without blanks that are marked as added', async () => {
    const headers = ['Content-Type: text/plain; charset=utf-8; format="flowed";', '\tdelsp=yes'];
    expect((await read(part(headers, '日本 \n語'))).text).toBe('日本語');
  });

  const html = (content: string) => part(['Content-Type: text/html; charset=utf-8'], content);
  const plain = (content: string) => part(['Content-Type: text/plain; charset=utf-8'], content);

  it('a mail with plain text and HTML has the plain text', async () => {
    expect((await read(multipart('alternative', [plain('plain'), html('<p>rich</p>')]))).text).toBe('plain');
  });

  it('a mail with an empty plain text has the text of the HTML', async () => {
    const body =
      '<style>p{}</style><p>one<br>two&nbsp;&amp;</p><blockquote><p>quoted</p></blockquote><a href="https://a.example">link</a>';
    expect((await read(multipart('alternative', [plain(' \n'), html(body)]))).text).toBe(
      'one\ntwo\u00a0&\n\n> quoted\n\nlink [https://a.example]',
    );
  });

  it('a mail of Apple Mail has the text around its attachments', async () => {
    const attached = part(['Content-Type: application/pdf; name=a.pdf', 'Content-Disposition: inline'], 'PDF');
    const mail = await read(
      multipart('alternative', [
        plain('before\n\nafter'),
        multipart('mixed', [html('before'), attached, html('after')]),
      ]),
    );
    expect(mail.text).toBe('before\n\nafter');
    expect(mail.files.map(({ name }) => name)).toEqual(['a.pdf']);
  });

  it.each(['<a ', '<div>', '<table><tr><td>', '<a href="x">', '<blockquote>a', '<!--', '<', '&amp', '<ul><li>'])(
    'HTML of 60 kB of %s is read',
    async (piece) => {
      const mail = await read(html(`<p>Hello</p>${piece.repeat(60_000 / piece.length)}`));
      expect(mail.text).toMatch(/^Hello/);
    },
  );
});

describe('the files of a mail', () => {
  const file = (headers: string[], content: string | Buffer = 'x') =>
    part([...headers, 'Content-Transfer-Encoding: base64'], base64(content));
  const filesOf = async (parts: string[], type = 'mixed') => (await read(multipart(type, parts))).files;

  it.each<[string, string[], { name: string; type: string }]>([
    [
      'an encoded name',
      ['Content-Type: image/png', 'Content-Disposition: attachment; filename="=?utf-8?B?w6QucG5n?="'],
      { name: 'ä.png', type: 'image/png' },
    ],
    [
      'a name in pieces',
      ['Content-Type: Text/CSV', "Content-Disposition: attachment; filename*0*=utf-8''a%C3%A4; filename*1=b.csv"],
      { name: 'aäb.csv', type: 'text/csv' },
    ],
    ['an invitation', ['Content-Type: text/calendar; method=REQUEST'], { name: 'invite.ics', type: 'text/calendar' }],
    [
      'an envelope of Outlook',
      ['Content-Type: application/ms-tnef'],
      { name: 'winmail.dat', type: 'application/ms-tnef' },
    ],
    ['a mail', ['Content-Type: message/rfc822'], { name: 'mail.eml', type: 'message/rfc822' }],
    ['no name and an unknown type', ['Content-Type: a/b'], { name: 'file', type: 'a/b' }],
    [
      'a folder and a mark that turns the text',
      ['Content-Type: a/b', 'Content-Disposition: attachment; filename="../../x/\u202egnp.exe"'],
      { name: 'gnp.exe', type: 'a/b' },
    ],
    [
      'a long name',
      ['Content-Type: a/b', `Content-Disposition: attachment; filename="${'a'.repeat(300)}.png"`],
      { name: `${'a'.repeat(180)}…${'a'.repeat(15)}.png`, type: 'a/b' },
    ],
  ])('%s', async (_name, headers, expected) => {
    const [first] = await filesOf([file(headers)]);
    expect(first).toMatchObject(expected);
  });

  it('a file has its content', async () => {
    const [first] = await filesOf([file(['Content-Type: image/png'], picture(20_000))]);
    expect(first!.content.equals(picture(20_000))).toBe(true);
  });

  it('inline pictures are files, but the small ones of signatures are not', async () => {
    const inline = (id: string, bytes: number) =>
      file(
        ['Content-Type: image/png', `Content-ID: <${id}>`, `Content-Disposition: inline; filename=${id}.png`],
        picture(bytes),
      );
    const html = part(['Content-Type: text/html'], '<p>See</p><img src="cid:logo"><img src="cid:shot">');
    const files = await filesOf([html, inline('logo', 2_000), inline('shot', 20_000)], 'related');
    expect(files.map(({ name }) => name)).toEqual(['shot.png']);
  });

  it('a small picture that the sender attached is a file', async () => {
    const attached = ['Content-Type: image/png', 'Content-Disposition: attachment; filename=icon.png'];
    expect(await filesOf([part(['Content-Type: text/html'], '<p>See</p>'), file(attached, picture(10))])).toHaveLength(
      1,
    );
  });

  it.each(['application/pgp-signature', 'application/pkcs7-signature', 'text/x-amp-html'])(
    'a part with the type %s is no file',
    async (type) => {
      expect(await filesOf([file([`Content-Type: ${type}; name=x`])])).toEqual([]);
    },
  );
});
