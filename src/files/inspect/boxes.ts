import { type ByteReader, MAX_WINDOW } from './byte-reader.js';
import { Fields } from './fields.js';
import { refuse } from './file-refused.js';

const MAX_BOXES = 10_000;

/** A box of the ISO base media file format, which mp4, QuickTime, avif, and heic use. */
export interface Box {
  type: string;
  offset: number;
  /** Where its content begins. */
  start: number;
  /** Where its content ends: at most at the end of the range that was listed. */
  end: number;
}

/** The boxes in a range, up to the first bytes that aren't a box. @throws FileRefused if there are more than 10,000 */
export async function* listBoxes(reader: ByteReader, from: number, to: number): AsyncGenerator<Box> {
  for (let at = from, count = 0; at + 8 <= to; count++) {
    if (count >= MAX_BOXES) refuse('The file has too many boxes');
    const head = await reader.read(at, 16);
    if (head.length < 8) return;
    const small = head.readUInt32BE();
    const isLarge = small === 1 && head.length === 16;
    const size = isLarge ? Number(head.readBigUInt64BE(8)) : small || to - at;
    const start = at + (isLarge ? 16 : 8);
    if (at + size < start) return;
    const end = Math.min(at + size, to);
    yield { type: head.toString('latin1', 4, 8), offset: at, start, end };
    at = end;
  }
}

/** The boxes of a type in a range. */
export async function findBoxes(reader: ByteReader, from: number, to: number, type: string): Promise<Box[]> {
  const found: Box[] = [];
  for await (const box of listBoxes(reader, from, to)) if (box.type === type) found.push(box);
  return found;
}

/** The content of a box. @throws FileRefused if it has more than 1 MB */
export async function readBox(reader: ByteReader, { start, end }: Box): Promise<Fields> {
  if (end - start > MAX_WINDOW) refuse('A box of the header is too large');
  return new Fields(await reader.read(start, end - start));
}
