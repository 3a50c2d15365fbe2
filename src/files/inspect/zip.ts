import type { ByteReader } from './byte-reader.js';
import { Fields } from './fields.js';
import { refuse } from './file-refused.js';
import { FILE_TYPES, OFFICE_TYPES } from './types.js';

const MAX_ENTRIES = 10_000;
const END_SIZE = 22;
const END64_SIZE = 56;
const LOCATOR64_SIZE = 20;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
/** The most bytes of the end record and the comment after it, whose length has 16 bits. */
const MAX_TAIL = END_SIZE + 65_535;
const [LOCAL, CENTRAL, END64, LOCATOR64] = [0x04034b50, 0x02014b50, 0x06064b50, 0x07064b50];
const STORED = 0;
/** The most bytes of `mimetype`. The types that it may have are much shorter. */
const MAX_MIMETYPE = 100;

/** Names of entries, in lower case, that make a zip a program: macros, Java, Android. */
const PROGRAM = /(?:^|\/)vbaproject\.bin$|^meta-inf\/manifest\.mf$|^androidmanifest\.xml$/;

interface Directory {
  offset: number;
  size: number;
  entries: number;
}

interface Entry {
  name: string;
  method: number;
  size: number;
  /** Where its local header begins in the file. */
  offset: number;
}

/**
 * The type of a zip by the names of its entries (CONTRACT: Files). Reads the central directory, and inflates nothing. A zip with more than
 * 10,000 entries is refused, and so is one whose records contradict each other, because programs see different entries in it.
 *
 * @throws FileRefused
 */
export async function readZip(reader: ByteReader): Promise<string> {
  const names = new Set<string>();
  let mimetype: Entry | undefined;
  for await (const entry of listEntries(reader, await findDirectory(reader))) {
    const name = normalize(entry.name);
    if (PROGRAM.test(name)) refuse('The zip has macros, or is a program');
    names.add(name);
    if (entry.name === 'mimetype') mimetype = entry;
  }
  return (
    readOfficeType(names) ?? (mimetype && (await readOpenDocumentType(reader, mimetype, names))) ?? 'application/zip'
  );
}

function readOfficeType(names: Set<string>): string | undefined {
  if (!names.has('[content_types].xml')) return undefined;
  for (const [part, type] of OFFICE_TYPES) if (names.has(part)) return type;
  return undefined;
}

/** An OpenDocument file says its type in an entry that isn't compressed. */
async function readOpenDocumentType(
  reader: ByteReader,
  { method, size, offset }: Entry,
  names: Set<string>,
): Promise<string | undefined> {
  if (method !== STORED || size > MAX_MIMETYPE || !names.has('content.xml')) return undefined;
  const header = new Fields(await reader.read(offset, LOCAL_SIZE));
  if (header.uintLE(4) !== LOCAL) refuse('An entry of the zip is missing');
  const nameLength = header.skip(22).uintLE(2);
  const start = offset + LOCAL_SIZE + nameLength + header.uintLE(2);
  const type = (await reader.read(start, size)).toString('latin1');
  return type.startsWith('application/vnd.oasis.') && FILE_TYPES.has(type) ? type : undefined;
}

/** Office compares names without regard to case, and some programs write `\` or begin with `/` or `./`. */
function normalize(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
}

async function* listEntries(reader: ByteReader, { offset, size, entries }: Directory): AsyncGenerator<Entry> {
  let at = offset;
  for (let index = 0; index < entries; index++) {
    const fields = new Fields(await reader.read(at, ENTRY_SIZE));
    if (fields.uintLE(4) !== CENTRAL) refuse('The directory of the zip has fewer entries than it says');
    const method = fields.skip(6).uintLE(2);
    const entrySize = fields.skip(8).uintLE(4);
    const [nameLength, extraLength, commentLength] = [fields.skip(4).uintLE(2), fields.uintLE(2), fields.uintLE(2)];
    const local = fields.skip(8).uintLE(4);
    const name = await reader.read(at + ENTRY_SIZE, nameLength);
    yield { name: name.toString('utf8'), method, size: entrySize, offset: local };
    at += ENTRY_SIZE + nameLength + extraLength + commentLength;
  }
  if (at !== offset + size) refuse('The directory of the zip has more entries than it says');
}

/** Finds the directory by the last end record, which has to end with the file. */
async function findDirectory(reader: ByteReader): Promise<Directory> {
  const start = Math.max(reader.size - MAX_TAIL, 0);
  const tail = await reader.read(start, MAX_TAIL);
  const found = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (found === -1 || found + END_SIZE > tail.length) refuse('The zip has no end');
  const end = start + found;
  const fields = new Fields(tail.subarray(found, found + END_SIZE)).skip(4);
  const disks = [fields.uintLE(2), fields.uintLE(2)];
  const onDisk = fields.uintLE(2);
  const directory = { entries: fields.uintLE(2), size: fields.uintLE(4), offset: fields.uintLE(4) };
  if (end + END_SIZE + fields.uintLE(2) !== reader.size) refuse('The zip has bytes after its end');
  const before = await findDirectory64(reader, end);
  return check(before ? [0, 0, before.onDisk] : [...disks, onDisk], before ?? { ...directory, end });
}

type Ends = Directory & { end: number };

/** The zip64 record. A locator right before the end record says where it is. Undefined without a locator. */
async function findDirectory64(reader: ByteReader, end: number): Promise<(Ends & { onDisk: number }) | undefined> {
  if (end < LOCATOR64_SIZE) return undefined;
  const locator = new Fields(await reader.read(end - LOCATOR64_SIZE, LOCATOR64_SIZE));
  if (locator.uintLE(4) !== LOCATOR64) return undefined;
  const at = locator.skip(4).uintLE(8);
  const fields = new Fields(await reader.read(at, END64_SIZE));
  if (fields.uintLE(4) !== END64 || at + 12 + fields.uintLE(8) !== end - LOCATOR64_SIZE)
    refuse('The zip64 record is missing');
  const onDisk = fields.skip(12).uintLE(8);
  return { onDisk, entries: fields.uintLE(8), size: fields.uintLE(8), offset: fields.uintLE(8), end: at };
}

/** The directory has to be one part that ends where its end record begins. */
function check([disk, firstDisk, onDisk]: number[], { end, ...directory }: Ends): Directory {
  if (disk !== 0 || firstDisk !== 0 || onDisk !== directory.entries) refuse('The zip has several parts');
  if (directory.entries > MAX_ENTRIES) refuse(`The zip has more than ${MAX_ENTRIES} entries`);
  if (directory.offset + directory.size !== end) refuse('The directory of the zip is not where it should be');
  return directory;
}
