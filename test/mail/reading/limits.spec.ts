import { afterAll, describe, expect, it } from '@jest/globals';
import { MailReader, UnreadableMail } from '../../../src/mail/reading/mail-reader.js';
import { eventually } from '../../support/eventually.js';
import { base64, multipart, openReader, part } from './support/read.js';

const read = openReader();
const reasonOf = (source: string | Buffer) =>
  read(source).then(
    () => 'read',
    (error: unknown) => (error instanceof UnreadableMail ? error.reason : String(error)),
  );

const BOUNDARY = 'Content-Type: multipart/mixed; boundary=b\n\n';
const nested = (levels: number) => {
  let inner = 'text';
  for (let level = levels; level > 1; level--)
    inner = `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n${level === levels ? '\n' : ''}${inner}\n--b${level}--\n`;
  return inner;
};
const forwarded = (levels: number) => `${'Content-Type: message/rfc822\n\n'.repeat(levels - 1)}Subject: x\n\ntext`;

describe('the limits of a mail', () => {
  it.each<[string, string, string]>([
    ['1,000 parts', `${BOUNDARY}${'--b\n\n'.repeat(999)}`, 'read'],
    ['1,001 parts', `${BOUNDARY}${'--b\n\n'.repeat(1_000)}`, 'too_large'],
    ['1,001 parts without an empty line', `${BOUNDARY}${'--b\n'.repeat(1_000)}`, 'too_large'],
    ['1,001 parts of a mail in it', `Content-Type: message/rfc822\n\n${BOUNDARY}${'--b\n\n'.repeat(999)}`, 'too_large'],
    [
      '1,001 parts with a quoted boundary',
      `Content-Type: multipart/mixed;\n charset=x; boundary="a b"\n\n${'--a b \n\n'.repeat(1_000)}`,
      'too_large',
    ],
    ['20 levels', nested(20), 'read'],
    ['21 levels', nested(21), 'too_large'],
    ['20 forwarded mails', forwarded(20), 'read'],
    ['21 forwarded mails', forwarded(21), 'too_large'],
    ['500 kB of headers', `X-A: ${'a'.repeat(500_000)}\n\n`, 'read'],
    ['600 kB of headers', `X-A: ${'a'.repeat(600_000)}\n\n`, 'too_large'],
    ['600 kB of headers in many parts', `${BOUNDARY}${`--b\nX-A: ${'a'.repeat(6_000)}\n\n`.repeat(100)}`, 'too_large'],
    ['500,001 lines', `A: b\n\n${'\n'.repeat(500_000)}`, 'too_large'],
    ['2,000 lines that begin with dashes', `A: b\n\n${'--b\n'.repeat(2_000)}`, 'read'],
  ])('%s', async (_name, source, outcome) => {
    expect(await reasonOf(Buffer.from(source))).toBe(outcome);
  });

  it('25 MiB, but not a byte more', async () => {
    const whole = Buffer.alloc(25 * 1024 * 1024, 'a');
    expect(await reasonOf(whole.subarray(0, 25 * 1024 * 1024))).toBe('too_large');
    expect(await reasonOf(Buffer.concat([Buffer.from('A: b\r\n\r\n'), whole]))).toBe('too_large');
    const attachment = base64(Buffer.alloc(18 * 1024 * 1024, 1)).replaceAll('\n', '\r\n');
    const mail = await read(Buffer.from(`Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}`));
    expect(mail.files[0]!.content).toHaveLength(18 * 1024 * 1024);
  });
});

describe('a mail that costs too much', () => {
  const costly = Buffer.from(`A: b\r\n\r\n${'\n'.repeat(400_000)}`);
  const readers: MailReader[] = [];
  const within = (timeoutMs: number, memoryMb: number) => {
    const reader = MailReader.within({ timeoutMs, memoryMb });
    readers.push(reader);
    return reader;
  };
  afterAll(() => Promise.all(readers.map((reader) => reader.onModuleDestroy())));

  it.each([
    ['time', 500, 256],
    ['memory', 60_000, 24],
  ])('a reader gives up a mail because of its %s, and reads the next one', async (_name, timeoutMs, memoryMb) => {
    const reader = within(timeoutMs, memoryMb);
    await expect(reader.read(costly)).rejects.toMatchObject({ reason: 'too_costly' });
    // A new thread may take longer than the limit to start on a busy machine.
    const mail = await eventually(() => reader.read(Buffer.from('A: b\r\n\r\nHello')).catch(() => null), Boolean);
    expect(mail).toMatchObject({ text: 'Hello' });
  });

  it('a costly mail leaves the event loop to others', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const reading = read(costly);
    await reading;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('broken mails', () => {
  /** A generator of numbers below `most` that repeats itself, so that a failure does too. */
  function numbers(seed: number): (most: number) => number {
    let state = seed;
    return (most) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    };
  }

  const whole = Buffer.from(
    multipart(
      'mixed',
      [
        multipart('alternative', [
          part(['Content-Type: text/plain; charset=utf-8; format=flowed'], 'Hellö \nworld\n> quote'),
          part(['Content-Type: text/html', 'Content-Transfer-Encoding: quoted-printable'], '<p>Hell=C3=B6</p>'),
        ]),
        part(
          ['Content-Type: image/png; name*0=a; name*1=b.png', 'Content-Transfer-Encoding: base64'],
          base64('content'),
        ),
        part(['Content-Type: message/delivery-status'], 'Reporting-MTA: dns; a\n\nAction: failed\nStatus: 5.1.1'),
        part(['Content-Type: message/rfc822'], 'Message-ID: <a@b.example>\n\nHi'),
      ],
      [
        'From: =?utf-8?B?w6Q=?= <a@b.example>',
        'To: x: a@b.example, (c) "d" <e@f.example>;',
        'Message-ID: <a@b.example>',
      ],
    ).replaceAll('\n', '\r\n'),
  );
  const PIECES = [
    '--',
    '\r\n',
    '\r\n\r\n',
    '\0',
    '"',
    '=?',
    '?=',
    '<',
    '>',
    '(',
    ';',
    'boundary=',
    '=_mixed4',
    '\ufeff',
    '=',
    ':',
    ',',
  ];

  function mutated(seed: number): Buffer {
    const below = numbers(seed);
    let bytes = Buffer.from(whole);
    for (let count = below(8) + 1; count > 0; count--) {
      const at = below(bytes.length);
      const length = below(30);
      const kind = below(4);
      if (kind === 0) bytes[at] = below(256);
      else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
      else if (kind === 2)
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(PIECES[below(PIECES.length)]!), bytes.subarray(at)]);
      else bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    }
    return bytes;
  }

  it('a broken mail is read, or refused with a reason', async () => {
    const unstorable = /(?![\t\n])[\p{Cc}\p{Cs}]/u;
    let readable = 0;
    for (let seed = 1; seed <= 2_000; seed++) {
      const mail = await read(mutated(seed)).catch((error: unknown) => {
        if (!(error instanceof UnreadableMail)) throw new Error(`seed ${seed}`, { cause: error });
      });
      if (!mail) continue;
      readable++;
      for (const text of [mail.text, ...mail.files.map(({ name }) => name)])
        if (unstorable.test(text)) throw new Error(`seed ${seed}: ${JSON.stringify(text)}`);
    }
    expect(readable).toBeGreaterThan(1_900);
  });
});
