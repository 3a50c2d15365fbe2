import { RunFailure } from '../model/turn.js';

/** The most bytes of a line. */
export const MAX_LINE_BYTES = 1024 * 1024;

const LF = 10;
const CR = 13;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Cuts bytes into lines. They end with LF, CR, or CRLF, anywhere in the chunks. */
export class LineParser {
  private rest: Buffer[] = [];
  private restBytes = 0;
  /** Whether the last chunk ended with CR, so that an LF at the beginning of the next one belongs to it. */
  private mayHaveLf = false;
  private isFirstLine = true;

  /** @param onLine called with each line, without its end */
  constructor(private readonly onLine: (line: Buffer) => void) {}

  /** @throws RunFailure too_large */
  push(chunk: Buffer): void {
    let start = this.mayHaveLf && chunk[0] === LF ? 1 : 0;
    if (chunk.length > 0) this.mayHaveLf = false;
    for (let at = start; at < chunk.length; at++) {
      if (chunk[at] !== LF && chunk[at] !== CR) continue;
      this.endLine(chunk.subarray(start, at));
      if (chunk[at] === CR) {
        if (at + 1 === chunk.length) this.mayHaveLf = true;
        else if (chunk[at + 1] === LF) at++;
      }
      start = at + 1;
    }
    this.keep(chunk.subarray(start));
  }

  /** Ends the last line, if it has anything. */
  end(): void {
    if (this.restBytes > 0) this.endLine(Buffer.alloc(0));
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.rest.push(part);
    this.restBytes += part.length;
    if (this.restBytes > MAX_LINE_BYTES) throw tooLarge();
  }

  private endLine(part: Buffer): void {
    this.keep(part);
    const line = this.restBytes === part.length ? part : Buffer.concat(this.rest);
    this.rest = [];
    this.restBytes = 0;
    const hasMark = this.isFirstLine && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
    this.isFirstLine = false;
    this.onLine(hasMark ? line.subarray(3) : line);
  }
}

/** The text of a whole line, so that a character may be split between chunks. @throws RunFailure protocol for invalid UTF-8 */
export function decodeLine(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RunFailure('protocol', 'sent text that is not UTF-8');
  }
}

export function tooLarge(): RunFailure {
  return new RunFailure('too_large', 'sent an event of more than 1 MB');
}
