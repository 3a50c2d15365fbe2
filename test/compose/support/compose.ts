import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NOT_CLONED = new Set(['.git', '.env', 'node_modules', 'dist', 'data', 'coverage']);
const MAX_OUTPUT = 64 * 1024 * 1024;

export interface Output {
  stdout: string;
  stderr: string;
}

/** A fresh clone of this repository, and the containers that `docker compose` starts from it. */
export class Compose {
  readonly project = `parley-test-${randomBytes(4).toString('hex')}`;
  readonly image = `parley:${this.project}`;
  private readonly haImage = `parley-ha:${this.project}`;
  private readonly directory = mkdtempSync(join(tmpdir(), 'parley-compose-'));

  private constructor(
    private readonly command: readonly string[],
    private readonly profiles: readonly string[],
  ) {
    cpSync(ROOT, this.directory, { recursive: true, filter: (path) => !NOT_CLONED.has(basename(path)) });
  }

  static async create(...profiles: string[]): Promise<Compose> {
    const isPlugin = await run('docker', ['compose', 'version']).then(
      () => true,
      () => false,
    );
    return new Compose(isPlugin ? ['docker', 'compose'] : ['docker-compose'], profiles);
  }

  /** Writes `.env`. */
  configure(settings: Record<string, string>): void {
    const images = { PARLEY_IMAGE: this.image, PARLEY_HA_IMAGE: this.haImage };
    const lines = Object.entries({ ...images, ...settings }).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(this.directory, '.env'), `${lines.join('\n')}\n`);
  }

  /** Runs `docker compose` in the clone, with the profiles. */
  compose(...args: string[]): Promise<Output> {
    const profiles = this.profiles.flatMap((name) => ['--profile', name]);
    const [program, ...words] = [...this.command, ...profiles, ...args];
    const { PATH, HOME, DOCKER_HOST } = process.env;
    const env = { PATH, HOME, ...(DOCKER_HOST && { DOCKER_HOST }), COMPOSE_PROJECT_NAME: this.project };
    return run(program!, words, { cwd: this.directory, env, maxBuffer: MAX_OUTPUT });
  }

  async docker(...args: string[]): Promise<string> {
    const { stdout } = await run('docker', args, { maxBuffer: MAX_OUTPUT });
    return stdout.trim();
  }

  /** Runs a command in a container of a service. */
  async exec(service: string, ...command: string[]): Promise<string> {
    const { stdout } = await this.compose('exec', '-T', service, ...command);
    return stdout.trim();
  }

  /** The containers of a service, including ended ones. */
  async containers(service: string): Promise<string[]> {
    const labels = [`com.docker.compose.project=${this.project}`, `com.docker.compose.service=${service}`];
    const ids = await this.docker('ps', '-aq', ...labels.flatMap((label) => ['--filter', `label=${label}`]));
    return ids.split('\n').filter(Boolean);
  }

  async inspect(service: string): Promise<any[]> {
    return JSON.parse(await this.docker('inspect', ...(await this.containers(service)))) as any[];
  }

  /** Bytes that the image adds to Node's, whose last step is the command `node`. */
  async ownLayers(): Promise<number> {
    const history = await this.docker('history', '--human=false', '--format', '{{.Size}} {{.CreatedBy}}', this.image);
    const steps = history.split('\n');
    const own = steps.slice(
      0,
      steps.findIndex((step) => step.includes('CMD ["node"]')),
    );
    return own.reduce((sum, step) => sum + Number.parseInt(step), 0);
  }

  async logs(...services: string[]): Promise<string> {
    const { stdout, stderr } = await this.compose('logs', '--no-color', ...services);
    return stdout + stderr;
  }

  async remove(): Promise<void> {
    await this.compose('--profile', 'scale', 'down', '-v', '--remove-orphans', '-t', '2');
    await this.docker('rmi', '-f', this.image, this.haImage).catch(() => undefined);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
