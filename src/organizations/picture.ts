/** Where a picture of the organization is shown. */
export const PICTURE_PLACES = ['launcher', 'bot'] as const;
export type PicturePlace = (typeof PICTURE_PLACES)[number];

export const MAX_PICTURE_BYTES = 65_536;
/** The most pixels of a side: a small file can have so many that it fills a browser's memory. */
export const MAX_PICTURE_SIDE = 512;

interface Picture {
  type: 'image/png' | 'image/webp';
  width: number;
  height: number;
}

/** Why an organization may not use this file as a picture; null: it may. */
export function findPictureFault(bytes: Buffer): string | null {
  if (bytes.length > MAX_PICTURE_BYTES) return `must have at most ${MAX_PICTURE_BYTES} bytes`;
  const picture = readPicture(bytes);
  if (!picture) return 'must be a PNG or a WebP picture';
  const isFit = [picture.width, picture.height].every((side) => side >= 1 && side <= MAX_PICTURE_SIDE);
  return isFit ? null : `must have at most ${MAX_PICTURE_SIDE} by ${MAX_PICTURE_SIDE} pixels`;
}

/** The type and size that a picture's own bytes state; null for anything else, such as SVG, which can contain scripts. */
export function readPicture(bytes: Buffer): Picture | null {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (bytes.length < 30) return null;
  if (text(0, 8) === '\u0089PNG\r\n\u001a\n' && text(12, 16) === 'IHDR')
    return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (text(0, 4) !== 'RIFF' || text(8, 12) !== 'WEBP') return null;
  const sides = readWebP(bytes, text(12, 16));
  return sides && { type: 'image/webp', width: sides[0], height: sides[1] };
}

/** The width and the height of a lossy, a lossless, or an extended WebP picture. */
function readWebP(bytes: Buffer, kind: string): [width: number, height: number] | null {
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) % 0x4000, bytes.readUInt16LE(28) % 0x4000];
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind !== 'VP8L') return null;
  const sides = bytes.readUInt32LE(21);
  return [(sides % 0x4000) + 1, (Math.floor(sides / 0x4000) % 0x4000) + 1];
}
