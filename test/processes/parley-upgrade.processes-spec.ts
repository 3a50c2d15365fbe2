import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATION_NAMES } from '../../src/platform/database/data-source.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { LATER_NAMES, LATER_RELEASE } from '../support/later-release.js';

const PENDING = LATER_NAMES.length;
const ALL = MIGRATION_NAMES.length + PENDING;

const SECRETS = { ADMIN_TOKEN: 'admin-token-of-the-upgrade', SECRET_KEY: 'secret-key-of-the-upgrade' };

describe('parley upgrade', () => {
  let current: TestDatabase;
  let old: TestDatabase;
  let client: pg.Client;
  const check = (url: string, ...args: string[]) =>
    new Cli({ ...LATER_RELEASE, DATABASE_URL: url }).run('upgrade', '--check', ...args);

  beforeAll(async () => {
    [current, old] = [await createDatabase(), await createDatabase()];
    client = new pg.Client({ connectionString: old.url, application_name: 'nightly-report' });
    await client.connect();
  });
  afterEach(() => client.query('ROLLBACK'));
  afterAll(async () => {
    await client.end();
    await old.drop();
    await current.drop();
  });

  it('ends with 0 for a database of this release, and with 2 without what it needs', async () => {
    const { code, stdout } = await new Cli({ DATABASE_URL: current.url }).run('upgrade', '--check');
    expect(stdout).toMatch(/ has all migrations of this release\n\nNothing is in the way\.\n$/);
    expect(code).toBe(0);
    expect(await new Cli({}).run('upgrade', '--check')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('set DATABASE_URL'),
    });
  });

  it('lists what a start would do, with sizes and a time, and changes nothing', async () => {
    const { code, stdout } = await check(old.url);
    expect(stdout).toMatch(new RegExp(`: ${PENDING} of ${ALL} migrations to do\n`));
    const step = (migration: string, does: string, table: string, others: string) =>
      new RegExp(`^${migration} +${does} +${table} +[\\d.]+ kB +${others}$`, 'm');
    const [reads, columns, limits, folds] = LATER_NAMES as [string, string, string, string];
    expect(stdout).toMatch(step(folds, 'builds an index, 3 times', 'visitors', 'go on'));
    expect(stdout).toMatch(step(columns, 'changes rows', 'agents', 'go on'));
    expect(stdout).toMatch(step(limits, 'reads all rows, 2 times', 'organizations', 'wait until it ends'));
    expect(stdout).toMatch(step(reads, 'is referred to', 'chats', 'wait for a moment'));
    expect(stdout).toMatch(/^Time: {2}[\d.]+ s to [\d.]+ s, guessed from the sizes/m);
    expect(stdout).toMatch(/Nothing is in the way\.\n$/);
    expect(code).toBe(0);
    const { rows } = await client.query('SELECT count(*)::integer AS done FROM migrations');
    expect(rows).toEqual([{ done: MIGRATION_NAMES.length }]);
  });

  it('ends with 1, and names transactions, invalid indexes, and missing rights', async () => {
    await client.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_agent_sessions_network'::regclass`,
    );
    await client.query('BEGIN');
    const { rows } = await client.query<{ pid: number; own: string }>(
      'SELECT pg_backend_pid() AS pid, current_user AS own',
    );
    const { pid, own } = rows[0]!;
    await until('the transaction is old enough', async () => {
      const { rows: ages } = await client.query<{ isOld: boolean }>(
        `SELECT clock_timestamp() - now() > interval '11 s' AS "isOld"`,
      );
      return ages[0]!.isOld;
    });
    const { code, stdout } = await check(old.url, '--json');
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report.pending).toEqual(LATER_NAMES);
    expect(report.obstacles).toEqual([
      {
        problem: expect.stringMatching(
          new RegExp(
            `^index builds wait for pid ${pid} \\(nightly-report, role ${own}, idle in transaction, since [1-9]\\d+ s\\)$`,
          ),
        ),
        remedy: `let it end, or end it (SELECT pg_terminate_backend(${pid}))`,
      },
      {
        problem: expect.stringContaining('the index ix_agent_sessions_network of agent_sessions is invalid'),
        remedy: expect.any(String),
      },
    ]);
    await client.query('ROLLBACK');
    await client.query(
      `UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'ix_agent_sessions_network'::regclass`,
    );
    const role = `reader_${pid}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'`);
    const url = Object.assign(new URL(old.url), { username: role, password: 'reader' }).href;
    const refused = await check(url);
    await client.query(`DROP ROLE ${role}`);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toMatch(/permission denied|has no right to use/);
  });

  it('without --check, it migrates as a start does, names what it did, and finds nothing to do the next time', async () => {
    const upgrade = (environment: NodeJS.ProcessEnv) =>
      new Cli({ ...LATER_RELEASE, ...SECRETS, ...environment }).run('upgrade');
    expect(await upgrade({})).toMatchObject({ code: 2, stderr: expect.stringContaining('set DATABASE_URL') });
    expect(await upgrade({ DATABASE_URL: old.url, MIGRATION_WAIT_MINUTES: 'soon' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MIGRATION_WAIT_MINUTES'),
    });
    const { code, stdout } = await upgrade({ DATABASE_URL: old.url });
    expect(stdout).toMatch(
      new RegExp(`migrated the database: ${PENDING} migrations in [^]* has all migrations of this release\\n$`),
    );
    expect(code).toBe(0);
    const again = await upgrade({ DATABASE_URL: old.url });
    expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining('migrated') });
    const other = await upgrade({ DATABASE_URL: old.url, SECRET_KEY: `${SECRETS.SECRET_KEY}-other` });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRET_KEY') });
  });
});
