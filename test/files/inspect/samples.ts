import { readFileSync } from 'node:fs';
import type { ByteSource, Piece } from '../../../src/files/inspect/index.js';

/** A file of test/files/fixtures. ffmpeg, ImageMagick, exiftool, avifenc, heif-enc, and cwebp have made them. */
export const sample = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

/** Bytes in memory. Fails a test that reads more than 1 MB in a call, or outside of the bytes. */
export function sourceOf(bytes: Buffer): ByteSource & { readBytes: number } {
  return {
    size: bytes.length,
    readBytes: 0,
    async read(offset, length) {
      if (!(offset >= 0 && length > 0 && length <= 1024 * 1024 && offset + length <= bytes.length))
        throw new Error(`${length} bytes at ${offset} of ${bytes.length} were read`);
      this.readBytes += length;
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** The bytes of a cleaned picture. Fails if a piece is outside of the source. */
export function join(bytes: Buffer, pieces: Piece[] | undefined): Buffer {
  if (!pieces) return bytes;
  return Buffer.concat(
    pieces.map((piece) => {
      if ('bytes' in piece) return piece.bytes;
      const { offset, length } = piece;
      if (!(offset >= 0 && length > 0 && offset + length <= bytes.length))
        throw new Error(`${length} bytes at ${offset} are a piece`);
      return bytes.subarray(offset, offset + length);
    }),
  );
}

export interface ZipEntry {
  name: string;
  data?: string;
}

/** A zip without compression. @param count what the end record says, if it lies */
export function zip(entries: ZipEntry[], { count = entries.length, comment = '' } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, data = '' } of entries) {
    const title = Buffer.from(name);
    const content = Buffer.from(data);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(title.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt32LE(content.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(title.length, 28);
    central.writeUInt32LE(at, 42);
    parts.push(local, title, content);
    directory.push(central, title);
    at += 30 + title.length + content.length;
  }
  const end = Buffer.alloc(22);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment)]);
}
