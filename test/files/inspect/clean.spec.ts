import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { clean, inspect } from '../../../src/files/inspect/index.js';
import { join, sample, sourceOf } from './samples.js';

const PICTURES = [
  'photo.jpg',
  'cmyk.jpg',
  'progressive.jpg',
  'plain.jpg',
  'deep.png',
  'interlaced.png',
  'animated.png',
  'animated.gif',
];
const WEBP = ['lossy.webp', 'lossless.webp', 'extended.webp', 'animated.webp'];
const HEIF = ['photo.avif', 'photo.heic'];
const PERSONAL = [
  'Acme',
  'PhoneX',
  'Jane Doe',
  'secret',
  'Berlin',
  'GPS',
  'xmpmeta',
  'x:xmp',
  '2026:01',
  'c2pa',
  'jumb',
];

const typeOf = async (bytes: Buffer) => (await inspect(sourceOf(bytes), 'x')).type;
const cleaned = async (bytes: Buffer) => join(bytes, await clean(sourceOf(bytes), await typeOf(bytes)));
const found = (bytes: Buffer) => PERSONAL.filter((word) => bytes.includes(word));
const refused = expect.objectContaining({ code: 'type_not_allowed' });

/** A segment of a JPEG. */
const segment = (marker: number, data: string | Buffer) => {
  const content = Buffer.from(data as string, 'latin1');
  return Buffer.concat([Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]), content]);
};
/** A chunk of a PNG. Its checksum is wrong. */
const chunk = (type: string, data = '') => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type + data, 4, 'latin1');
  return bytes;
};
const box = (type: string, data: string) => {
  const bytes = Buffer.alloc(8 + data.length);
  bytes.writeUInt32BE(bytes.length);
  bytes.write(type + data, 4, 'latin1');
  return bytes;
};
const insert = (bytes: Buffer, at: number, ...parts: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);

/** The program, with arguments that decode a picture to raw pixels; undefined if it isn't installed. */
function decoder(command: string, args: string[]): ((bytes: Buffer, extension: string) => Buffer) | undefined {
  try {
    execFileSync(command, ['-version'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const options = { maxBuffer: 1e8, stdio: ['pipe', 'pipe', 'ignore'] as ('pipe' | 'ignore')[] };
  return (bytes) => execFileSync(command, args, { ...options, input: bytes });
}

describe('clean', () => {
  it.each([...PICTURES, ...WEBP, ...HEIF])('removes data about place, device, and person from %s', async (name) => {
    const before = sample(name);
    const after = await cleaned(before);
    expect(found(after)).toEqual([]);
    expect(await inspect(sourceOf(after), 'x')).toEqual(await inspect(sourceOf(before), 'x'));
    expect(await clean(sourceOf(after), await typeOf(after)).then((pieces) => join(after, pieces).equals(after))).toBe(
      true,
    );
  });

  it('finds such data in its samples', () => {
    const names = [
      'photo.jpg',
      'cmyk.jpg',
      'deep.png',
      'animated.gif',
      'extended.webp',
      'animated.webp',
      'photo.avif',
      'photo.heic',
    ];
    for (const name of names) expect(found(sample(name))).not.toEqual([]);
  });

  const decode =
    decoder('convert-im6.q16', ['-', '-depth', '16', 'rgba:-']) ?? decoder('magick', ['-', '-depth', '16', 'rgba:-']);
  (decode ? it : it.skip).each([...PICTURES, ...WEBP, ...HEIF])('keeps the pixels of %s', async (name) => {
    const before = sample(name);
    const pixels = decode!(await cleaned(before), name);
    expect(pixels.length).toBeGreaterThan(0);
    expect(pixels.equals(decode!(before, name))).toBe(true);
  });

  it.each([
    ['photo.jpg', 6],
    ['progressive.jpg', 8],
    ['deep.png', 6],
    ['extended.webp', 6],
  ])('keeps the orientation of %s, as an EXIF with nothing else', async (name, orientation) => {
    const after = await cleaned(sample(name));
    const at = after.indexOf('MM\0*');
    expect(after.subarray(at, at + 26).toString('hex')).toBe(
      `4d4d002a000000080001011200030000000100${`0${orientation}`}000000000000`,
    );
    expect(after.indexOf('MM\0*', at + 1)).toBe(-1);
  });

  it('answers undefined if nothing is to be changed', async () => {
    for (const name of ['interlaced.png', 'lossy.webp', 'lossless.webp']) {
      const bytes = await cleaned(sample(name));
      expect(await clean(sourceOf(bytes), await typeOf(bytes))).toBeUndefined();
    }
    expect(await clean(sourceOf(sample('movie.mp4')), 'video/mp4')).toBeUndefined();
    expect(await clean(sourceOf(Buffer.from('text')), 'text/plain')).toBeUndefined();
  });

  it.each([...PICTURES, ...WEBP])('removes bytes after the end of %s', async (name) => {
    const bytes = sample(name);
    expect(await cleaned(Buffer.concat([bytes, Buffer.from('PK\x03\x04secret')]))).toEqual(await cleaned(bytes));
  });

  it('keeps the color profile of a JPEG, and removes provenance, thumbnails, and unknown segments', async () => {
    const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01profile');
    const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\x01');
    const removed = [
      segment(0xe0, 'JFXX\0\x10secret'),
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0secret'),
      segment(0xe2, 'MPF\0secret'),
      segment(0xeb, 'JP\0\x01\0\0\0\x01jumbc2pa'),
      segment(0xed, 'Photoshop 3.0\0Berlin'),
      segment(0xf0, 'secret'),
      segment(0xfe, 'secret-comment'),
    ];
    const plain = await cleaned(sample('plain.jpg'));
    const end = plain.length - 2;
    const before = insert(
      insert(plain, end, segment(0xfe, 'secret')),
      20,
      ...removed,
      profile,
      adobe,
      Buffer.from('secret'),
    );
    expect(await cleaned(before)).toEqual(insert(plain, 20, profile, adobe));
    const thumbnail = Buffer.concat([
      plain.subarray(0, 2),
      segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x01\x02secret'),
      plain.subarray(20),
    ]);
    const header = Buffer.concat([
      plain.subarray(0, 2),
      segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
      plain.subarray(20),
    ]);
    expect(await cleaned(thumbnail)).toEqual(header);
  });

  it('keeps the chunks of a PNG that decoders need', async () => {
    const plain = await cleaned(sample('interlaced.png'));
    const kept = [chunk('iCCP', 'profile'), chunk('gAMA', 'abcd'), chunk('cICP', 'abcd')];
    const removed = [
      chunk('tEXt', 'secret'),
      chunk('iTXt', 'secret'),
      chunk('zTXt', 'secret'),
      chunk('tIME', '2026:01'),
      chunk('caBX', 'jumbc2pa'),
    ];
    const unknown = [chunk('prVt', 'secret'), chunk('ABCD', 'secret')];
    expect(await cleaned(insert(plain, 33, ...removed, ...kept, ...unknown))).toEqual(insert(plain, 33, ...kept));
  });

  it('removes provenance from WebP and GIF, also inside of frames', async () => {
    const riff = (type: string, data: string) => {
      const bytes = Buffer.alloc(8 + data.length);
      bytes.write(type + '\0\0\0\0' + data, 'latin1');
      bytes.writeUInt32LE(data.length, 4);
      return bytes;
    };
    const grow = (bytes: Buffer, at: number, by: number) => {
      bytes.writeUInt32LE(bytes.readUInt32LE(at) + by, at);
      return bytes;
    };
    const webp = await cleaned(sample('lossy.webp'));
    expect(await cleaned(grow(Buffer.concat([webp, riff('C2PA', 'jumbc2pa')]), 4, 16))).toEqual(webp);
    const animated = await cleaned(sample('animated.webp'));
    const frame = animated.indexOf('ANMF');
    const inside = insert(animated, frame + 24, riff('JUNK', 'secret12'));
    expect(await cleaned(grow(grow(inside, 4, 16), frame + 4, 16))).toEqual(animated);
    const gif = await cleaned(sample('animated.gif'));
    const marks = [
      Buffer.from('!\xff\x0bC2PA_GIF\x01\0\0\x04c2pa\0', 'latin1'),
      Buffer.from('!\x01\x02ab\0', 'latin1'),
    ];
    expect(await cleaned(insert(gif, gif.length - 1, ...marks))).toEqual(gif);
  });

  it('replaces data in AVIF and HEIC by zeros, and keeps the size', async () => {
    for (const name of HEIF) {
      const before = Buffer.concat([
        sample(name),
        box('uuid', 'c2pa-manifest'),
        box('free', 'secret'),
        box('sefd', 'secret'),
        Buffer.from('secret'),
      ]);
      const after = await cleaned(before);
      expect(after.length).toBe(before.length);
      expect(found(after)).toEqual([]);
      expect(after.every((byte, index) => byte === 0 || byte === before[index])).toBe(true);
    }
  });

  it('reads data in the box idat, and refuses data whose place it can not tell', async () => {
    const u16 = (value: number) => String.fromCharCode(value >> 8, value & 255);
    const full = (type: string, data: string, version = 0) =>
      box(type, `${String.fromCharCode(version)}\0\0\0${data}`).toString('latin1');
    const heic = (method: number, length = 6) => {
      const infe = full('infe', `${u16(1)}\0\0Exif\0`, 2);
      const iloc = full('iloc', `\x44\0${u16(1)}${u16(1)}${u16(method)}\0\0${u16(1)}\0\0\0\x02\0\0${u16(length)}`, 1);
      const parts = full('iinf', u16(1) + infe) + iloc + box('idat', 'absecretcd').toString('latin1');
      return Buffer.concat([box('ftyp', 'heic\0\0\0\0'), box('meta', `\0\0\0\0${parts}`)]);
    };
    const after = await cleaned(heic(1));
    expect(after.includes('ab\0\0\0\0\0\0cd')).toBe(true);
    for (const bytes of [heic(2), heic(1, 0), heic(1, 9), heic(0)])
      await expect(cleaned(bytes)).rejects.toEqual(refused);
  });

  it.each([...PICTURES, ...WEBP])('cleans and keeps %s if it breaks off in its pixels', async (name) => {
    const bytes = sample(name);
    // What's cut off is the end of the pixels. Some samples have data after them.
    const whole = await cleaned(bytes);
    for (const cut of [bytes.length - 3, Math.round(bytes.length * 0.95)]) {
      const after = await cleaned(bytes.subarray(0, cut));
      expect(found(after)).toEqual([]);
      expect(after.length).toBeGreaterThan(Math.min(whole.length, cut) / 4);
    }
  });

  it.each(['plain.jpg', 'interlaced.png', 'animated.gif'])('refuses %s without pixels', async (name) => {
    const bytes = sample(name);
    const pixels = { jpg: Buffer.from([0xff, 0xda]), png: Buffer.from('IDAT'), gif: Buffer.from([0x2c, 0, 0, 0, 0]) };
    const at = bytes.indexOf(pixels[name.slice(-3) as 'jpg']);
    await expect(clean(sourceOf(bytes.subarray(0, at)), await typeOf(bytes))).rejects.toEqual(refused);
  });
});
