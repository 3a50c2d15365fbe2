import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { Cli } from '../../support/cli.js';
import { disown, own } from '../../support/owned.js';
import { freePort } from '../../support/ports.mjs';
import { until } from '../../support/eventually.js';

/** `parley mail authorize` as a process that waits for the person. */
export class Authorizing {
  stdout = '';
  stderr = '';
  private readonly closed: Promise<unknown>;

  private constructor(
    readonly redirect: string,
    private readonly child: ChildProcess,
  ) {
    this.closed = once(child, 'close');
    child.stdout!.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  static async start(environment: Record<string, string>): Promise<Authorizing> {
    const redirect = `http://127.0.0.1:${await freePort()}`;
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
    const args = [Cli.MAIN, 'mail', 'authorize', '--redirect', redirect];
    const child = spawn(process.execPath, args, { env, cwd: tmpdir() });
    own(child.pid!);
    const authorizing = new Authorizing(redirect, child);
    await until('it asks', () => authorizing.stdout.includes('\n') || child.exitCode !== null);
    return authorizing;
  }

  /** The address that the person opens. */
  get address(): string {
    return this.stdout.split('\n')[0]!;
  }

  paste(text: string): void {
    this.child.stdin!.write(`${text}\n`);
  }

  /** Waits for the end, and returns the exit code. */
  async end(): Promise<number | null> {
    await this.closed;
    disown(this.child.pid!);
    return this.child.exitCode;
  }
}
