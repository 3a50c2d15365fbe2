import { crc32 } from 'node:zlib';
import type { ByteReader } from '../byte-reader.js';
import { refuse } from '../file-refused.js';
import { type Piece, PieceList } from '../pieces.js';
import { readOrientation, type Sides, turn, writeOrientation } from './exif.js';

const SIGNATURE_SIZE = 8;
/** A chunk's length, type, and checksum. */
const FRAME_SIZE = 12;
const MAX_CHUNKS = 100_000;
/** The most bytes of EXIF that are read. The orientation is at the beginning. */
const MAX_EXIF = 64 * 1024;
/** What decoders need: pixels, frames, transparency, and how to read colors. */
const NEEDED = new Set(
  'IHDR PLTE IDAT IEND acTL fcTL fdAT tRNS bKGD sBIT pHYs gAMA cHRM sRGB iCCP cICP mDCV cLLI mDCv cLLi'.split(' '),
);

interface Chunk {
  type: string;
  offset: number;
  /** Bytes, including the chunk's length, type, and checksum. */
  length: number;
  isCutOff: boolean;
}

/** The sides of the picture as it's shown. @throws FileRefused */
export async function readPng(reader: ByteReader): Promise<Sides> {
  const header = await reader.read(SIGNATURE_SIZE, 8 + 13);
  if (header.length < 21 || header.toString('latin1', 4, 8) !== 'IHDR') refuse('The PNG has no header');
  const sides = { width: header.readUInt32BE(8), height: header.readUInt32BE(12) };
  for await (const chunk of listChunks(reader))
    if (chunk.type === 'eXIf') return turn(sides, await readExif(reader, chunk));
  return sides;
}

/** Keeps the chunks that decoders need. */
export async function cleanPng(reader: ByteReader): Promise<Piece[] | undefined> {
  const pieces = new PieceList(reader.size);
  let orientation: number | undefined;
  let hasPixels = false;
  pieces.keep(0, SIGNATURE_SIZE);
  for await (const chunk of listChunks(reader)) {
    if (chunk.type === 'IDAT') hasPixels = true;
    if (chunk.isCutOff && chunk.type !== 'IDAT' && chunk.type !== 'fdAT') break;
    if (NEEDED.has(chunk.type)) pieces.keep(chunk.offset, chunk.length);
    else if (chunk.type === 'eXIf' && orientation === undefined) {
      orientation = await readExif(reader, chunk);
      if (orientation !== 1) pieces.add(exifChunk(orientation));
    }
  }
  if (!hasPixels) refuse('The PNG has no pixels');
  return pieces.finish();
}

async function readExif(reader: ByteReader, { offset, length }: Chunk): Promise<number> {
  return readOrientation(await reader.read(offset + 8, Math.min(length - FRAME_SIZE, MAX_EXIF)));
}

function exifChunk(orientation: number): Buffer {
  const data = writeOrientation(orientation);
  const chunk = Buffer.alloc(data.length + FRAME_SIZE);
  chunk.writeUInt32BE(data.length);
  chunk.write('eXIf', 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** The chunks up to IEND, or up to where the file breaks off. */
async function* listChunks(reader: ByteReader): AsyncGenerator<Chunk> {
  for (let at = SIGNATURE_SIZE, count = 0; at + 8 <= reader.size; count++) {
    if (count >= MAX_CHUNKS) refuse('The PNG has too many chunks');
    const head = await reader.read(at, 8);
    const type = head.toString('latin1', 4);
    if (!/^[A-Za-z]{4}$/.test(type)) return;
    const length = head.readUInt32BE() + FRAME_SIZE;
    yield { type, offset: at, length, isCutOff: at + length > reader.size };
    if (type === 'IEND') return;
    at += length;
  }
}
