import { RunFailure } from '../model/turn.js';

/** The most bytes of a line, and of an event's data. */
const MAX_BYTES = 1024 * 1024;

const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;

/**
 * Reads server-sent events. Lines end with LF, CR, or CRLF, anywhere in the chunks. Only `data` is read: comments and other fields are
 * ignored. Bytes are decoded by whole lines, so a character may be split between chunks.
 */
export class SseParser {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private rest: Buffer[] = [];
  private restBytes = 0;
  private data: string[] = [];
  private dataBytes = 0;
  private isFirstLine = true;
  /** The last chunk ended with CR, so an LF at the beginning of the next one belongs to it. */
  private mayHaveLf = false;

  /** @param onData called with the data of each event */
  constructor(private readonly onData: (data: string) => void) {}

  /** @throws RunFailure too_large; protocol for invalid UTF-8 */
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

  /** Ends the stream. An event without the blank line at its end counts. */
  end(): void {
    if (this.restBytes > 0) this.endLine(Buffer.alloc(0));
    this.endEvent();
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.rest.push(part);
    this.restBytes += part.length;
    if (this.restBytes > MAX_BYTES) throw tooLarge();
  }

  private endLine(part: Buffer): void {
    this.keep(part);
    const line = this.restBytes === part.length ? part : Buffer.concat(this.rest);
    this.rest = [];
    this.restBytes = 0;
    const isBegun = this.isFirstLine && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
    this.isFirstLine = false;
    this.readLine(isBegun ? line.subarray(3) : line);
  }

  private readLine(line: Buffer): void {
    if (line.length === 0) return this.endEvent();
    const colon = line.indexOf(COLON);
    const name = line.subarray(0, colon < 0 ? line.length : colon).toString('latin1');
    if (name !== 'data') return;
    const value = colon < 0 ? Buffer.alloc(0) : line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    this.dataBytes += value.length + 1;
    if (this.dataBytes > MAX_BYTES) throw tooLarge();
    this.data.push(this.decode(value));
  }

  private decode(bytes: Buffer): string {
    try {
      return this.decoder.decode(bytes);
    } catch {
      throw new RunFailure('protocol', 'sent text that is not UTF-8');
    }
  }

  private endEvent(): void {
    if (this.data.length === 0) return;
    const data = this.data.join('\n');
    this.data = [];
    this.dataBytes = 0;
    this.onData(data);
  }
}

function tooLarge(): RunFailure {
  return new RunFailure('too_large', 'sent an event of more than 1 MB');
}
