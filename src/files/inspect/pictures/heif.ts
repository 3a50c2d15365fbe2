import { type Box, listBoxes, readBox } from '../boxes.js';
import type { ByteReader } from '../byte-reader.js';
import { refuse } from '../file-refused.js';
import { type Piece, PieceList } from '../pieces.js';
import { type PictureHeader, type Sides, turn } from './exif.js';
import { HeifMeta, type Item, MAX_RANGES, type Range } from './heif-meta.js';

/** The boxes that pictures and animations need. Others may have data about place, device, and person. */
const NEEDED = new Set(['ftyp', 'styp', 'meta', 'moov', 'moof', 'mdat', 'imda', 'sidx', 'mfra']);
const PERSONAL_IN_MOVIE = new Set(['udta', 'meta', 'uuid']);
const STRUCTURE = new Set(['ftyp', 'meta', 'moov']);

/** The sides of the picture as it's shown, and the pixels of its largest part. @throws FileRefused */
export async function readAvif(reader: ByteReader): Promise<PictureHeader> {
  const { all, primary } = await (await HeifMeta.find(reader)).properties();
  const ispe = primary.find(({ type }) => type === 'ispe');
  if (!ispe) refuse('The picture has no sides');
  let pixels = 0;
  for (const box of all.filter(({ type }) => type === 'ispe')) {
    const { width, height } = await readSides(reader, box);
    pixels = Math.max(pixels, width * height);
  }
  const irot = primary.find(({ type }) => type === 'irot');
  const quarters = irot ? (await readBox(reader, irot)).uint(1) & 3 : 0;
  return { ...turn(await readSides(reader, ispe), quarters % 2 ? 6 : 1), pixels };
}

async function readSides(reader: ByteReader, ispe: Box): Promise<Sides> {
  const fields = (await readBox(reader, ispe)).skip(4);
  return { width: fields.uint(4), height: fields.uint(4) };
}

/**
 * Overwrites EXIF, XMP, other data about the picture, and provenance with zeros, so that all offsets in the file stay right.
 * @throws FileRefused if these data overlap the header
 */
export async function cleanHeif(reader: ByteReader): Promise<Piece[] | undefined> {
  const meta = await HeifMeta.find(reader);
  const items = (await meta.items()).filter(isPersonal);
  const personal = await meta.ranges(new Set(items.map(({ id }) => id)));
  const idat = await meta.child('idat');
  const end = await checkOverlaps(
    reader,
    personal.filter((range) => !isInside(range, idat)),
  );
  const boxes = await findPersonalBoxes(reader);
  return replace(reader.size, [...personal, ...boxes.map(contentOf), { offset: end, length: reader.size - end }]);
}

/** Returns where the boxes of the file end. @throws FileRefused if a range overlaps a box of the structure */
async function checkOverlaps(reader: ByteReader, ranges: Range[]): Promise<number> {
  const sorted = ranges.toSorted((a, b) => a.offset - b.offset);
  let [next, reach, end] = [0, 0, 0];
  // Boxes are listed in their order, so that the ranges that begin before the end of each are read once.
  for await (const box of listBoxes(reader, 0, reader.size)) {
    for (; next < sorted.length && sorted[next]!.offset < box.end; next++)
      reach = Math.max(reach, sorted[next]!.offset + sorted[next]!.length);
    if (STRUCTURE.has(box.type) && reach > box.offset) refuse('Data about the picture overlap its header');
    end = box.end;
  }
  return end;
}

/** Whether an item has data about the picture instead of pixels. */
function isPersonal({ type, contentType }: Item): boolean {
  return type === 'Exif' || type === 'uri ' || (type === 'mime' && !contentType.startsWith('image/'));
}

/** The boxes that pictures and animations don't need. @throws FileRefused if there are more than 10,000 */
async function findPersonalBoxes(reader: ByteReader): Promise<Box[]> {
  const found: Box[] = [];
  for await (const box of listPersonalBoxes(reader)) {
    if (found.length >= MAX_RANGES) refuse('The picture has too many parts to clean');
    found.push(box);
  }
  return found;
}

async function* listPersonalBoxes(reader: ByteReader): AsyncGenerator<Box> {
  for await (const box of listBoxes(reader, 0, reader.size)) {
    if (box.type === 'moov') yield* listInMovie(reader, box);
    else if (!NEEDED.has(box.type)) yield box;
  }
}

async function* listInMovie(reader: ByteReader, movie: Box): AsyncGenerator<Box> {
  for await (const box of listBoxes(reader, movie.start, movie.end)) {
    if (PERSONAL_IN_MOVIE.has(box.type)) yield box;
    if (box.type !== 'trak') continue;
    for await (const part of listBoxes(reader, box.start, box.end)) if (PERSONAL_IN_MOVIE.has(part.type)) yield part;
  }
}

const contentOf = ({ start, end }: Box): Range => ({ offset: start, length: end - start });

function isInside({ offset, length }: Range, box: Box | undefined): boolean {
  return box !== undefined && offset >= box.start && offset + length <= box.end;
}

function replace(size: number, ranges: Range[]): Piece[] | undefined {
  const pieces = new PieceList(size);
  let at = 0;
  for (const { offset, length } of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const end = Math.min(offset + length, size);
    if (end <= at) continue;
    const start = Math.max(offset, at);
    pieces.keep(at, start - at);
    pieces.zeros(end - start);
    at = end;
  }
  pieces.keep(at, size - at);
  return pieces.finish();
}
