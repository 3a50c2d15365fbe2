import { describe, expect, it } from '@jest/globals';
import { clean, inspect } from '../../../src/files/inspect/index.js';
import { join, sample, sourceOf } from './samples.js';

const refused = expect.objectContaining({ code: 'type_not_allowed' });

const uint = (size: number, value: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};
const box = (type: string, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([uint(4, content.length + 8), Buffer.from(type, 'latin1'), content]);
};
/** A box that begins with its version and no flags. */
const full = (type: string, version: number, ...parts: Buffer[]) =>
  box(type, Buffer.from([version, 0, 0, 0]), ...parts);
const repeat = (count: number, make: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));

describe('clean', () => {
  /** A heic whose EXIF has parts of one byte. */
  const heic = (extents: number, from: number, step = 0) => {
    const infe = full('infe', 2, uint(2, 1), uint(2, 0), Buffer.from('Exif\0'));
    const places = repeat(extents, (index) => Buffer.concat([uint(4, from + step * index), uint(1, 1)]));
    const item = Buffer.concat([uint(2, 1), uint(2, 0), uint(2, extents)]);
    const iloc = full('iloc', 0, Buffer.from([0x41, 0]), uint(2, 1), item, places);
    const meta = box('meta', uint(4, 0), full('iinf', 0, uint(2, 1), infe), iloc);
    return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0')), meta, box('mdat', Buffer.alloc(60_000, 'x'))]);
  };
  const pixelsOf = (extents: number) => heic(extents, 0).indexOf('mdat') + 4;

  it('removes data in 2,000 parts', async () => {
    const bytes = heic(2_000, pixelsOf(2_000), 2);
    const after = join(bytes, await clean(sourceOf(bytes), 'image/heic'));
    expect(after.subarray(pixelsOf(2_000)).filter((byte) => byte === 0)).toHaveLength(2_000);
  });

  it('refuses more than 10,000 parts, even of the same bytes', async () => {
    const same = (extents: number) => clean(sourceOf(heic(extents, pixelsOf(extents))), 'image/heic');
    expect(await same(10_000)).toHaveLength(3);
    await expect(same(10_001)).rejects.toEqual(refused);
  });

  it('refuses data that overlap a header after other boxes, or begin before it', async () => {
    const moov = box('moov', Buffer.alloc(16));
    const at = heic(1, 0).length;
    for (const place of [at, at + 20, at - 1]) {
      const bytes = Buffer.concat([heic(1, place), moov]);
      if (place === at - 1) bytes[bytes.indexOf('iloc') + 4 + 4 + 4 + 6 + 4] = 2;
      await expect(clean(sourceOf(bytes), 'image/heic')).rejects.toEqual(refused);
    }
    const free = Buffer.concat([heic(1, at + 20), box('free', Buffer.alloc(16)), moov]);
    expect(await clean(sourceOf(free), 'image/heic')).toBeDefined();
  });
});

describe('inspect', () => {
  /** An AVIF with these boxes of associations besides its own. They give a picture one property again and again. */
  const avif = (boxes: number, entries: number, picture = 1) => {
    const before = sample('photo.avif');
    const entry = Buffer.concat([uint(2, picture), uint(1, 250), Buffer.alloc(250, 1)]);
    const ipma = full(
      'ipma',
      0,
      uint(4, entries),
      repeat(entries, () => entry),
    );
    const all = repeat(boxes, () => ipma);
    const iprp = before.indexOf('iprp') - 4;
    const end = iprp + before.readUInt32BE(iprp);
    const bytes = Buffer.concat([before.subarray(0, end), all, before.subarray(end)]);
    bytes.writeUInt32BE(before.readUInt32BE(iprp) + all.length, iprp);
    const meta = before.indexOf('meta') - 4;
    bytes.writeUInt32BE(before.readUInt32BE(meta) + all.length, meta);
    return sourceOf(bytes);
  };

  it('reads an AVIF with 4,000 associations, and refuses more, in one box or in many', async () => {
    expect(await inspect(avif(3, 5), 'x')).toMatchObject({ type: 'image/avif' });
    for (const source of [avif(1, 17), avif(17, 1)]) await expect(inspect(source, 'x')).rejects.toEqual(refused);
  });

  it('refuses an AVIF with more than 1 MB of associations, even of other pictures', async () => {
    expect(await inspect(avif(16, 255, 7), 'x')).toMatchObject({ type: 'image/avif' });
    await expect(inspect(avif(17, 255, 7), 'x')).rejects.toEqual(refused);
  });

  /** A WebM with tracks of 901 elements. */
  const webm = (tracks: number) => {
    const element = (id: string, content: Buffer) =>
      Buffer.concat([Buffer.from(id, 'hex'), uint(4, 0x10000000 + content.length), content]);
    const track = element(
      'ae',
      Buffer.concat([Buffer.from('838102', 'hex'), repeat(900, () => Buffer.from('ec80', 'hex'))]),
    );
    const head = element('1a45dfa3', Buffer.concat([Buffer.from('428284', 'hex'), Buffer.from('webm')]));
    return sourceOf(
      Buffer.concat([
        head,
        element(
          '18538067',
          element(
            '1654ae6b',
            repeat(tracks, () => track),
          ),
        ),
      ]),
    );
  };

  it('refuses a WebM with more than 10,000 elements on all levels', async () => {
    expect(await inspect(webm(11), 'x')).toEqual({ type: 'audio/webm' });
    await expect(inspect(webm(12), 'x')).rejects.toEqual(refused);
  });
});
