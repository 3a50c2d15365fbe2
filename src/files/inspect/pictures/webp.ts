import type { ByteReader } from '../byte-reader.js';
import { refuse } from '../file-refused.js';
import { type Piece, PieceList } from '../pieces.js';
import { readOrientation, type Sides, turn, writeOrientation } from './exif.js';

const RIFF_SIZE = 12;
const HEAD_SIZE = 8;
/** Where a frame of an animation has its chunks: after its own header and its place. */
const FRAME_HEAD_SIZE = HEAD_SIZE + 16;
const EXTENDED_SIZE = HEAD_SIZE + 10;
const MAX_CHUNKS = 100_000;
const MAX_CHUNKS_OF_FRAME = 100;
const MAX_EXIF = 64 * 1024;
const [EXIF_FLAG, XMP_FLAG] = [0x08, 0x04];
const PIXELS = new Set(['VP8 ', 'VP8L', 'ALPH']);
/** Pixels, frames, and the color profile. */
const NEEDED = new Set([...PIXELS, 'ANIM', 'ICCP']);

interface Chunk {
  type: string;
  offset: number;
  /** Bytes with the head and the padding, as the file states them. A file that's cut off has fewer. */
  length: number;
}

/** The sides of the picture as it's shown. @throws FileRefused */
export async function readWebp(reader: ByteReader): Promise<Sides> {
  const bytes = await reader.read(RIFF_SIZE, 18);
  const kind = bytes.toString('latin1', 0, 4);
  if (bytes.length < 18) refuse('The WebP has no header');
  if (kind === 'VP8 ' && bytes.readUIntBE(11, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(14) % 0x4000, height: bytes.readUInt16LE(16) % 0x4000 };
  if (kind === 'VP8L' && bytes[8] === 0x2f) {
    const sides = bytes.readUInt32LE(9);
    return { width: (sides % 0x4000) + 1, height: (Math.floor(sides / 0x4000) % 0x4000) + 1 };
  }
  if (kind !== 'VP8X') refuse('The WebP has no header');
  const sides = { width: bytes.readUIntLE(12, 3) + 1, height: bytes.readUIntLE(15, 3) + 1 };
  for await (const chunk of listChunks(reader))
    if (chunk.type === 'EXIF') return turn(sides, await readExif(reader, chunk));
  return sides;
}

/** Keeps the chunks of pixels, frames, and the color profile. */
export async function cleanWebp(reader: ByteReader): Promise<Piece[] | undefined> {
  const output = new Output(reader.size, Buffer.from(await reader.read(0, RIFF_SIZE)));
  let isExtended = false;
  let orientation: number | undefined;
  for await (const chunk of listChunks(reader)) {
    if (chunk.type === 'VP8X' && !isExtended) {
      isExtended = true;
      output.startExtended(Buffer.from(await reader.read(chunk.offset, EXTENDED_SIZE)), chunk);
    } else if (chunk.type === 'ANMF') await keepFrame(reader, output, chunk);
    else if (NEEDED.has(chunk.type)) output.keep(chunk);
    else if (chunk.type === 'EXIF' && isExtended && orientation === undefined) {
      orientation = await readExif(reader, chunk);
      if (orientation !== 1) output.addExif(orientation);
    }
  }
  return output.finish();
}

/** Keeps a frame of an animation without the chunks that aren't pixels. */
async function keepFrame(reader: ByteReader, output: Output, frame: Chunk): Promise<void> {
  const kept: Chunk[] = [];
  let removed = 0;
  for await (const chunk of walk(reader, frame.offset + FRAME_HEAD_SIZE, frame.offset + frame.length)) {
    if (!PIXELS.has(chunk.type)) removed++;
    else if (kept.push(chunk) > MAX_CHUNKS_OF_FRAME) refuse('A frame of the WebP has too many chunks');
  }
  if (kept.length === 0) return;
  if (removed === 0) return output.keep(frame);
  const head = Buffer.from(await reader.read(frame.offset, FRAME_HEAD_SIZE));
  head.writeUInt32LE(
    kept.reduce((sum, { length }) => sum + length, FRAME_HEAD_SIZE - HEAD_SIZE),
    4,
  );
  output.add(head);
  for (const chunk of kept) output.keep(chunk);
}

/** A WebP under construction. Its head has the size, which is known at the end. */
class Output {
  private readonly pieces: PieceList;
  private flags: { before: number; bytes: Buffer } | undefined;
  /** Bytes so far, as the chunks state their lengths. A file that's cut off has fewer. */
  private size = RIFF_SIZE;
  private hasPixels = false;

  constructor(
    private readonly sourceSize: number,
    private readonly head: Buffer,
  ) {
    this.pieces = new PieceList(sourceSize);
    this.pieces.add(head);
  }

  /** Takes the header of an extended file, whose flags say what chunks follow. */
  startExtended(bytes: Buffer, { length }: Chunk): void {
    if (bytes.length < EXTENDED_SIZE || length !== EXTENDED_SIZE) refuse('The WebP has no header');
    this.flags = { before: bytes[HEAD_SIZE]!, bytes };
    bytes[HEAD_SIZE]! &= ~(EXIF_FLAG | XMP_FLAG);
    this.add(bytes);
  }

  addExif(orientation: number): void {
    this.flags!.bytes[HEAD_SIZE]! |= EXIF_FLAG;
    const data = writeOrientation(orientation);
    const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
    head.writeUInt32LE(data.length, 4);
    this.add(Buffer.concat([head, data]));
  }

  add(bytes: Buffer): void {
    this.pieces.add(bytes);
    this.size += bytes.length;
  }

  keep({ type, offset, length }: Chunk): void {
    if (PIXELS.has(type) || type === 'ANMF') this.hasPixels = true;
    this.pieces.keep(offset, length);
    this.size += length;
  }

  finish(): Piece[] | undefined {
    if (!this.hasPixels) refuse('The WebP has no pixels');
    const before = this.head.readUInt32LE(4) + HEAD_SIZE;
    const isSame = this.size === before && this.sourceSize <= before;
    if (isSame && this.flags?.before === this.flags?.bytes[HEAD_SIZE]) return undefined;
    this.head.writeUInt32LE(Math.min(this.size - HEAD_SIZE, 0xfffffffe), 4);
    return this.pieces.finish();
  }
}

async function readExif(reader: ByteReader, { offset, length }: Chunk): Promise<number> {
  return readOrientation(await reader.read(offset + HEAD_SIZE, Math.min(length - HEAD_SIZE, MAX_EXIF)));
}

/** The chunks up to the end that the file gives, or up to where it breaks off. */
async function* listChunks(reader: ByteReader): AsyncGenerator<Chunk> {
  const riff = await reader.read(0, RIFF_SIZE);
  if (riff.length < RIFF_SIZE) refuse('The WebP has no header');
  yield* walk(reader, RIFF_SIZE, HEAD_SIZE + riff.readUInt32LE(4));
}

async function* walk(reader: ByteReader, from: number, to: number): AsyncGenerator<Chunk> {
  const end = Math.min(to, reader.size);
  for (let at = from, count = 0; at + HEAD_SIZE <= end; count++) {
    if (count >= MAX_CHUNKS) refuse('The WebP has too many chunks');
    const head = await reader.read(at, HEAD_SIZE);
    const size = head.readUInt32LE(4);
    const length = HEAD_SIZE + size + (size % 2);
    yield { type: head.toString('latin1', 0, 4), offset: at, length };
    at += length;
  }
}
