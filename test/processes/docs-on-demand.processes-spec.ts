import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SECRET = 'admin-token-of-the-documentation';
/** Stands in for the build: it notes what it was given, and waits until it may go on. */
const PREPARE = `
  import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
  const at = (path) => new URL('../' + path, import.meta.url);
  appendFileSync(at('calls.json'), JSON.stringify([process.argv.slice(2), Object.keys(process.env)]) + '\\n');
  while (!existsSync(at('go'))) await new Promise((resolve) => setTimeout(resolve, 20));
  mkdirSync(at('docs/.vitepress/dist/'), { recursive: true });
  for (const name of ['404.html', 'index.html']) writeFileSync(at('docs/.vitepress/dist/' + name), '<h1>Built</h1>');
`;

let database: TestDatabase;
let clone: string;
let service: ServiceProcess;
let url: string;

beforeAll(async () => {
  database = await createDatabase();
  clone = temporaryDirectory();
  for (const path of ['dist', 'package.json']) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  mkdirSync(join(clone, 'scripts'));
  writeFileSync(join(clone, 'scripts/prepare.mjs'), PREPARE);
  const PORT = await freePort();
  url = `http://127.0.0.1:${PORT}`;
  service = await ServiceProcess.start(
    { PORT, DEMO: '0', ADMIN_TOKEN: SECRET, DATABASE_URL: database.url, DATA_DIR: join(clone, 'data') },
    join(clone, 'dist/src/main.js'),
  );
});
afterAll(async () => {
  await service.kill('SIGTERM');
  await database.drop();
  rmSync(clone, { recursive: true, force: true });
});

it("a clone builds its documentation once, when it's first asked for, without the installation's secrets", async () => {
  const get = (path: string, accept: string) => fetch(url + path, { headers: { accept }, redirect: 'manual' });
  const page = await get('/docs/', 'text/html');
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await page.text()).toContain('http-equiv="refresh"');
  const answers = await Promise.all(Array.from({ length: 5 }, () => get('/docs/start/', '*/*')));
  for (const answer of answers)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'unavailable']);
  writeFileSync(join(clone, 'go'), '');
  const built = await eventually(
    () => get('/docs/', 'text/html'),
    ({ status }) => status === 200,
  );
  expect(await built.text()).toContain('Built');
  const calls = readFileSync(join(clone, 'calls.json'), 'utf8').trim().split('\n');
  expect(calls).toHaveLength(1);
  const [args, environment] = JSON.parse(calls[0]!) as [string[], string[]];
  expect(args).toEqual(['--docs']);
  expect(environment).toContain('PATH');
  for (const name of ['ADMIN_TOKEN', 'DATABASE_URL']) expect(environment).not.toContain(name);
});
