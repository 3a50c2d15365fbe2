import type { ByteReader } from '../byte-reader.js';
import { refuse } from '../file-refused.js';
import { type Piece, PieceList } from '../pieces.js';
import type { PictureHeader } from './exif.js';

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [PLAIN_TEXT, GRAPHIC_CONTROL, APPLICATION] = [0x01, 0xf9, 0xff];
const HEADER_SIZE = 13;
const IMAGE_SIZE = 10;
const SCAN_WINDOW = 64 * 1024;
const MAX_BLOCKS = 100_000;
/** The application extensions that are kept: repetition, and the color profile. */
const APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

interface Block {
  kind: number;
  /** The kind of an extension; 0 for other blocks. */
  label: number;
  offset: number;
  length: number;
}

/**
 * The sides of the picture, and the pixels of its largest frame, because browsers draw frames that are larger than the picture.
 * @throws FileRefused
 */
export async function readGif(reader: ByteReader): Promise<PictureHeader> {
  const header = await reader.read(0, HEADER_SIZE);
  if (header.length < HEADER_SIZE) refuse('The GIF has no header');
  const picture = { width: header.readUInt16LE(6), height: header.readUInt16LE(8), pixels: 0 };
  for await (const { kind, offset } of listBlocks(reader)) {
    if (kind !== IMAGE) continue;
    const [left, top, width, height] = readFrame(await reader.read(offset + 1, 8));
    picture.pixels = Math.max(picture.pixels, (left + width) * (top + height));
    picture.width ||= width;
    picture.height ||= height;
  }
  return picture;
}

/** Keeps the frames, how they repeat, and the color profile. @throws FileRefused if the GIF has no frames */
export async function cleanGif(reader: ByteReader): Promise<Piece[] | undefined> {
  const pieces = new PieceList(reader.size);
  let hasPixels = false;
  let control: Block | undefined;
  pieces.keep(0, await globalSize(reader));
  for await (const block of listBlocks(reader)) {
    if (block.label === GRAPHIC_CONTROL) control = block;
    else if (block.kind === EXTENSION && !(await isNeeded(reader, block))) {
      // A comment may stand between a frame and its control. Plain text has a control of its own.
      if (block.label === PLAIN_TEXT) control = undefined;
    } else {
      if (control) pieces.keep(control.offset, control.length);
      control = undefined;
      pieces.keep(block.offset, block.length);
      hasPixels ||= block.kind === IMAGE;
    }
  }
  if (!hasPixels) refuse('The GIF has no pixels');
  return pieces.finish();
}

async function isNeeded(reader: ByteReader, { label, offset }: Block): Promise<boolean> {
  return label === APPLICATION && APPLICATIONS.has((await reader.read(offset + 3, 11)).toString('latin1'));
}

function readFrame(bytes: Buffer): [left: number, top: number, width: number, height: number] {
  return [bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt16LE(4), bytes.readUInt16LE(6)];
}

/** The blocks up to the trailer, or up to where the file breaks off. */
async function* listBlocks(reader: ByteReader): AsyncGenerator<Block> {
  for (let at = await globalSize(reader), count = 0; at < reader.size; count++) {
    if (count >= MAX_BLOCKS) refuse('The GIF has too many blocks');
    const [kind, label = 0] = await reader.read(at, 2);
    if (kind === TRAILER) {
      yield { kind, label: 0, offset: at, length: 1 };
      return;
    }
    const data = kind === EXTENSION ? at + 2 : kind === IMAGE ? await frameData(reader, at) : undefined;
    if (data === undefined) return;
    const end = await skipData(reader, data);
    yield { kind: kind!, label: kind === EXTENSION ? label : 0, offset: at, length: end - at };
    at = end;
  }
}

/** Where the blocks begin: after the header and the global colors. */
async function globalSize(reader: ByteReader): Promise<number> {
  return HEADER_SIZE + colorsSize((await reader.read(10, 1))[0] ?? 0);
}

/** Where the coded pixels of a frame begin; undefined if the file breaks off before. */
async function frameData(reader: ByteReader, at: number): Promise<number | undefined> {
  const head = await reader.read(at, IMAGE_SIZE);
  if (head.length < IMAGE_SIZE) return undefined;
  return at + IMAGE_SIZE + colorsSize(head[9]!) + 1;
}

function colorsSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** The end of a chain of blocks of at most 255 bytes. The last one is empty. */
async function skipData(reader: ByteReader, from: number): Promise<number> {
  for (let at = from; at < reader.size;) {
    const bytes = await reader.read(at, SCAN_WINDOW);
    let next = 0;
    while (next < bytes.length) {
      const length = bytes[next]!;
      next += 1 + length;
      if (length === 0) return at + next;
    }
    at += next;
  }
  return reader.size;
}
