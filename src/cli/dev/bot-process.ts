import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CliError, EXIT } from '../errors.js';
import { reasonOf } from '../service.js';
import type { Lines } from './lines.js';

/** Milliseconds between asking the bot to exit and killing it. */
const GRACE_MS = 12_000;

/** The bot's process, which the bench starts and stops. */
export class BotProcess {
  /** How it exited, if it did so by itself. */
  end?: string;
  private isStopping = false;
  private readonly closed: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    lines: Lines,
    onEnd: () => void,
  ) {
    for (const stream of [child.stdout!, child.stderr!])
      createInterface({ input: stream }).on('line', (line) => lines.add('output', line));
    this.closed = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        resolve();
        if (this.isStopping) return;
        this.end = `the bot ended with ${signal ?? code}`;
        lines.add('bench', this.end, { code, signal });
        onEnd();
      });
    });
  }

  /** @throws CliError if it can't be started */
  static async start(
    [program, ...args]: string[],
    env: NodeJS.ProcessEnv,
    lines: Lines,
    onEnd: () => void,
  ): Promise<BotProcess> {
    // In its own process group, so that Ctrl-C reaches only the bench, which stops the bot after its last poll.
    const child = spawn(program!, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve).once('error', reject);
    }).catch((error: unknown) => {
      throw new CliError(EXIT.failed, `${program} cannot be started: ${reasonOf(error)}`);
    });
    return new BotProcess(child, lines, onEnd);
  }

  async stop(): Promise<void> {
    if (this.end !== undefined || this.isStopping) return;
    this.isStopping = true;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), GRACE_MS);
    await this.closed;
    clearTimeout(timer);
  }

  private signal(name: NodeJS.Signals): void {
    try {
      process.kill(-this.child.pid!, name);
    } catch {
      // It has already exited.
    }
  }
}
