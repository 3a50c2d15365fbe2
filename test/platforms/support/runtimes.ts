import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const HERE = fileURLToPath(new URL('..', import.meta.url));
export const RUN_WORKER = join(HERE, 'support/run-worker.mjs');

/** The command that runs a program on each platform. */
const COMMANDS = {
  node: () => [process.execPath],
  bun: () => [binaryIn('@oven', 'bin/bun')],
  deno: () => [binaryIn('@deno', 'deno'), 'run', '--allow-net', '--allow-env', '--node-modules-dir=manual'],
};

/**
 * The binary for this machine: npm has installed only its package. The commands in `.bin` are scripts that start it as their child, and
 * a signal to the script wouldn't reach it.
 */
function binaryIn(scope: string, path: string): string {
  const modules = join(HERE, 'node_modules');
  const [name] = readdirSync(join(modules, scope));
  return join(modules, scope, name!, path);
}

/** A folder with a package.json of its own, whose packages the programs of a test use. */
export class Packages {
  private readonly modules: string;
  private readonly sdk: string;
  /** Where programs are written: they find the packages beside it. */
  private readonly programs: string;

  constructor(private readonly folder: string) {
    this.modules = join(folder, 'node_modules');
    this.sdk = join(this.modules, 'parley-bot');
    this.programs = join(this.modules, '.programs');
  }

  get sdkModules(): string {
    return join(this.sdk, 'dist');
  }

  /** Installs the packages if their lock file has changed. */
  install(): void {
    const stamp = join(this.modules, '.installed');
    const lock = createHash('sha256')
      .update(readFileSync(join(this.folder, 'package-lock.json')))
      .digest('hex');
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
      const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
      execFileSync('npm', ['ci', ...options], { cwd: this.folder, stdio: 'inherit' });
      writeFileSync(stamp, lock);
    }
  }

  /** Installs the packages, and the SDK as the service serves it. */
  async installWithSdk(serviceUrl: string): Promise<void> {
    this.install();
    for (const folder of [this.sdk, this.programs]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
    const answer = await fetch(`${serviceUrl}/sdk/parley-bot.tgz`);
    const input = new Uint8Array(await answer.arrayBuffer());
    execFileSync('tar', ['-xz', '-C', this.sdk, '--strip-components=1'], { input });
  }

  /** Writes a program where it finds the packages and the SDK. @returns its path */
  write(name: string, program: string): string {
    const path = join(this.programs, name);
    writeFileSync(path, program);
    return path;
  }
}

export const platforms = new Packages(HERE);

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A program that runs on a platform. */
export class Program {
  output = '';
  private readonly exit: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.exit = new Promise((resolve) => child.once('close', resolve));
  }

  static start(
    platform: keyof typeof COMMANDS,
    path: string,
    environment: NodeJS.ProcessEnv,
    ...args: string[]
  ): Program {
    const [command, ...options] = COMMANDS[platform]();
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
    return new Program(spawn(command!, [...options, path, ...args], { env }));
  }

  /** @returns the exit code */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exit;
  }

  ended(): Promise<number | null> {
    return this.exit;
  }
}
