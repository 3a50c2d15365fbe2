import { ByteReader, type ByteSource } from './byte-reader.js';
import { FileRefused, refuse } from './file-refused.js';
import { type Media, roundDuration } from './media/media.js';
import { readMp3 } from './media/mp3.js';
import { readMp4 } from './media/mp4.js';
import { readOgg } from './media/ogg.js';
import { readWebm } from './media/webm.js';
import type { PictureHeader } from './pictures/exif.js';
import { cleanGif, readGif } from './pictures/gif.js';
import { cleanHeif, readAvif } from './pictures/heif.js';
import { cleanJpeg, readJpeg } from './pictures/jpeg.js';
import { cleanPng, readPng } from './pictures/png.js';
import { cleanWebp, readWebp } from './pictures/webp.js';
import type { Piece } from './pieces.js';
import { HEAD_SIZE, isAudioBrand, type Kind, recognize, recognizeBinary } from './recognize.js';
import { isText } from './text.js';
import { readZip } from './zip.js';

export { type ByteSource, readWhole } from './byte-reader.js';
export { FileRefused, type FileRefusal } from './file-refused.js';
export { contentDisposition, encodeName, nameFault, savedName } from './names.js';
export type { Piece } from './pieces.js';
export { contentType, isShownInline } from './types.js';

const MAX_PIXELS = 50_000_000;

/** What the bytes of a file are (CONTRACT: Files). */
export interface Inspection {
  type: string;
  /** Pixels as shown, of pictures except heic. */
  width?: number;
  height?: number;
  /** Of audio and video, if the header says it. */
  durationSeconds?: number;
}

const READERS: Record<Kind, (reader: ByteReader, head: Buffer) => Promise<Inspection> | Inspection> = {
  png: async (reader) => picture('image/png', await readPng(reader)),
  jpeg: async (reader) => picture('image/jpeg', await readJpeg(reader)),
  gif: async (reader) => picture('image/gif', await readGif(reader)),
  webp: async (reader) => picture('image/webp', await readWebp(reader)),
  avif: async (reader) => picture('image/avif', await readAvif(reader)),
  heic: () => ({ type: 'image/heic' }),
  mp4: async (reader, head) => {
    const movie = await readMp4(reader);
    return media(isAudioBrand(head) || isAudio(movie) ? 'audio/mp4' : 'video/mp4', movie);
  },
  quicktime: async (reader) => media('video/quicktime', await readMp4(reader)),
  webm: async (reader) => {
    const movie = await readWebm(reader);
    return media(isAudio(movie) ? 'audio/webm' : 'video/webm', movie);
  },
  ogg: async (reader) => {
    const movie = await readOgg(reader);
    return media(movie.hasVideo ? 'video/ogg' : 'audio/ogg', movie);
  },
  mp3: async (reader) => media('audio/mpeg', await readMp3(reader)),
  pdf: () => ({ type: 'application/pdf' }),
  zip: async (reader) => ({ type: await readZip(reader) }),
};

const CLEANERS: Record<string, (reader: ByteReader) => Promise<Piece[] | undefined>> = {
  'image/png': cleanPng,
  'image/jpeg': cleanJpeg,
  'image/gif': cleanGif,
  'image/webp': cleanWebp,
  'image/avif': cleanHeif,
  'image/heic': cleanHeif,
};

/**
 * Finds out what the bytes are (CONTRACT: Files), without decoding or inflating anything. It holds at most 1 MB and takes linear time: it
 * reads texts completely, and mostly the headers of other files.
 *
 * @param name only decides between plain text and csv
 * @throws FileRefused
 */
export async function inspect(source: ByteSource, name: string): Promise<Inspection> {
  const reader = new ByteReader(source);
  const head = await reader.read(0, HEAD_SIZE);
  const kind = recognize(head);
  if (kind) return READERS[kind](reader, head);
  if (await isText(source)) return { type: /\.csv$/i.test(name) ? 'text/csv' : 'text/plain' };
  const binary = recognizeBinary(head);
  return binary ? READERS[binary](reader, head) : refuse('The bytes are of no type that is accepted');
}

/**
 * Removes the data about place, device, and person from a picture (CONTRACT: Files). Returns its pieces in order, or undefined if nothing
 * has to change, which is so for all types but pictures. The pixels aren't encoded again. It holds at most 1 MB and takes linear time.
 *
 * @param type as `inspect` answered it
 * @throws FileRefused if the picture can't be cleaned
 */
export async function clean(source: ByteSource, type: string): Promise<Piece[] | undefined> {
  return Object.hasOwn(CLEANERS, type) ? CLEANERS[type]!(new ByteReader(source)) : undefined;
}

function picture(type: string, { width, height, pixels = 0 }: PictureHeader): Inspection {
  if (width < 1 || height < 1) refuse('The picture has no sides');
  if (Math.max(width * height, pixels) > MAX_PIXELS)
    throw new FileRefused('image_too_large', `${width} x ${height} pixels`);
  return { type, width, height };
}

function media(type: string, { durationSeconds }: Media): Inspection {
  const rounded = roundDuration(durationSeconds);
  return rounded === undefined ? { type } : { type, durationSeconds: rounded };
}

function isAudio({ hasAudio, hasVideo }: Media): boolean {
  return hasAudio && !hasVideo;
}
