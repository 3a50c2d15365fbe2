import { describe, expect, it } from '@jest/globals';
import {
  contentDisposition,
  contentType,
  isShownInline,
  nameFault,
  savedName,
} from '../../../src/files/inspect/index.js';

describe('nameFault', () => {
  it.each([
    'a',
    'Rechnung 2026.pdf',
    '請求書.pdf',
    '😀'.repeat(255),
    '...',
    '.htaccess',
    'a%2f"b',
    '\u200eכן.pdf',
    ' a ',
  ])('accepts %j', (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [undefined, 'is required'],
    [7, 'must be a string'],
    ['', 'must not be blank'],
    [' \u3000', 'must not be blank'],
    ['\u200b', 'must not be blank'],
    ['😀'.repeat(256), 'must have 1 to 255 characters'],
    ['.', 'must not be . or ..'],
    ['..', 'must not be . or ..'],
    ['../etc/passwd', 'must not contain / or \\'],
    ['C:\\a', 'must not contain / or \\'],
    ['a\ud800', 'must not contain U+0000 or lone surrogates'],
    ['\udc00a', 'must not contain U+0000 or lone surrogates'],
    ...['\n', '\r', '\t', '\x7f', '\x85', '\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069'].map(
      (mark): [string, string] => [
        `a${mark}gpj.exe`,
        'must not contain control characters, line breaks, or marks that turn the direction of text',
      ],
    ),
  ])('refuses %j', (name, fault) => {
    expect(nameFault(name)).toBe(fault);
  });
});

describe('savedName', () => {
  it.each([
    ['bill.html', 'text/plain', 'bill.html.txt'],
    ['x.exe', 'application/zip', 'x.exe.zip'],
    ['README.MD', 'text/plain', 'README.MD'],
    ['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
    ['photo', 'image/jpeg', 'photo.jpg'],
    ['photojpg', 'image/jpeg', 'photojpg.jpg'],
    ['voice.mp4', 'audio/mp4', 'voice.mp4'],
    ['voice', 'audio/mp4', 'voice.m4a'],
    ['voice', 'audio/ogg', 'voice.ogg'],
    ['a.docx', 'application/zip', 'a.docx.zip'],
  ])('saves %s of %s as %s', (name, type, expected) => {
    expect(savedName(name, type)).toBe(expected);
  });
});

describe('contentDisposition', () => {
  it('gives an ASCII name and the exact one', () => {
    expect(contentDisposition('Röntgen "1" 50%.png', 'image/png')).toBe(
      `inline; filename="R_ntgen _1_ 50_.png"; filename*=UTF-8''R%C3%B6ntgen%20%221%22%2050%25.png`,
    );
    expect(contentDisposition("it's (1)*!😀.html", 'text/plain')).toBe(
      `attachment; filename="it's (1)*!_.html.txt"; filename*=UTF-8''it%27s%20%281%29%2A!%F0%9F%98%80.html.txt`,
    );
  });
});

it('shows pictures, audio, and video inline, and nothing that can have scripts', () => {
  for (const type of ['image/png', 'image/avif', 'video/mp4', 'video/ogg', 'audio/webm'])
    expect(isShownInline(type)).toBe(true);
  for (const type of ['image/heic', 'video/quicktime', 'application/pdf', 'text/plain', 'text/html', 'image/svg+xml'])
    expect(isShownInline(type)).toBe(false);
});

it('says the encoding of texts', () => {
  expect(contentType('text/csv')).toBe('text/csv; charset=utf-8');
  expect(contentType('image/png')).toBe('image/png');
});
