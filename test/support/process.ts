import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** The built service, or another program, as a process, started the way people start it. */
export class ServiceProcess {
  output = '';
  private readonly exit: Promise<{ code: number | null; signal: string | null }>;

  private constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exit = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  }

  static spawn(environment: NodeJS.ProcessEnv, program = MAIN, cwd?: string): ServiceProcess {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', ...environment };
    return new ServiceProcess(spawn(process.execPath, [program], { env, cwd }));
  }

  /** Spawns the service, and waits until it's ready. */
  static async start(environment: NodeJS.ProcessEnv, program?: string): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(environment, program);
    await service.prints(/health\/ready/);
    return service;
  }

  /** Waits until the service prints this. */
  async prints(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found[0];
      const more = new Promise<void>((resolve) => {
        for (const stream of [this.child.stdout, this.child.stderr]) stream?.once('data', () => resolve());
      });
      const ended = this.exit.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${this.output}`)));
      await Promise.race([more, ended]);
    }
  }

  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }> {
    this.child.kill(signal);
    return this.exit;
  }

  ended(): Promise<{ code: number | null; signal: string | null }> {
    return this.exit;
  }
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'parley-run-'));
}
