import { refuse } from './file-refused.js';

/** A part of a cleaned file: a range of the source, or other bytes. */
export type Piece = { offset: number; length: number } | { bytes: Buffer };

/** Real pictures need a few dozen. Only a file made as an attack alternates more often between data to keep and data to remove. */
const MAX_PIECES = 10_000;
const ZEROS = Buffer.alloc(1024 * 1024);

/** Collects the pieces of a cleaned file in order. */
export class PieceList {
  private readonly pieces: Piece[] = [];

  constructor(private readonly sourceSize: number) {}

  keep(offset: number, length: number): void {
    const kept = Math.min(length, this.sourceSize - offset);
    if (kept <= 0) return;
    const last = this.pieces.at(-1);
    if (last && 'offset' in last && last.offset + last.length === offset) last.length += kept;
    else this.push({ offset, length: kept });
  }

  add(bytes: Buffer): void {
    this.push({ bytes });
  }

  /** Any number of zeros. They share their memory. */
  zeros(length: number): void {
    for (let left = length; left > 0; left -= ZEROS.length) this.push({ bytes: ZEROS.subarray(0, left) });
  }

  /** Undefined if the pieces are the source as it is. */
  finish(): Piece[] | undefined {
    const [first, second] = this.pieces;
    const isWhole = first && !second && 'offset' in first && first.offset === 0 && first.length === this.sourceSize;
    return isWhole ? undefined : this.pieces;
  }

  private push(piece: Piece): void {
    if (this.pieces.length >= MAX_PIECES) refuse('The picture has too many parts to clean');
    this.pieces.push(piece);
  }
}
