import { refuse } from './file-refused.js';

/** The fields of a binary structure, one after the other. Reading beyond its end refuses the file. */
export class Fields {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** A big-endian number of 0 to 8 bytes. Above 2^53, it's rounded. */
  uint(size: number): number {
    let value = 0;
    for (const byte of this.take(size)) value = value * 256 + byte;
    return value;
  }

  /** The same with the lowest byte first, as zip and ogg have it. */
  uintLE(size: number): number {
    let value = 0;
    for (const byte of this.take(size).toReversed()) value = value * 256 + byte;
    return value;
  }

  latin1(size: number): string {
    return this.take(size).toString('latin1');
  }

  /** The text up to a zero byte, or to the end. */
  cString(): string {
    const zero = this.bytes.indexOf(0, this.at);
    const end = zero === -1 ? this.bytes.length : zero;
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = Math.min(end + 1, this.bytes.length);
    return text;
  }

  skip(size: number): this {
    this.take(size);
    return this;
  }

  private take(size: number): Buffer {
    if (size > this.left) refuse('A structure ends too early');
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}
