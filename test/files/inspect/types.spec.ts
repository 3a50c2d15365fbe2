import { describe, expect, it } from '@jest/globals';
import { type FileRefusal, inspect } from '../../../src/files/inspect/index.js';
import { sample, sourceOf } from './samples.js';

const typeOf = async (bytes: Buffer, name = 'file') => (await inspect(sourceOf(bytes), name)).type;
const text = (value: string) => Buffer.from(value);
const refused = (code: FileRefusal = 'type_not_allowed') => expect.objectContaining({ code });

describe('inspect', () => {
  it.each([
    ['photo.jpg', { type: 'image/jpeg', width: 32, height: 48 }],
    ['plain.jpg', { type: 'image/jpeg', width: 48, height: 32 }],
    ['cmyk.jpg', { type: 'image/jpeg', width: 48, height: 32 }],
    ['progressive.jpg', { type: 'image/jpeg', width: 32, height: 48 }],
    ['deep.png', { type: 'image/png', width: 32, height: 48 }],
    ['interlaced.png', { type: 'image/png', width: 48, height: 32 }],
    ['animated.png', { type: 'image/png', width: 40, height: 20 }],
    ['animated.gif', { type: 'image/gif', width: 40, height: 20 }],
    ['lossy.webp', { type: 'image/webp', width: 48, height: 32 }],
    ['lossless.webp', { type: 'image/webp', width: 48, height: 32 }],
    ['extended.webp', { type: 'image/webp', width: 32, height: 48 }],
    ['animated.webp', { type: 'image/webp', width: 48, height: 32 }],
    ['photo.avif', { type: 'image/avif', width: 32, height: 48 }],
    ['photo.heic', { type: 'image/heic' }],
    ['movie.mp4', { type: 'video/mp4', durationSeconds: 1.6 }],
    ['fragments.mp4', { type: 'video/mp4' }],
    ['movie.mov', { type: 'video/quicktime', durationSeconds: 1.6 }],
    ['movie.webm', { type: 'video/webm', durationSeconds: 1.6 }],
    ['movie.ogv', { type: 'video/ogg', durationSeconds: 1.6 }],
    ['sound.m4a', { type: 'audio/mp4', durationSeconds: 1.6 }],
    ['sound.webm', { type: 'audio/webm', durationSeconds: 1.6 }],
    ['sound.opus', { type: 'audio/ogg', durationSeconds: 1.6 }],
    ['sound.ogg', { type: 'audio/ogg', durationSeconds: 1.6 }],
    ['variable.mp3', { type: 'audio/mpeg', durationSeconds: 1.6 }],
    ['constant.mp3', { type: 'audio/mpeg', durationSeconds: 1.6 }],
  ])('reads %s', async (name, expected) => {
    const found = await inspect(sourceOf(sample(name)), 'x');
    // Encoders add up to 0.1 s of silence.
    const { durationSeconds, ...rest } = expected as typeof found;
    expect(found).toMatchObject(rest);
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(expected).toSorted());
    if (durationSeconds !== undefined) expect(Math.abs(found.durationSeconds! - durationSeconds)).toBeLessThan(0.15);
  });

  it.each(['other.aac', 'other.flac', 'other.mkv', 'other.3gp'])('refuses %s', async (name) => {
    await expect(typeOf(sample(name))).rejects.toEqual(refused());
  });

  it.each([
    ['an executable', 'MZ\x90\0\x03'],
    ['an ELF file', '\x7fELF\x02\x01'],
    ['gzip', '\x1f\x8b\x08\0'],
    ['an old Office document', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['TIFF', 'II*\0\x08\0\0\0'],
    ['a bitmap', 'BM\x36\0\x0c\0\0\0\0\0'],
    ['JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['a wave file', 'RIFF\x24\0\0\0WAVEfmt '],
    ['zeros', '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'],
    ['a JPEG without a frame', '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9'],
    ['a PNG without a header', '\x89PNG\r\n\x1a\n'],
    ['MPEG audio of layer I', '\xff\xfe\x41\0\x42\0\x43\0'],
  ])('refuses %s', async (_, bytes) => {
    await expect(typeOf(Buffer.from(bytes, 'latin1'))).rejects.toEqual(refused());
  });

  it('takes a document and a polyglot for what their first bytes say', async () => {
    expect(await typeOf(text('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n'), 'x.csv')).toBe('application/pdf');
    expect(await typeOf(Buffer.concat([sample('plain.jpg'), text('PK\x03\x04<script>')]))).toBe('image/jpeg');
    const gif = Buffer.from(sample('animated.gif'));
    expect(await typeOf(Buffer.concat([gif, text('*/=1;alert(1)')]))).toBe('image/gif');
    await expect(typeOf(text('GIF89a=alert(1)//'))).rejects.toEqual(refused('image_too_large'));
  });

  it('recognizes QuickTime by its first box', async () => {
    for (const box of ['moov', 'wide', 'mdat'])
      expect(await typeOf(text(`\0\0\0\x08${box}\0\0\0\0`))).toBe('video/quicktime');
    expect(await typeOf(text('Put wide margins'))).toBe('text/plain');
  });

  describe('too many pixels', () => {
    const png = (width: number, height: number) => {
      const bytes = Buffer.from(sample('interlaced.png'));
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      return bytes;
    };

    it('refuses a picture of 50,000,001 pixels', async () => {
      expect(await typeOf(png(10_000, 5_000))).toBe('image/png');
      await expect(typeOf(png(10_000, 5_001))).rejects.toEqual(refused('image_too_large'));
      await expect(typeOf(png(60_000, 60_000))).rejects.toEqual(refused('image_too_large'));
      await expect(typeOf(png(0xffffffff, 0xffffffff))).rejects.toEqual(refused('image_too_large'));
      await expect(typeOf(png(0, 1))).rejects.toEqual(refused());
    });

    it('refuses such a JPEG, WebP, AVIF, and frame of a GIF', async () => {
      const jpeg = Buffer.from(sample('plain.jpg'));
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      jpeg.writeUInt32BE(0xea60ea60, frame + 5);
      const webp = Buffer.from(sample('extended.webp'));
      webp.writeUIntLE(59_999, 24, 3);
      webp.writeUIntLE(59_999, 27, 3);
      const avif = Buffer.from(sample('photo.avif'));
      avif.writeUInt32BE(60_000, avif.indexOf('ispe') + 8);
      avif.writeUInt32BE(60_000, avif.indexOf('ispe') + 12);
      const gif = Buffer.from(sample('animated.gif'));
      const image = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
      gif.writeUInt32LE(0xffffffff, image + 5);
      for (const bytes of [jpeg, webp, avif, gif])
        await expect(typeOf(bytes)).rejects.toEqual(refused('image_too_large'));
    });
  });
});

describe('text', () => {
  it.each([
    'BMW drives',
    'solid ground\nfacet',
    'WEBVTT\n\n00:00',
    'BEGIN:VCARD\nEND:VCARD',
    '#!/bin/sh\n',
    '{"a": 1}',
    'ID3 is a tag',
    'OggS is a format',
    'a < b',
    '<3',
    '< b>',
    'x<svg>',
    '\ufeffhello',
    'שלום \u202btext',
    '😀',
    'tab\tff\fcr\r\n',
    'RIFF and WEBP',
  ])('accepts %j', async (value) => {
    expect(await typeOf(text(value), 'notes.txt')).toBe('text/plain');
    expect(await typeOf(text(value), 'table.CSV')).toBe('text/csv');
  });

  it.each(
    [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<html>',
      '<!-- x --><svg>',
      '<?xml version="1.0"?>',
      '<é/>',
      ' \n\t<p>',
      '\ufeff<svg>',
      '\ufeff \r\n<!DOCTYPE html>',
      `${' '.repeat(10_000)}<script>`,
      `${'\n'.repeat(4_095)}<b>`,
      '\ufeff\ufeff<b>',
      '{\\rtf1 x}',
      '%!PS-Adobe-3.0',
      '-----BEGIN PGP MESSAGE-----',
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n',
      'a\0b',
      'bell\x07',
      'esc\x1b[0m',
      'del\x7f',
      'c1\x85',
      'vt\x0b',
    ].map((value) => ({ shown: JSON.stringify(value).slice(-40), value })),
  )('refuses $shown', async ({ value }) => {
    await expect(typeOf(text(value), 'x.csv')).rejects.toEqual(refused());
  });

  it('refuses other encodings than UTF-8', async () => {
    const utf16 = (value: string) => Buffer.from(`\ufeff${value}`, 'utf16le');
    for (const bytes of [utf16('hello'), utf16('<svg>'), utf16('<svg>').swap16(), Buffer.from('caf\xe9', 'latin1')])
      await expect(typeOf(bytes)).rejects.toEqual(refused());
  });

  it('checks a text to its last byte, across the parts that it reads', async () => {
    const long = text('é'.repeat(700_000));
    expect(await typeOf(long)).toBe('text/plain');
    expect(await typeOf(Buffer.concat([text('a'), long]))).toBe('text/plain');
    await expect(typeOf(Buffer.concat([long, Buffer.from([0xc3])]))).rejects.toEqual(refused());
    await expect(typeOf(Buffer.concat([long, Buffer.from([0])]))).rejects.toEqual(refused());
  });
});

describe('a source', () => {
  it('accepts a source that answers in parts', async () => {
    const bytes = sample('photo.jpg');
    const source = {
      size: bytes.length,
      read: async (at: number, length: number) => bytes.subarray(at, at + Math.min(length, 7)),
    };
    expect(await inspect(source, 'x')).toMatchObject({ type: 'image/jpeg' });
    const words = text('hello '.repeat(100));
    expect(
      await inspect({ ...source, size: words.length, read: async (at) => words.subarray(at, at + 7) }, 'x'),
    ).toEqual({ type: 'text/plain' });
  });

  it('reports a source that ends before its size as broken, not as refused', async () => {
    const broken = { size: 100, read: async (at: number) => Buffer.alloc(at === 0 ? 10 : 0, 'a') };
    await expect(inspect(broken, 'x')).rejects.not.toEqual(refused());
  });
});
