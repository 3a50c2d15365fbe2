import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { disown, own } from '../../support/owned.js';

/** A program that runs until it's stopped. What it prints is in a file. */
export class Daemon {
  private constructor(private readonly child: ChildProcess) {
    own(child.pid!);
  }

  /** @param log the path of the file. @throws Error if the program doesn't exist */
  static async start(program: string, args: string[], log: string, options: SpawnOptions = {}): Promise<Daemon> {
    const output = openSync(log, 'a');
    const child = spawn(program, args, { ...options, stdio: ['ignore', output, output] });
    await once(child, 'spawn');
    return new Daemon(child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    disown(this.pid);
    if (this.hasEnded) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** The last lines that a program printed. */
export function tailOf(log: string, lines = 20): string {
  return readFileSync(log, 'utf8').trim().split('\n').slice(-lines).join('\n');
}
