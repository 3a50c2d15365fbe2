const ORIENTATION = 0x0112;
const SHORT = 3;
/** The prefix of EXIF data in a JPEG, which some programs write into a WebP too. */
export const EXIF_PREFIX = Buffer.from('Exif\0\0', 'latin1');

/** The orientation in EXIF data, 1 to 8; 1 (upright) if there's none, or if it can't be read. */
export function readOrientation(exif: Buffer): number {
  const tiff = exif.subarray(0, EXIF_PREFIX.length).equals(EXIF_PREFIX) ? exif.subarray(EXIF_PREFIX.length) : exif;
  const order = tiff.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return 1;
  const uint = (at: number, size: 2 | 4) => {
    if (at + size > tiff.length) return 0;
    return order === 'II*\0' ? tiff.readUIntLE(at, size) : tiff.readUIntBE(at, size);
  };
  const directory = uint(4, 4);
  const count = uint(directory, 2);
  for (let index = 0, at = directory + 2; index < count && at + 12 <= tiff.length; index++, at += 12) {
    if (uint(at, 2) !== ORIENTATION) continue;
    const value = uint(at + 8, 2);
    return uint(at + 2, 2) === SHORT && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** EXIF data that has an orientation and nothing else. */
export function writeOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(SHORT, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

export interface Sides {
  width: number;
  height: number;
}

export interface PictureHeader extends Sides {
  /** The pixels of the largest part, if parts have sides of their own. */
  pixels?: number;
}

/** The sides as they're shown: orientations from 5 on turn the picture by a quarter. */
export function turn({ width, height }: Sides, orientation: number): Sides {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
