import { clearLine, cursorTo, type Interface } from 'node:readline';
import { out } from '../show.js';
import { printable } from '../../platform/lib/printable.js';
import { toJson } from '../text.js';

export type Kind =
  | 'bench'
  | 'visitor'
  | 'bot'
  | 'people'
  | 'system'
  | 'event'
  | 'ack'
  | 'call'
  | 'delivery'
  | 'chaos'
  | 'output';

const WIDTH = 8;
/** Kinds that aren't part of the conversation. Terminals show them dimmed. */
const TECHNICAL: readonly Kind[] = ['event', 'ack', 'call', 'delivery', 'chaos', 'output'];
const [DIM, PLAIN] = ['\u001b[2m', '\u001b[22m'];

/** Prints each event as a line of text or JSON. */
export class Lines {
  /** The input line, which stays below the printed lines. */
  input?: Interface;

  constructor(
    private readonly isJson: boolean,
    private readonly hasColors: boolean,
    private readonly write = out,
  ) {}

  /** @param fields further fields of the JSON line */
  add(kind: Kind, text: string, fields: object = {}): void {
    const at = new Date().toISOString();
    if (this.isJson) return this.write(toJson({ at, kind, text, ...fields }, 0));
    const line = `${at.slice(11, 23)}  ${kind.padEnd(WIDTH)}  ${printable(text)}`;
    this.print(this.hasColors && TECHNICAL.includes(kind) ? DIM + line + PLAIN : line);
  }

  /** Prints a block, except with `--json`. */
  block(text: string): void {
    if (!this.isJson) this.print(text.split('\n').map(printable).join('\n'));
  }

  /** Prints the verdict, which comes last. */
  report(text: string, fields: object): void {
    if (this.isJson) this.write(toJson({ at: new Date().toISOString(), kind: 'report', ...fields }, 0));
    else this.block(text);
  }

  private print(text: string): void {
    if (!this.input) return this.write(text);
    clearLine(process.stdout, 0);
    cursorTo(process.stdout, 0);
    this.write(text);
    this.input.prompt(true);
  }
}
