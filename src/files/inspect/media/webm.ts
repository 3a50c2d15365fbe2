import type { ByteReader } from '../byte-reader.js';
import { Fields } from '../fields.js';
import { refuse } from '../file-refused.js';
import type { Media } from './media.js';

const [EBML, DOC_TYPE, SEGMENT, INFO, TRACKS, CLUSTER] = [
  0x1a45dfa3, 0x4282, 0x18538067, 0x1549a966, 0x1654ae6b, 0x1f43b675,
];
const [TIMESTAMP_SCALE, DURATION, TRACK, TRACK_TYPE] = [0x2ad7b1, 0x4489, 0xae, 0x83];
const [VIDEO, AUDIO] = [1, 2];
const DEFAULT_SCALE = 1_000_000;
/** The most elements of one element, or of the file, that are read. The rest is ignored. */
const MAX_ELEMENTS = 1_000;
/** The most elements on all levels together. */
const MAX_ELEMENTS_OF_FILE = 10_000;

interface Element {
  id: number;
  start: number;
  end: number;
}

/**
 * The duration and the kinds of tracks of a WebM, from the part before its first cluster.
 * @throws FileRefused for other Matroska files, and for more than 10,000 elements
 */
export function readWebm(reader: ByteReader): Promise<Media> {
  return readFile({ reader, count: 0 });
}

/** The file, and how many of its elements were read. */
interface Webm {
  readonly reader: ByteReader;
  count: number;
}

async function readFile(file: Webm): Promise<Media> {
  const media: Media = { hasAudio: false, hasVideo: false };
  for await (const { id, start, end } of listElements(file, 0, file.reader.size)) {
    if (id === EBML && (await readDocType(file, start, end)) !== 'webm')
      refuse('Of Matroska files, only WebM is accepted');
    if (id !== SEGMENT) continue;
    for await (const part of listElements(file, start, end)) {
      if (part.id === CLUSTER) break;
      if (part.id === INFO) media.durationSeconds = await readDuration(file, part);
      if (part.id === TRACKS) await readTracks(file, part, media);
    }
    break;
  }
  return media;
}

async function readDocType(file: Webm, from: number, to: number): Promise<string> {
  for await (const { id, start, end } of listElements(file, from, to))
    if (id === DOC_TYPE) return new Fields(await file.reader.read(start, Math.min(end - start, 16))).cString();
  return '';
}

async function readDuration(file: Webm, info: Element): Promise<number | undefined> {
  let scale = DEFAULT_SCALE;
  let duration: number | undefined;
  for await (const { id, start, end } of listElements(file, info.start, info.end)) {
    const bytes = await file.reader.read(start, Math.min(end - start, 8));
    if (id === TIMESTAMP_SCALE) scale = new Fields(bytes).uint(bytes.length);
    if (id === DURATION && bytes.length === 4) duration = bytes.readFloatBE();
    if (id === DURATION && bytes.length === 8) duration = bytes.readDoubleBE();
  }
  return duration === undefined ? undefined : (duration * scale) / 1e9;
}

async function readTracks(file: Webm, tracks: Element, media: Media): Promise<void> {
  for await (const track of listElements(file, tracks.start, tracks.end)) {
    if (track.id !== TRACK) continue;
    for await (const { id, start } of listElements(file, track.start, track.end)) {
      const kind = id === TRACK_TYPE ? (await file.reader.read(start, 1))[0] : undefined;
      if (kind === VIDEO) media.hasVideo = true;
      if (kind === AUDIO) media.hasAudio = true;
    }
  }
}

/** The elements in a range, at most 1,000. Ends at the first that isn't one. @throws FileRefused if the file has more than 10,000 */
async function* listElements(file: Webm, from: number, to: number): AsyncGenerator<Element> {
  for (let at = from, count = 0; at < to && count < MAX_ELEMENTS; count++) {
    const head = await file.reader.read(at, 12);
    const idSize = sizeOf(head[0]);
    const lengthSize = sizeOf(head[idSize]);
    if (idSize > 4 || lengthSize > 8 || head.length < idSize + lengthSize) return;
    const fields = new Fields(head);
    const id = fields.uint(idSize);
    // The first bit that's set says how many bytes the length has. If all others are set too, it's unknown.
    const first = fields.uint(1) % 2 ** (8 - lengthSize);
    const length = first * 256 ** (lengthSize - 1) + fields.uint(lengthSize - 1);
    if (file.count++ >= MAX_ELEMENTS_OF_FILE) refuse('The file has too many elements');
    const start = at + idSize + lengthSize;
    const end = length >= 2 ** (7 * lengthSize) - 1 ? to : Math.min(start + length, to);
    yield { id, start, end };
    at = end;
  }
}

/** How many bytes a number has: its leading zero bits say it. 9 if the first byte is missing or 0. */
function sizeOf(first: number | undefined): number {
  return first ? Math.clz32(first) - 23 : 9;
}
