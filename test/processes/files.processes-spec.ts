import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { TEXT, upload } from '../files/support/files.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';

const SECRETS = { ADMIN_TOKEN, SECRET_KEY: 'test-secret-key-of-the-tests' };

describe('files on the disk', () => {
  const DATA_DIR = temporaryDirectory();
  let database: TestDatabase;
  let parley: Parley;
  let tenant: Tenant;
  let cli: Cli;

  beforeAll(async () => {
    database = await createDatabase();
    parley = await Parley.start({ DATA_DIR }, database.url);
    tenant = await parley.createTenant();
    cli = new Cli({ DATABASE_URL: database.url, DATA_DIR });
  });
  afterAll(async () => {
    await parley.stop();
    await database.drop();
    rmSync(DATA_DIR, { recursive: true, force: true });
  });

  const services: ServiceProcess[] = [];
  afterEach(() => Promise.all(services.splice(0).map((service) => service.kill('SIGTERM'))));

  const folder = () => join(DATA_DIR, 'files', tenant.id, 'files');

  it('files check finds nothing while rows and bytes agree', async () => {
    await upload(tenant.bot, tenant.chatId, 'a.txt', TEXT);
    expect(await cli.json('files', 'check')).toMatchObject({ files: 1, missing: [], orphans: [], removed: 0 });
  });

  it('files check names lost bytes and bytes without a file, and --fix removes old ones', async () => {
    const { id } = await upload(tenant.bot, tenant.chatId, 'b.txt', TEXT);
    rmSync(
      join(
        folder(),
        readdirSync(folder()).find((name) => name.startsWith(id))!,
      ),
    );
    const [young, old] = ['upl_young', 'upl_old'].map((name) => join(folder(), `${name}.abc`)) as [string, string];
    for (const path of [young, old]) writeFileSync(path, 'x');
    utimesSync(old, 0, 0);
    const found = await cli.run('files', 'check');
    expect([found.code, found.stdout.trim().split('\n').slice(1).toSorted()]).toEqual([
      1,
      [
        `missing: ${id} has no bytes`,
        `orphan: ${tenant.id}/files/upl_old.abc has no file`,
        `orphan: ${tenant.id}/files/upl_young.abc has no file`,
      ],
    ]);
    const fixed = await cli.run('files', 'check', '--fix', '--json');
    expect([fixed.code, JSON.parse(fixed.stdout)]).toMatchObject([1, { missing: [id], removed: 1 }]);
    expect(JSON.parse(fixed.stdout).orphans).toEqual([`${tenant.id}/files/upl_young.abc`]);
    rmSync(young);
    await tenant.bot.delete(`/uploads/${id}`).expect(204);
    expect(await cli.json('files', 'check', '--fix')).toMatchObject({ files: 1, missing: [], orphans: [] });
  });

  it('a node with another folder refuses to start with one line, until files adopt', async () => {
    const other = temporaryDirectory();
    const environment = { ...SECRETS, DATABASE_URL: database.url, DATA_DIR: other };
    const service = ServiceProcess.spawn({ ...environment, PORT: await freePort() });
    expect((await service.ended()).code).toBe(1);
    // Beside it, the log has warnings about the tests' database.
    const lines = service.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(lines).toEqual([
      'Parley cannot start: DATA_DIR: this store of files has no id, but the database has one: it uses another store (parley files adopt)',
    ]);
    mkdirSync(join(other, 'files'), { recursive: true });
    expect((await new Cli(environment).run('files', 'check')).code).toBe(1);
    expect((await new Cli(environment).run('files', 'adopt')).code).toBe(0);
    expect((await new Cli(environment).run('files', 'check')).stdout).toContain('missing: ');
    rmSync(other, { recursive: true });
  });

  it('files check and adopt find the PostgreSQL that Parley runs itself, and start it while Parley is stopped', async () => {
    const own = temporaryDirectory();
    const service = ServiceProcess.spawn({ ...SECRETS, DATA_DIR: own, PORT: await freePort(), DEMO: '0' });
    services.push(service);
    await service.prints(/curl .*\/health\/ready/);
    const client = new pg.Client((await findEmbeddedPostgres(own))!);
    await client.connect();
    await client.query(`INSERT INTO file_store (id) VALUES ('of-a-lost-disk')`);
    await client.end();
    const inOwn = new Cli({ DATA_DIR: own });
    expect(await inOwn.run('files', 'check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('files adopt'),
    });
    await service.kill('SIGTERM');
    expect(await inOwn.run('files', 'adopt')).toMatchObject({ code: 0, stderr: '' });
    expect(await inOwn.run('files', 'check')).toMatchObject({ code: 0, stdout: '0 files, 0 objects\n' });
    expect(await findEmbeddedPostgres(own)).toBeNull();
    rmSync(own, { recursive: true });
    expect(await inOwn.run('files', 'check')).toMatchObject({ code: 2, stderr: expect.stringContaining('DATA_DIR') });
  });
});
