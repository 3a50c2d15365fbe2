import { decodeLine, LineParser, MAX_LINE_BYTES, tooLarge } from './lines.js';

const COLON = 58;
const SPACE = 32;

/** Reads server-sent events. Only `data` is read: comments and other fields are ignored. */
export class SseParser {
  private readonly lines = new LineParser((line) => this.readLine(line));
  private data: string[] = [];
  private dataBytes = 0;

  /** @param onData called with the data of each event */
  constructor(private readonly onData: (data: string) => void) {}

  /** @throws RunFailure too_large; protocol for invalid UTF-8 */
  push(chunk: Buffer): void {
    this.lines.push(chunk);
  }

  /** Ends the stream. An event without the blank line at its end counts. */
  end(): void {
    this.lines.end();
    this.endEvent();
  }

  private readLine(line: Buffer): void {
    if (line.length === 0) return this.endEvent();
    const colon = line.indexOf(COLON);
    const name = line.subarray(0, colon < 0 ? line.length : colon).toString('latin1');
    if (name !== 'data') return;
    const value = colon < 0 ? Buffer.alloc(0) : line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    this.dataBytes += value.length + 1;
    if (this.dataBytes > MAX_LINE_BYTES) throw tooLarge();
    this.data.push(decodeLine(value));
  }

  private endEvent(): void {
    if (this.data.length === 0) return;
    const data = this.data.join('\n');
    this.data = [];
    this.dataBytes = 0;
    this.onData(data);
  }
}
