import { describe, expect, it } from '@jest/globals';
import { inspect } from '../../../src/files/inspect/index.js';
import { sourceOf, zip, type ZipEntry } from './samples.js';

const typeOf = async (bytes: Buffer) => (await inspect(sourceOf(bytes), 'x.exe')).type;
const named = (...names: string[]): ZipEntry[] => names.map((name) => ({ name, data: 'x' }));
const refused = expect.objectContaining({ code: 'type_not_allowed' });
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** A zip whose end record has only the highest numbers, and a zip64 record with the real ones. */
function zip64(entries: ZipEntry[], change: (record: Buffer) => void = () => {}): Buffer {
  const bytes = zip(entries);
  const end = Buffer.from(bytes.subarray(-22));
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50);
  record.writeUIntLE(44, 4, 6);
  for (const at of [24, 32]) record.writeUIntLE(entries.length, at, 6);
  record.writeUIntLE(end.readUInt32LE(12), 40, 6);
  record.writeUIntLE(end.readUInt32LE(16), 48, 6);
  change(record);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50);
  locator.writeUIntLE(bytes.length - 22, 8, 6);
  end.fill(0xff, 8, 20);
  return Buffer.concat([bytes.subarray(0, -22), record, locator, end]);
}

describe('a zip', () => {
  it.each([
    ['application/zip', named('a.txt', 'folder/b.exe')],
    ['application/zip', []],
    ['application/zip', named('word/document.xml')],
    [`${OFFICE}.wordprocessingml.document`, named('[Content_Types].xml', 'word/document.xml')],
    [`${OFFICE}.spreadsheetml.sheet`, named('[Content_Types].xml', 'xl/workbook.xml')],
    [`${OFFICE}.presentationml.presentation`, named('[Content_Types].xml', '/PPT/Presentation.xml')],
    ...['text', 'spreadsheet', 'presentation'].map((kind): [string, ZipEntry[]] => [
      `${OPEN_DOCUMENT}.${kind}`,
      [{ name: 'mimetype', data: `${OPEN_DOCUMENT}.${kind}` }, ...named('content.xml')],
    ]),
    ['application/zip', [{ name: 'mimetype', data: `${OPEN_DOCUMENT}.text` }]],
    ['application/zip', [{ name: 'mimetype', data: 'image/png' }, ...named('content.xml')]],
    ['application/zip', [{ name: 'mimetype', data: 'x'.repeat(70_000) }, ...named('content.xml')]],
  ])('reads %s from the names of entries (%#)', async (type, entries) => {
    expect(await typeOf(zip(entries))).toBe(type);
    if (entries.length > 0) expect(await typeOf(zip64(entries))).toBe(type);
  });

  it.each([
    ['[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'],
    ['[Content_Types].xml', 'xl/workbook.xml', 'xl\\VBAPROJECT.BIN'],
    ['vbaProject.bin'],
    ['META-INF/MANIFEST.MF', 'A.class'],
    ['./meta-inf/manifest.mf'],
    ['AndroidManifest.xml', 'classes.dex'],
  ])('refuses a zip with %s (%#)', async (...names) => {
    await expect(typeOf(zip(named(...names)))).rejects.toEqual(refused);
    await expect(typeOf(zip64(named('a', ...names)))).rejects.toEqual(refused);
  });

  it('refuses a zip with more than 10,000 entries', async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}` }));
    expect(await typeOf(zip(entries.slice(1)))).toBe('application/zip');
    await expect(typeOf(zip(entries))).rejects.toEqual(refused);
    await expect(typeOf(zip64(named('a'), (record) => record.fill(0xff, 24, 40)))).rejects.toEqual(refused);
  });

  it('accepts a comment, entries that overlap, and sizes that no disk has', async () => {
    expect(await typeOf(zip(named('a'), { comment: 'hello' }))).toBe('application/zip');
    const bomb = zip(named('a', 'b', 'c'));
    for (let at = bomb.indexOf('PK\x01\x02'); at !== -1; at = bomb.indexOf('PK\x01\x02', at + 1)) {
      bomb.writeUInt32LE(0xfffffffe, at + 20);
      bomb.writeUInt32LE(0xfffffffe, at + 24);
      bomb.writeUInt32LE(0, at + 42);
    }
    expect(await typeOf(bomb)).toBe('application/zip');
  });

  it('refuses a zip whose records contradict each other', async () => {
    const good = zip(named('a', 'b'));
    const change = (bytes: Buffer, at: number, value: number) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt16LE(value, (at + changed.length) % changed.length);
      return changed;
    };
    const bad = {
      'fewer entries than there are': zip(named('a', 'META-INF/MANIFEST.MF'), { count: 1 }),
      'more entries than there are': zip(named('a'), { count: 2 }),
      'no end': good.subarray(0, -22),
      'only the beginning': good.subarray(0, 4),
      'bytes after the end': Buffer.concat([good, Buffer.from('x')]),
      'a second end in the comment': zip(named('a'), { comment: zip(named('b')).toString('latin1') }),
      'several disks': change(good, -18, 1),
      'another place of the directory': change(good, -6, 1),
      'another size of the directory': change(good, -10, 46),
      'a longer name than there is': change(good, good.indexOf('PK\x01\x02') + 28, 65_535),
      'a zip64 record of another place': zip64(named('a'), (record) => record.writeUIntLE(1, 48, 6)),
      'a zip64 record of another size': zip64(named('a'), (record) => record.writeUIntLE(45, 4, 6)),
    };
    for (const [reason, bytes] of Object.entries(bad))
      await expect(typeOf(bytes).then((type) => `${reason}: ${type}`)).rejects.toEqual(refused);
  });
});
