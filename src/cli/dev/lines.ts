import { clearLine, cursorTo, type Interface } from 'node:readline';
import { out } from '../show.js';
import { printable } from '../../platform/lib/printable.js';
import { toJson } from '../text.js';

/** What a line is about. */
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
/** Kinds that are no part of the conversation; a terminal shows them darker. */
const TECHNICAL: readonly Kind[] = ['event', 'ack', 'call', 'delivery', 'chaos', 'output'];
const [DIM, PLAIN] = ['\u001b[2m', '\u001b[22m'];

/** Prints what happens, a line each: text for people, or JSON. */
export class Lines {
  /** What the person types into, and must stay below what is printed. */
  input?: Interface;

  constructor(
    private readonly isJson: boolean,
    private readonly hasColors: boolean,
    private readonly write = out,
  ) {}

  /** @param fields what scripts get beside the text */
  add(kind: Kind, text: string, fields: object = {}): void {
    const at = new Date().toISOString();
    if (this.isJson) return this.write(toJson({ at, kind, text, ...fields }, 0));
    const line = `${at.slice(11, 23)}  ${kind.padEnd(WIDTH)}  ${printable(text)}`;
    this.print(this.hasColors && TECHNICAL.includes(kind) ? DIM + line + PLAIN : line);
  }

  /** A block for people alone. */
  block(text: string): void {
    if (!this.isJson) this.print(text.split('\n').map(printable).join('\n'));
  }

  /** The verdict, the last of all. */
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
