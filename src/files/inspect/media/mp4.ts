import { type Box, findBoxes, listBoxes, readBox } from '../boxes.js';
import type { ByteReader } from '../byte-reader.js';
import type { Media } from './media.js';

/** The most tracks whose kind is read. */
const MAX_TRACKS = 100;

/** The duration and the kinds of tracks of an mp4 or a QuickTime file. A file that breaks off before `moov` has neither. */
export async function readMp4(reader: ByteReader): Promise<Media> {
  for await (const box of listBoxes(reader, 0, reader.size))
    if (box.type === 'moov')
      return { durationSeconds: await readDuration(reader, box), ...(await readTracks(reader, box)) };
  return { hasAudio: false, hasVideo: false };
}

async function readDuration(reader: ByteReader, movie: Box): Promise<number | undefined> {
  const [mvhd] = await findBoxes(reader, movie.start, movie.end, 'mvhd');
  if (!mvhd) return undefined;
  const fields = await readBox(reader, mvhd);
  const timeSize = fields.uint(1) === 1 ? 8 : 4;
  const scale = fields.skip(3 + 2 * timeSize).uint(4);
  const duration = fields.uint(timeSize);
  const isUnknown = duration === 0 || duration >= 2 ** (8 * timeSize) - 1;
  return (isUnknown ? await readFragmentDuration(reader, movie) : duration) / scale;
}

/** The duration of a fragmented file, which is in `mehd` if anywhere; otherwise NaN. */
async function readFragmentDuration(reader: ByteReader, movie: Box): Promise<number> {
  const [mvex] = await findBoxes(reader, movie.start, movie.end, 'mvex');
  const [mehd] = mvex ? await findBoxes(reader, mvex.start, mvex.end, 'mehd') : [];
  if (!mehd) return NaN;
  const fields = await readBox(reader, mehd);
  const version = fields.uint(1);
  return fields.skip(3).uint(version === 1 ? 8 : 4);
}

async function readTracks(reader: ByteReader, movie: Box): Promise<{ hasAudio: boolean; hasVideo: boolean }> {
  const kinds = new Set<string>();
  for (const track of (await findBoxes(reader, movie.start, movie.end, 'trak')).slice(0, MAX_TRACKS)) {
    const [mdia] = await findBoxes(reader, track.start, track.end, 'mdia');
    const [hdlr] = mdia ? await findBoxes(reader, mdia.start, mdia.end, 'hdlr') : [];
    if (hdlr) kinds.add((await reader.read(hdlr.start + 8, 4)).toString('latin1'));
  }
  return { hasAudio: kinds.has('soun'), hasVideo: kinds.has('vide') };
}
