import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { Cli } from '../support/cli.js';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';

const REFUSED = /Parley 9\.3\.0 has changed the schema, which needs at least Parley 9\.2\.0, and this is [\d.]+/;

let database: TestDatabase;
let directory: string;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createDatabase();
  directory = temporaryDirectory();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill('SIGTERM')));
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

const spawn = async () => {
  const given = { DEMO: '0', ADMIN_TOKEN: 'admin-token-of-a-release', DATABASE_URL: database.url, DATA_DIR: directory };
  const service = ServiceProcess.spawn({ ...given, PORT: await freePort() });
  services.push(service);
  return service;
};
const readRelease = async () =>
  (await queryOnce<{ newest: string; oldest: string }>(database.url, 'SELECT newest, oldest FROM schema_release'))[0];
const record = (newest: string, oldest: string) =>
  queryOnce(database.url, `UPDATE schema_release SET newest = '${newest}', oldest = '${oldest}'`);

it('a release that is too old for the schema is refused with one line, and changes nothing', async () => {
  const first = await spawn();
  await first.prints(/health\/ready/);
  const own = await readRelease();
  expect(own).toEqual({ newest: expect.stringMatching(/^\d+\.\d+\.\d+$/), oldest: expect.any(String) });

  // The previous release goes on, and doesn't claim the database.
  await first.kill('SIGTERM');
  await record('9.3.0', own!.newest);
  const beside = await spawn();
  await beside.prints(/health\/ready/);
  await beside.kill('SIGTERM');
  expect(await readRelease()).toEqual({ newest: '9.3.0', oldest: own!.newest });

  await record('9.3.0', '9.2.0');
  const refused = await spawn();
  expect((await refused.ended()).code).toBe(1);
  expect(refused.output).toMatch(REFUSED);
  expect(refused.output).toContain('; start a newer release, or restore a backup');
  expect(refused.output.trim().split('\n')).toHaveLength(1);
  expect(await readRelease()).toEqual({ newest: '9.3.0', oldest: '9.2.0' });
});

it('doctor and a check before an upgrade say so too', async () => {
  await record('9.3.0', '9.2.0');
  const environment = { DATABASE_URL: database.url, DATA_DIR: directory };
  for (const command of [['doctor'], ['upgrade', '--check']]) {
    const { code, stdout, stderr } = await new Cli(environment).run(...command);
    expect([command, code]).toEqual([command, 1]);
    expect(stdout + stderr).toMatch(REFUSED);
  }
});
