import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, Packages } from '../../platforms/support/runtimes.js';
import { until } from '../../support/eventually.js';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

const CONFIGURATION = `
storage: ./storage
auth: { htpasswd: { file: ./htpasswd } }
packages: { '**': { access: $all, publish: $all, unpublish: $all } }
log: { type: stdout, level: error }
max_body_size: 200mb
`;

/** A registry of npm packages that knows no other registry, and a home for npm that knows no other one either. */
export class Registry {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  static async start(): Promise<Registry> {
    new Packages(FOLDER).install();
    const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'));
    const port = await freePort();
    writeFileSync(join(folder, 'config.yaml'), CONFIGURATION);
    const program = join(FOLDER, 'node_modules/verdaccio/bin/verdaccio');
    const server = spawn(process.execPath, [program, '-l', `127.0.0.1:${port}`, '-c', 'config.yaml'], {
      cwd: folder,
      stdio: 'ignore',
    });
    const registry = new Registry(server, folder, `http://127.0.0.1:${port}/`);
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home/.npmrc'), `registry=${registry.url}\n//127.0.0.1:${port}/:_authToken=a-token\n`);
    await until(
      'the registry answers',
      async () => (await fetch(`${registry.url}-/ping`).catch(() => null))?.ok === true,
    );
    return registry;
  }

  /** The environment of an npm that knows this registry alone. */
  get environment(): NodeJS.ProcessEnv {
    const home = join(this.folder, 'home');
    return {
      PATH: process.env.PATH,
      HOME: home,
      npm_config_userconfig: join(home, '.npmrc'),
      npm_config_cache: join(home, '.npm'),
      npm_config_registry: this.url,
      npm_config_update_notifier: 'false',
    };
  }

  /** A new, empty folder. */
  emptyFolder(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path);
    return path;
  }

  /** Publishes a packed file, or a package that this clone has installed. */
  async publish(source: string): Promise<void> {
    await this.npm(this.folder, 'publish', '--ignore-scripts', '--tag', 'latest', source);
  }

  /** Publishes what the packages under test need from other registries. */
  async publishInstalled(...names: string[]): Promise<void> {
    for (const name of names) await this.publish(join(ROOT, 'node_modules', name));
  }

  /** Publishes a packed file as another version. */
  async publishAs(version: string, file: string): Promise<void> {
    const folder = this.emptyFolder(`as-${version}`);
    await run('tar', ['-xzf', file, '-C', folder]);
    const manifest = join(folder, 'package/package.json');
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }));
    await run('tar', ['-czf', join(folder, 'package.tgz'), '-C', folder, 'package']);
    await this.publish(join(folder, 'package.tgz'));
  }

  /** Runs npm in a folder. @returns what it printed @throws Error with what it printed */
  async npm(cwd: string, ...args: string[]): Promise<string> {
    const options = { cwd, env: this.environment };
    const running = run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], options);
    const { stdout } = await running.catch((error: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
    });
    return stdout;
  }

  stop(): void {
    this.server.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
