import type { ByteReader } from '../byte-reader.js';
import { refuse } from '../file-refused.js';
import { type Piece, PieceList } from '../pieces.js';
import { EXIF_PREFIX, readOrientation, type Sides, turn, writeOrientation } from './exif.js';

const [SOI, EOI, SOS, APP0, APP1, APP2, APP14] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee];
/** Stands for the coded pixels after SOS. It isn't a marker. */
const PIXELS = 0;
const SCAN_WINDOW = 64 * 1024;
const MAX_SEGMENTS = 100_000;
/** A JFIF header without a thumbnail, with its marker. */
const JFIF_SIZE = 18;

interface Segment {
  marker: number;
  offset: number;
  /** Bytes, including the marker. */
  length: number;
  isCutOff: boolean;
}

/** The sides of the picture as it's shown. @throws FileRefused */
export async function readJpeg(reader: ByteReader): Promise<Sides> {
  let sides: Sides | undefined;
  let orientation: number | undefined;
  for await (const segment of listSegments(reader)) {
    if (segment.marker === SOS) break;
    if (isFrame(segment.marker)) sides ??= await readFrame(reader, segment);
    if (segment.marker === APP1) orientation ??= await readExif(reader, segment);
  }
  if (!sides) refuse('The JPEG has no frame header');
  return turn(sides, orientation ?? 1);
}

/** Keeps what decoders need: the frame, tables, scans, and how to read colors. */
export async function cleanJpeg(reader: ByteReader): Promise<Piece[] | undefined> {
  const pieces = new PieceList(reader.size);
  let hasPixels = false;
  let orientation: number | undefined;
  pieces.keep(0, 2);
  for await (const segment of listSegments(reader)) {
    const { marker, offset, length, isCutOff } = segment;
    if (marker === PIXELS) hasPixels = true;
    else if (isCutOff) break;
    if (marker === APP1 && orientation === undefined) {
      orientation = await readExif(reader, segment);
      if (orientation !== undefined && orientation !== 1) pieces.add(exifSegment(orientation));
    } else if (await hasThumbnail(reader, segment)) pieces.add(await withoutThumbnail(reader, segment));
    else if (await isNeeded(reader, segment)) pieces.keep(offset, length);
  }
  if (!hasPixels) refuse('The JPEG has no pixels');
  return pieces.finish();
}

async function isNeeded(reader: ByteReader, { marker, offset }: Segment): Promise<boolean> {
  if (marker === PIXELS) return true;
  if (marker < APP0) return marker >= 0xc0 && !(marker >= 0xd0 && marker <= SOI);
  const name = (await reader.read(offset + 4, 12)).toString('latin1');
  if (marker === APP0) return name.startsWith('JFIF\0');
  if (marker === APP2) return name === 'ICC_PROFILE\0';
  return marker === APP14 && name.startsWith('Adobe');
}

async function hasThumbnail(reader: ByteReader, { marker, offset, length }: Segment): Promise<boolean> {
  if (marker !== APP0 || length <= JFIF_SIZE) return false;
  return (await reader.read(offset + 4, 5)).toString('latin1') === 'JFIF\0';
}

async function withoutThumbnail(reader: ByteReader, { offset }: Segment): Promise<Buffer> {
  const header = Buffer.from(await reader.read(offset, JFIF_SIZE));
  header.writeUInt16BE(JFIF_SIZE - 2, 2);
  header.writeUInt16BE(0, JFIF_SIZE - 2);
  return header;
}

function exifSegment(orientation: number): Buffer {
  const data = Buffer.concat([EXIF_PREFIX, writeOrientation(orientation)]);
  return Buffer.concat([Buffer.from([0xff, APP1, 0, data.length + 2]), data]);
}

/** SOF0 to SOF15. Three numbers between them are other segments. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

async function readFrame(reader: ByteReader, { offset }: Segment): Promise<Sides> {
  const bytes = await reader.read(offset, 9);
  if (bytes.length < 9) refuse('The JPEG has no sides');
  return { height: bytes.readUInt16BE(5), width: bytes.readUInt16BE(7) };
}

/** The orientation of an EXIF segment; undefined for another one. */
async function readExif(reader: ByteReader, { offset, length }: Segment): Promise<number | undefined> {
  const data = await reader.read(offset + 4, length - 4);
  return data.subarray(0, EXIF_PREFIX.length).equals(EXIF_PREFIX) ? readOrientation(data) : undefined;
}

/**
 * The segments after SOI, up to EOI or to the end of the file. The coded pixels after SOS are a segment of their own. Other bytes between
 * segments are skipped, as decoders do.
 */
async function* listSegments(reader: ByteReader): AsyncGenerator<Segment> {
  let at = await findMarker(reader, 2);
  for (let count = 0; at < reader.size; count++) {
    if (count >= MAX_SEGMENTS) refuse('The JPEG has too many segments');
    const segment = await readSegment(reader, at);
    yield segment;
    if (segment.marker === EOI) return;
    const end = at + segment.length;
    at = await findMarker(reader, end);
    if (segment.marker === SOS) yield { marker: PIXELS, offset: end, length: at - end, isCutOff: at === reader.size };
  }
}

async function readSegment(reader: ByteReader, offset: number): Promise<Segment> {
  const head = await reader.read(offset, 4);
  const marker = head[1]!;
  if (marker === EOI || marker === SOI || isStandalone(marker)) return { marker, offset, length: 2, isCutOff: false };
  const length = head.length < 4 ? 4 : 2 + Math.max(head.readUInt16BE(2), 2);
  return { marker, offset, length: Math.min(length, reader.size - offset), isCutOff: offset + length > reader.size };
}

/** RST0 to RST7 and TEM have no length. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** The place of the next marker, or the end of the file. 0xff followed by 0 or by RST0 to RST7 belongs to coded pixels, and is skipped. */
async function findMarker(reader: ByteReader, from: number): Promise<number> {
  for (let at = from; at + 1 < reader.size;) {
    const bytes = await reader.read(at, SCAN_WINDOW);
    let found = bytes.indexOf(0xff);
    while (found !== -1 && found + 1 < bytes.length && !isMarker(bytes[found + 1]!))
      found = bytes.indexOf(0xff, found + 1);
    if (found !== -1 && found + 1 < bytes.length) return at + found;
    at += found === -1 ? bytes.length : found;
  }
  return reader.size;
}

function isMarker(code: number): boolean {
  return code !== 0x00 && code !== 0xff && !isStandalone(code);
}
