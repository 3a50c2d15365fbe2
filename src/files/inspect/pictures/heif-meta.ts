import { type Box, findBoxes, listBoxes, readBox } from '../boxes.js';
import type { ByteReader } from '../byte-reader.js';
import type { Fields } from '../fields.js';
import { refuse } from '../file-refused.js';

/** The version and flags that some boxes begin with. */
const VERSION_SIZE = 4;
/** The most parts of a picture file whose bytes are removed. */
export const MAX_RANGES = 10_000;
/** The most bytes of all boxes `ipma` together, and the most properties of the picture that's shown. A valid file gives it at most 255. */
const MAX_ASSOCIATION_BYTES = 1_048_576;
const MAX_PROPERTIES = 4_000;

export interface Range {
  offset: number;
  length: number;
}

/** A part of a picture file: coded pixels, or data about them. */
export interface Item {
  id: number;
  type: string;
  /** Empty unless the type is `mime`. */
  contentType: string;
}

/** The parts of the box `meta` that say what the items of an avif or heic are. */
export class HeifMeta {
  private constructor(
    private readonly reader: ByteReader,
    readonly box: Box,
  ) {}

  /** @throws FileRefused if there's none */
  static async find(reader: ByteReader): Promise<HeifMeta> {
    for await (const box of listBoxes(reader, 0, reader.size))
      if (box.type === 'meta') return new HeifMeta(reader, box);
    return refuse('The picture has no header');
  }

  async child(type: string): Promise<Box | undefined> {
    return (await findBoxes(this.reader, this.box.start + VERSION_SIZE, this.box.end, type))[0];
  }

  /** The properties of the picture that's shown, and all properties. @throws FileRefused if there are too many */
  async properties(): Promise<{ all: Box[]; primary: Box[] }> {
    const [pitm, iprp] = [await this.child('pitm'), await this.child('iprp')];
    if (!pitm || !iprp) refuse('The picture has no header');
    const id = await this.readPrimary(pitm);
    const [ipco] = await findBoxes(this.reader, iprp.start, iprp.end, 'ipco');
    const all: Box[] = [];
    if (ipco) for await (const box of listBoxes(this.reader, ipco.start, ipco.end)) all.push(box);
    const boxes = await findBoxes(this.reader, iprp.start, iprp.end, 'ipma');
    const bytes = boxes.reduce((sum, { start, end }) => sum + end - start, 0);
    if (bytes > MAX_ASSOCIATION_BYTES) refuse('The picture has too many properties');
    const indexes: number[] = [];
    for (const ipma of boxes) findProperties(await readBox(this.reader, ipma), id, indexes);
    return { all, primary: indexes.flatMap((index) => all[index - 1] ?? []) };
  }

  async items(): Promise<Item[]> {
    const iinf = await this.child('iinf');
    if (!iinf) return [];
    const version = (await this.reader.read(iinf.start, 1))[0];
    const items: Item[] = [];
    for await (const box of listBoxes(this.reader, iinf.start + VERSION_SIZE + (version === 0 ? 2 : 4), iinf.end))
      if (box.type === 'infe') items.push(readItem(await readBox(this.reader, box)));
    return items;
  }

  /** Where the bytes of these items are: at most 10,000 ranges. @throws FileRefused if there are more, or the file doesn't say it */
  async ranges(ids: Set<number>): Promise<Range[]> {
    const [iloc, idat] = [await this.child('iloc'), await this.child('idat')];
    return iloc ? readLocations(await readBox(this.reader, iloc), ids, idat) : [];
  }

  private async readPrimary(pitm: Box): Promise<number> {
    const fields = await readBox(this.reader, pitm);
    const version = fields.uint(1);
    return fields.skip(3).uint(version === 0 ? 2 : 4);
  }
}

/** Adds the numbers of an item's properties in a box `ipma` to those found. @throws FileRefused if they become more than 4,000 */
function findProperties(fields: Fields, id: number, found: number[]): void {
  const version = fields.uint(1);
  const indexSize = fields.uint(3) & 1 ? 2 : 1;
  for (let left = fields.uint(4); left > 0; left--) {
    const isItem = fields.uint(version === 0 ? 2 : 4) === id;
    for (let properties = fields.uint(1); properties > 0; properties--) {
      // The highest bit says that readers have to know the property.
      const index = fields.uint(indexSize) & (indexSize === 2 ? 0x7fff : 0x7f);
      if (!isItem) continue;
      if (found.length >= MAX_PROPERTIES) refuse('The picture has too many properties');
      found.push(index);
    }
  }
}

function readItem(fields: Fields): Item {
  const version = fields.uint(1);
  const id = fields.skip(3).uint(version === 3 ? 4 : 2);
  fields.skip(2);
  const type = version < 2 ? 'mime' : fields.latin1(4);
  fields.cString();
  return { id, type, contentType: type === 'mime' ? fields.cString() : '' };
}

/** Reads `iloc`. An item's bytes are in the file, or in `idat`. @throws FileRefused for more than 10,000 ranges */
function readLocations(fields: Fields, ids: Set<number>, idat: Box | undefined): Range[] {
  const version = fields.uint(1);
  const sizes = fields.skip(3).uint(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const ranges: Range[] = [];
  for (let left = fields.uint(version < 2 ? 2 : 4); left > 0; left--) {
    const isWanted = ids.has(fields.uint(version < 2 ? 2 : 4));
    const method = version === 0 ? 0 : fields.uint(2) & 15;
    const isOutside = fields.uint(2) !== 0;
    const base = fields.uint(baseSize);
    const count = fields.uint(2);
    if (count > 1 && indexSize + offsetSize + lengthSize === 0) refuse('The parts of an item have no places');
    for (let extent = 0; extent < count; extent++) {
      const offset = base + fields.skip(indexSize).uint(offsetSize);
      const length = fields.uint(lengthSize);
      if (!isWanted || isOutside) continue;
      if (ranges.length >= MAX_RANGES) refuse('The picture has too many parts to clean');
      ranges.push(locate(method, offset, length, idat));
    }
  }
  return ranges;
}

function locate(method: number, offset: number, length: number, idat: Box | undefined): Range {
  if (method > 1 || length === 0) refuse('The place of an item is not supported');
  if (method === 0) return { offset, length };
  if (!idat || idat.start + offset + length > idat.end) refuse('An item is outside of its box');
  return { offset: idat.start + offset, length };
}
