import type { ByteReader } from '../byte-reader.js';
import { refuse } from '../file-refused.js';
import type { Media } from './media.js';

const ID3_SIZE = 10;
const MAX_TAGS = 10;
/** Zeros that some programs leave between the tags and the first frame. */
const MAX_PADDING = 64 * 1024;
const LAYER_3 = 1;
const BITRATES_1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES = [44_100, 48_000, 32_000];

interface Frame {
  /** Bytes of the frame. */
  length: number;
  samples: number;
  /** Samples per second. */
  rate: number;
  /** Kilobits per second. */
  bitrate: number;
  /** Where a Xing header, which has the number of frames, would begin in the frame. */
  xing: number;
}

/** The duration of an mp3. @throws FileRefused if no frames follow the tags */
export async function readMp3(reader: ByteReader): Promise<Media> {
  const at = await findFrames(reader);
  const first = await readFrame(reader, at);
  if (!first) refuse('The audio has no frames of MPEG layer III');
  const next = at + first.length;
  if (next + 4 <= reader.size && !(await readFrame(reader, next))) refuse('The audio has no second frame');
  const frames = await readFrameCount(reader, at, first);
  const seconds = frames ? (frames * first.samples) / first.rate : ((reader.size - at) * 8) / (first.bitrate * 1_000);
  return { hasAudio: true, hasVideo: false, durationSeconds: seconds };
}

/** Where the frames begin: after ID3 tags and zeros. */
async function findFrames(reader: ByteReader): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const head = await reader.read(at, ID3_SIZE);
    if (head.length < ID3_SIZE || head.toString('latin1', 0, 3) !== 'ID3') break;
    const size = head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    const hasFooter = (head[5]! & 0x10) !== 0;
    at += ID3_SIZE + size + (hasFooter ? ID3_SIZE : 0);
  }
  if (at === 0) return 0;
  const padding = (await reader.read(at, MAX_PADDING)).findIndex((byte) => byte !== 0);
  return at + Math.max(padding, 0);
}

async function readFrame(reader: ByteReader, at: number): Promise<Frame | undefined> {
  const head = await reader.read(at, 4);
  if (head.length < 4 || head[0] !== 0xff || head[1]! < 0xe0) return undefined;
  const version = (head[1]! >> 3) & 3;
  const isVersion1 = version === 3;
  const bitrate = (isVersion1 ? BITRATES_1 : BITRATES_2)[(head[2]! >> 4) - 1];
  const baseRate = RATES[(head[2]! >> 2) & 3];
  if (((head[1]! >> 1) & 3) !== LAYER_3 || version === 1 || !bitrate || !baseRate) return undefined;
  const rate = isVersion1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const samples = isVersion1 ? 1152 : 576;
  const isMono = head[3]! >> 6 === 3;
  const length = Math.floor((samples * bitrate * 125) / rate) + ((head[2]! >> 1) & 1);
  return { length, samples, rate, bitrate, xing: isVersion1 ? (isMono ? 21 : 36) : isMono ? 13 : 21 };
}

/** The number of frames, if the first one has it: in a Xing or Info header, or in VBRI. */
async function readFrameCount(reader: ByteReader, at: number, { xing }: Frame): Promise<number | undefined> {
  const header = await reader.read(at + xing, 12);
  const name = header.toString('latin1', 0, 4);
  if (header.length === 12 && (name === 'Xing' || name === 'Info') && header[7]! & 1) return header.readUInt32BE(8);
  const vbri = await reader.read(at + 36, 18);
  return vbri.length === 18 && vbri.toString('latin1', 0, 4) === 'VBRI' ? vbri.readUInt32BE(14) : undefined;
}
