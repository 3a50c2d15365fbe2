/** Bytes that can be read at any place without being held in memory. */
export interface ByteSource {
  readonly size: number;
  /** Answers `length` bytes, or fewer at the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

const FIRST_WINDOW = 64 * 1024;
/** The most bytes that one call may read, and that a reader holds. */
export const MAX_WINDOW = 1024 * 1024;

/**
 * Reads small pieces of a source through a window, so that walking over a file takes few requests. The window grows with each request,
 * to 1 MB.
 */
export class ByteReader {
  readonly size: number;
  private window: Buffer = Buffer.alloc(0);
  private start = 0;
  private nextWindow = FIRST_WINDOW;

  constructor(private readonly source: ByteSource) {
    this.size = source.size;
  }

  /** The bytes at `offset`, at most 1 MB. There are fewer than `length` only at the end of the file. */
  async read(offset: number, length: number): Promise<Buffer> {
    return this.peek(offset, length) ?? this.load(offset, length);
  }

  /** The bytes, if the window has all of them. */
  private peek(offset: number, length: number): Buffer | undefined {
    const end = Math.min(offset + length, this.size);
    if (offset < this.start || end > this.start + this.window.length) return undefined;
    return this.window.subarray(offset - this.start, Math.max(end, offset) - this.start);
  }

  private async load(offset: number, length: number): Promise<Buffer> {
    if (length > MAX_WINDOW) throw new RangeError(`at most ${MAX_WINDOW} bytes can be read in a call`);
    const wanted = Math.min(Math.max(length, this.nextWindow), Math.max(this.size - offset, 0));
    this.nextWindow = Math.min(this.nextWindow * 2, MAX_WINDOW);
    this.window = await readWhole(this.source, offset, wanted);
    this.start = offset;
    return this.window.subarray(0, length);
  }
}

/** Repeats short reads. A source that ends before its size is a fault of the store, so the file isn't refused for it. */
export async function readWhole(source: ByteSource, offset: number, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  for (let got = 0; got < length;) {
    const part = await source.read(offset + got, length - got);
    if (part.length === 0) throw new Error(`The bytes end at ${offset + got} instead of ${source.size}`);
    parts.push(part.subarray(0, length - got));
    got += part.length;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
