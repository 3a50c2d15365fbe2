import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Cli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { freePort } from '../support/ports.mjs';

const ADMIN_TOKEN = 'admin-token-of-the-key-tests';
const [OWN, OTHER] = ['the-key-of-the-database', 'the-key-of-something-else'];
const REFUSED =
  /^Parley cannot start: SECRET_KEY isn't the key of this database, .*docs\/operate\/backup\.md#with-another-key\)\n$/;

describe('the key of a database', () => {
  const services: ServiceProcess[] = [];
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await createDatabase();
    directory = temporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.kill('SIGTERM')));
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  const spawn = async (environment: NodeJS.ProcessEnv = {}) => {
    const given = { ADMIN_TOKEN, DEMO: '0', DATABASE_URL: database.url, DATA_DIR: directory };
    const PORT = await freePort();
    const service = ServiceProcess.spawn({ ...given, PORT, ...environment });
    services.push(service);
    return { service, url: `http://127.0.0.1:${PORT}` };
  };
  const startAndStop = async (environment: NodeJS.ProcessEnv, work = async (_url: string) => undefined as unknown) => {
    const { service, url } = await spawn(environment);
    await service.prints(/health\/ready/);
    await work(url);
    await service.kill('SIGTERM');
  };
  const isRefused = async (environment: NodeJS.ProcessEnv, line = REFUSED) => {
    const { service } = await spawn(environment);
    expect((await service.ended()).code).toBe(1);
    expect(service.output).toMatch(line);
  };
  const createOrganization = async (url: string) =>
    new Client(`${url}/api/admin/organizations`, ADMIN_TOKEN).post('', { name: 'Acme' }).expect(201);

  it('a start with another key is refused with one line, in each environment', async () => {
    await startAndStop({ SECRET_KEY: OWN });
    await isRefused({ SECRET_KEY: OTHER });
    const production = { NODE_ENV: 'production', ADMIN_TOKEN: 'a'.repeat(32), SECRET_KEY: 's'.repeat(32) };
    await isRefused(production);
    await startAndStop({ SECRET_KEY: OWN });
  });

  it('a refused start changes nothing', async () => {
    await startAndStop({ SECRET_KEY: OWN });
    const last = `DELETE FROM migrations WHERE id = (SELECT min(id) FROM migrations WHERE name LIKE 'ForgivenFailures%')`;
    await queryOnce(database.url, last);
    await isRefused({ SECRET_KEY: OTHER });
    expect(await queryOnce(database.url, `SELECT FROM migrations WHERE name LIKE 'ForgivenFailures%'`)).toEqual([]);
  });

  it('another key is refused on a database of an earlier release, whose own key is recorded by its first start', async () => {
    await startAndStop({ SECRET_KEY: OWN }, createOrganization);
    await queryOnce(database.url, 'DELETE FROM secret_key_check');
    await isRefused({ SECRET_KEY: OTHER });
    expect(await queryOnce(database.url, 'SELECT FROM secret_key_check')).toEqual([]);
    await startAndStop({ SECRET_KEY: OWN });
    expect(await queryOnce(database.url, 'SELECT FROM secret_key_check')).toHaveLength(1);
  });

  it('a start whose secrets.json was lost is refused, and generates no other', async () => {
    const generated = { SECRET_KEY: '' };
    await startAndStop(generated);
    rmSync(join(directory, 'secrets.json'));
    for (const _ of [1, 2]) {
      await isRefused(generated);
      expect(existsSync(join(directory, 'secrets.json'))).toBe(false);
    }
  });

  it("Parley's own PostgreSQL isn't started without its secrets.json", async () => {
    const own = { SECRET_KEY: '', DATABASE_URL: '' };
    const file = join(directory, 'secrets.json');
    const line =
      /^Parley cannot start: DATA_DIR .* cannot be used: its secrets\.json is missing, .*restore the file from your backup\n$/;
    await startAndStop(own);
    rmSync(file);
    await isRefused(own, line);
    await isRefused({ ...own, SECRET_KEY: OTHER, ADMIN_TOKEN }, /could not be started: its secrets\.json is missing/);
    expect(existsSync(file)).toBe(false);
  });

  it('one of two keys wins a first start', async () => {
    const both = [await spawn({ SECRET_KEY: OWN }), await spawn({ SECRET_KEY: OTHER })];
    const results = both.map(({ service }) =>
      service.prints(/health\/ready/).then(
        () => 'ready',
        () => 'refused',
      ),
    );
    expect((await Promise.all(results)).toSorted()).toEqual(['ready', 'refused']);
  });

  it('a start accepts the former key as SECRET_KEY_PREVIOUS, and any key once the former is given up as documented', async () => {
    await startAndStop({ SECRET_KEY: OWN });
    await startAndStop({ SECRET_KEY: OTHER, SECRET_KEY_PREVIOUS: OWN });
    await isRefused({ SECRET_KEY: OTHER });
    const statement = "UPDATE secret_key_check SET sealed = ''";
    expect(readFileSync('docs/operate/backup.md', 'utf8')).toContain(`-c "${statement}"`);
    await queryOnce(database.url, statement);
    await startAndStop({ SECRET_KEY: OTHER });
    await isRefused({ SECRET_KEY: OWN });
  });

  it("doctor compares the shell's key with the database's", async () => {
    const doctor = async (environment: NodeJS.ProcessEnv) => {
      const given = { DATABASE_URL: database.url, DATA_DIR: directory, PARLEY_URL: 'http://127.0.0.1:1' };
      const { stdout } = await new Cli({ ...given, ...environment }).run('doctor');
      return /^(\w+) +secret key /m.exec(stdout)?.[1];
    };
    expect(await doctor({ SECRET_KEY: OWN })).toBeUndefined();
    await startAndStop({ SECRET_KEY: OWN });
    expect(await doctor({ SECRET_KEY: OWN })).toBe('ok');
    expect(await doctor({ SECRET_KEY: OTHER })).toBe('failed');
    expect(await doctor({ SECRET_KEY: OTHER, SECRET_KEY_PREVIOUS: OWN })).toBe('warning');
    expect(await doctor({})).toBeUndefined();
  });
});
