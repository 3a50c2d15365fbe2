import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { temporaryDirectory } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEST = join(ROOT, 'node_modules/.bin/nest');
const COPIED = ['src', 'migrations', 'package.json', 'nest-cli.json', 'tsconfig.json', '.swcrc'];

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted();

describe("the Nest CLI with Parley's nest-cli.json", () => {
  let clone: string;
  let child: ChildProcess | undefined;

  beforeEach(() => {
    clone = temporaryDirectory();
    for (const name of COPIED) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  });

  afterEach(async () => {
    if (child?.exitCode === null) {
      const closed = new Promise((resolve) => child!.once('close', resolve));
      // Nest starts the service as a child: both are in one group.
      process.kill(-child.pid!, 'SIGTERM');
      await closed;
    }
    rmSync(clone, { recursive: true, force: true });
  });

  it('nest build writes what npm run build writes', () => {
    execFileSync(NEST, ['build'], { cwd: clone });
    for (const folder of ['dist/src', 'dist/migrations']) {
      const names = filesOf(join(clone, folder));
      expect(names).toEqual(filesOf(join(ROOT, folder)));
      const differ = names.filter((name) => {
        const [ours, theirs] = [clone, ROOT].map((root) => readFileSync(join(root, folder, name)));
        return !ours!.equals(theirs!);
      });
      expect(differ.filter((name) => !name.endsWith('.map'))).toEqual([]);
    }
  });

  it('nest start --watch runs the service, and restarts it after a change', async () => {
    const env = {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: await freePort(),
      DATA_DIR: join(clone, 'data'),
      LOG_LEVEL: 'info',
    };
    const started = spawn(NEST, ['start', '--watch'], { cwd: clone, env, detached: true });
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    await until('ready', () => /listening on/.test(output));
    output = '';
    appendFileSync(join(clone, 'src/main.ts'), "console.log('started again');\n");
    await until('ready again', () => /started again/.test(output) && /listening on/.test(output));
  });

  it('nest generate places files as the project does, without a spec beside them', () => {
    const output = execFileSync(NEST, ['generate', 'controller', 'api/example', '--dry-run'], {
      cwd: clone,
      encoding: 'utf8',
    });
    expect(output).toContain('src/api/example/example.controller.ts');
    expect(output).not.toContain('spec');
  });
});
