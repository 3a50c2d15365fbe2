import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { clean, FileRefused, inspect } from '../../../src/files/inspect/index.js';
import { join, sample, sourceOf, zip } from './samples.js';

const ROUNDS = 1_500;
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/heic'];
/** Numbers where lengths and counts go wrong. */
const EDGES = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0xfe, 0xd9, 0xda];
const docx = zip([
  { name: '[Content_Types].xml', data: 'x' },
  { name: 'word/document.xml' },
  { name: 'mimetype', data: 'x' },
]);

/** Numbers below `limit`, the same in each run. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Changes, removes, and repeats bytes, mostly in the first 1,000, where headers are. */
function mutate(bytes: Buffer, random: (limit: number) => number): Buffer {
  let changed = Buffer.from(bytes);
  for (let changes = 1 + random(6); changes > 0; changes--) {
    const at = random(random(4) === 0 ? changed.length : Math.min(changed.length, 1_000));
    const length = random(40);
    const way = random(8);
    if (way < 3) changed[at] = EDGES[random(EDGES.length)]!;
    else if (way < 5) changed[at] = random(256);
    else if (way === 5) changed.fill(random(2) * 255, at, Math.min(at + random(8), changed.length));
    else if (way === 6) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)]);
    else changed = Buffer.concat([changed.subarray(0, at + length), changed.subarray(at)]);
    if (changed.length === 0) return Buffer.from([0]);
  }
  return random(10) === 0 ? changed.subarray(0, 1 + random(changed.length)) : changed;
}

/** The result, or the refusal. Any other error fails the test. */
async function accept<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return undefined;
  }
}

/** Inspects and cleans bytes. `sourceOf` and `join` fail if anything is read, or is a piece, outside of the bytes. */
async function tryBytes(bytes: Buffer, type: string): Promise<void> {
  const source = sourceOf(bytes);
  await accept(inspect(source, 'x.csv'));
  const pieces = await accept(clean(source, type));
  expect(join(bytes, pieces).length).toBeLessThanOrEqual(bytes.length + 100);
  // Small files are in one window. It's read again only to go back.
  expect(source.readBytes).toBeLessThanOrEqual(40 * bytes.length + 1_000);
}

describe('inspect and clean', () => {
  const samples = readdirSync(new URL('../fixtures/', import.meta.url)).map((name): [string, Buffer] => [
    name,
    sample(name),
  ]);

  it.each([...samples, ['a docx', docx] as [string, Buffer]])('only refuse what was %s', async (name, bytes) => {
    const random = randomFrom(name.length * 1_000 + bytes.length);
    const { type } = (await accept(inspect(sourceOf(bytes), 'x'))) ?? { type: TYPES[random(TYPES.length)]! };
    for (let round = 0; round < ROUNDS; round++) await tryBytes(mutate(bytes, random), type);
  });

  it.each(samples)('only refuse each beginning of %s', async (_, bytes) => {
    const { type } = (await accept(inspect(sourceOf(bytes), 'x'))) ?? { type: 'image/png' };
    for (let length = 1; length < bytes.length; length += 1 + Math.floor(length / 50))
      await tryBytes(bytes.subarray(0, length), type);
  });

  it('only refuse random bytes', async () => {
    const random = randomFrom(1);
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = Buffer.from(Array.from({ length: 1 + random(300) }, () => random(256)));
      await tryBytes(bytes, TYPES[round % TYPES.length]!);
    }
  });
});
