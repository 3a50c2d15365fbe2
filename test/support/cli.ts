import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ADMIN_TOKEN, type Parley } from './parley.js';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The built command line as a process with only the given configuration. */
export class Cli {
  static readonly MAIN = MAIN;

  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  static of({ url }: Parley, environment: NodeJS.ProcessEnv = {}): Cli {
    return new Cli({ PARLEY_URL: url, ADMIN_TOKEN, ...environment });
  }

  run(...args: string[]): Promise<CliResult> {
    return this.feed(null, ...args);
  }

  /** Runs it with this standard input. */
  feed(input: string | null, ...args: string[]): Promise<CliResult> {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...this.environment };
    const child = spawn(process.execPath, [MAIN, ...args], { env, cwd: tmpdir() });
    // It may end without having read.
    child.stdin.on('error', () => undefined).end(input ?? '');
    const result = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => (result[name] += chunk.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...result })));
  }

  /** The text output. @throws Error unless the exit code is 0 */
  async say(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** The JSON output. @throws Error unless the exit code is 0 */
  async json(...args: string[]): Promise<any> {
    return JSON.parse(await this.say(...args, '--json'));
  }
}
