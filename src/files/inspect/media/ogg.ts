import type { ByteReader } from '../byte-reader.js';
import { Fields } from '../fields.js';
import { refuse } from '../file-refused.js';
import type { Media } from './media.js';

const PAGE_SIZE = 27;
const FIRST_OF_STREAM = 2;
const MAX_STREAMS = 16;
const MAX_FIRST_PACKET = 255;
/** Bytes at the end of the file, more than the longest page. The last page of a stream has its duration. */
const TAIL = 128 * 1024;

interface Stream {
  serial: number;
  isVideo: boolean;
  /** The seconds of a position in the stream. */
  toSeconds: (granule: number) => number;
}

interface Page {
  isFirst: boolean;
  serial: number;
  packet: Buffer;
  end: number;
}

/** The duration and the kinds of streams of an Ogg. @throws FileRefused if it has only streams of other kinds */
export async function readOgg(reader: ByteReader): Promise<Media> {
  const streams = await listStreams(reader);
  const audio = streams.find(({ isVideo }) => !isVideo);
  const video = streams.find(({ isVideo }) => isVideo);
  const main = audio ?? video;
  if (!main) refuse('The Ogg has no audio or video that is known');
  return {
    hasAudio: audio !== undefined,
    hasVideo: video !== undefined,
    durationSeconds: await readDuration(reader, main),
  };
}

/** Reads the first page of each stream. All streams begin before the first one continues. */
async function listStreams(reader: ByteReader): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (let at = 0, count = 0; count < MAX_STREAMS; count++) {
    const page = await readPage(reader, at);
    if (!page?.isFirst) break;
    const stream = identify(page.packet);
    if (stream) streams.push({ serial: page.serial, ...stream });
    at = page.end;
  }
  return streams;
}

async function readPage(reader: ByteReader, at: number): Promise<Page | undefined> {
  const head = await reader.read(at, PAGE_SIZE);
  if (head.length < PAGE_SIZE || head.toString('latin1', 0, 4) !== 'OggS') return undefined;
  const lengths = await reader.read(at + PAGE_SIZE, head[26]!);
  const start = at + PAGE_SIZE + lengths.length;
  const length = lengths.reduce((sum, part) => sum + part, 0);
  const packet = await reader.read(start, Math.min(length, MAX_FIRST_PACKET));
  return { isFirst: (head[5]! & FIRST_OF_STREAM) !== 0, serial: head.readUInt32LE(14), packet, end: start + length };
}

/** The kind of a stream, by the beginning of its first packet. */
function identify(packet: Buffer): Omit<Stream, 'serial'> | undefined {
  const name = packet.toString('latin1', 0, 8);
  const fields = new Fields(packet);
  const audio = (rate: number, before = 0) => ({
    isVideo: false,
    toSeconds: (granule: number) => (granule - before) / rate,
  });
  if (name === 'OpusHead') return audio(48_000, fields.skip(10).uintLE(2));
  if (name.startsWith('\x01vorbis')) return audio(fields.skip(12).uintLE(4));
  if (name === 'Speex   ') return audio(fields.skip(36).uintLE(4));
  if (name.startsWith('\x7fFLAC')) return audio(fields.skip(27).uint(3) >> 4);
  if (name.startsWith('\x80theora')) return theora(fields);
  return name.startsWith('\x01video') ? { isVideo: true, toSeconds: () => NaN } : undefined;
}

/** A position has the number of the last key frame, and the frames since then. */
function theora(fields: Fields): Omit<Stream, 'serial'> {
  const rate = fields.skip(22).uint(4) / fields.uint(4);
  const shift = 2 ** ((fields.skip(10).uint(2) >> 5) & 31);
  return { isVideo: true, toSeconds: (granule) => (Math.floor(granule / shift) + (granule % shift)) / rate };
}

async function readDuration(reader: ByteReader, { serial, toSeconds }: Stream): Promise<number | undefined> {
  const tail = await reader.read(Math.max(reader.size - TAIL, 0), TAIL);
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    const page = tail.subarray(at, at + PAGE_SIZE);
    if (page.length < PAGE_SIZE || page.readUInt32LE(14) !== serial) continue;
    // -1: no packet ends on this page.
    const granule = page.readBigInt64LE(6);
    if (granule >= 0n) return toSeconds(Number(granule));
  }
  return undefined;
}
