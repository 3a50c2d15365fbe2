import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { migrate } from '../../src/platform/database/migrate.js';
import { storeCheck } from '../../src/platform/database/key/key-check.js';
import { queryOnce } from '../support/database.js';
import { findAccount, findBinaries } from '../support/debian-postgres.mjs';
import { until } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { Cli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { PageCommands } from './support/page-commands.js';

const ENVIRONMENT = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '1', SECRET_KEY: 'kept-beside-it' };

/** Blocks that are run by other tests, or by none: for Docker, and settings of other programs. */
const OTHERS = [
  expect.stringMatching(/^With Docker Compose: umask/),
  expect.stringMatching(/^With Docker Compose: docker compose up/),
  expect.stringMatching(/^With Docker Compose: docker compose run .* files adopt$/),
  expect.stringMatching(/^What happened since: psql/),
  expect.stringMatching(/^Set it up: DATABASE_URL=/),
  expect.stringMatching(/^With Patroni and HAProxy: bootstrap:/),
  expect.stringMatching(/^With Patroni and HAProxy: defaults/),
];

/** Follows the pages of docs/operate about databases with their own commands, in their order, on PostgreSQL as Debian has it. */
describe('the commands of the pages about databases', () => {
  const account = findAccount();
  const home = mkdtempSync(join(tmpdir(), 'parley-pages-'));
  const ports: Record<'a' | 'b' | 'copy', string> = { a: '', b: '', copy: '' };
  let backup: PageCommands;
  let failover: PageCommands;
  let managed: PageCommands;
  let upgrades: PageCommands;
  let data: PageCommands;
  let receiver: Receiver;
  let tenant: Tenant;
  const running = new Set<Parley>();

  const bin = (program: string, ...parts: string[]) =>
    execFileSync(join(findBinaries(), program), parts, { ...account, cwd: '/', stdio: 'ignore' });
  const optionsOf = (port: string) =>
    `--options='-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='`;
  const urlOf = (server: keyof typeof ports, name = 'parley', role = 'parley') =>
    `postgres://${role}@127.0.0.1:${ports[server]}/${name}`;
  const asSuperuser = <T extends object>(server: keyof typeof ports, text: string) =>
    queryOnce<T>(urlOf(server, 'postgres', 'postgres'), text);
  const say = (parley: Parley, content: string) =>
    new Client(`${parley.url}/api/bot`, tenant.token).post('/messages', { chatId: tenant.chatId, content });
  const serve = async (environment: NodeJS.ProcessEnv, url: string) => {
    const started = await Parley.start(environment, url);
    running.add(started);
    return started;
  };
  const end = async (parley: Parley) => {
    running.delete(parley);
    await parley.stop();
  };
  const contents = async (parley: Parley) =>
    (await parley.query<{ content: string }>('SELECT content FROM messages ORDER BY seq')).map((row) => row.content);

  beforeAll(async () => {
    for (const server of ['a', 'b', 'copy'] as const) ports[server] = await freePort();
    for (const folder of ['parley-wal', 'backups/parley']) mkdirSync(join(home, folder), { recursive: true });
    for (const folder of ['', 'parley-wal', 'backups', 'backups/parley'])
      if (account.uid !== undefined) chownSync(join(home, folder), account.uid, account.gid!);
    bin(
      'initdb',
      '-D',
      join(home, 'parley-a'),
      '--username=postgres',
      '--auth=trust',
      '--encoding=LATIN1',
      '--locale=C',
    );
    const environment = {
      HOME: home,
      PATH: `${findBinaries()}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: ports.a,
      PGUSER: 'parley',
      PGDATABASE: 'parley',
    };
    const folders = [
      ['/var/lib/parley-', join(home, 'parley-')],
      ['/var/backups/', join(home, 'backups/')],
      [/--pgdata=(\S+parley-a)( --log)/g, `--pgdata=$1 ${optionsOf(ports.a)}$2`],
      [/--pgdata=(\S+parley-b)( --log)/g, `--pgdata=$1 ${optionsOf(ports.b)}$2`],
      [/--pgdata=(\S+parley-copy)( --log)/g, `--pgdata=$1 ${optionsOf(ports.copy)}$2`],
      [/--host=(a|b)\.example/g, (_: string, server: 'a' | 'b') => `--host=127.0.0.1 --port=${ports[server]}`],
      [/host=(a|b)\.example/g, (_: string, server: 'a' | 'b') => `host=127.0.0.1 port=${ports[server]}`],
      ['--port=5433', `--port=${ports.copy}`],
      [' --pwprompt', ''],
    ] as never;
    const open = (page: string) => new PageCommands(page, folders, environment, account);
    [backup, failover, managed, upgrades, data] = [
      'backup.md',
      'failover.md',
      'managed-databases.md',
      'upgrades.md',
      'data.md',
    ].map(open) as [PageCommands, PageCommands, PageCommands, PageCommands, PageCommands];
    appendFileSync(join(home, 'parley-a', 'postgresql.conf'), backup.take('Restore to a moment', 'ini'));
    bin(
      'pg_ctl',
      'start',
      '-D',
      join(home, 'parley-a'),
      '-w',
      '-l',
      join(home, 'log'),
      '-o',
      optionsOf(ports.a).slice(11, -1),
    );
    await asSuperuser('a', 'CREATE ROLE parley LOGIN');
    await asSuperuser('a', `CREATE DATABASE parley OWNER parley ENCODING 'UTF8' TEMPLATE template0`);
    await migrate(urlOf('a'));
    receiver = await Receiver.start((_, response) => void response.writeHead(500).end());
    const parley = await serve(ENVIRONMENT, urlOf('a'));
    tenant = await parley.createTenant();
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);
    await say(parley, 'before').expect(200);
    await receiver.count(1);
    await end(parley);
  }, 240_000);
  afterAll(async () => {
    for (const parley of running) await parley.stop();
    await receiver.close();
    for (const folder of ['parley-a', 'parley-b', 'parley-copy'])
      if (existsSync(join(home, folder, 'postmaster.pid')))
        bin('pg_ctl', 'stop', '-D', join(home, folder), '-m', 'immediate');
    rmSync(home, { recursive: true, force: true });
  });

  it('backup.md: a dump is restored into a new database, and a drill on it sends nothing', async () => {
    expect(backup.take('Back up')).toMatch(/^umask 077[^]*\npg_dump --format=custom --no-owner --file=parley.dump\n$/);
    execFileSync(
      join(findBinaries(), 'pg_dump'),
      ['--format=custom', '--no-owner', `--file=${home}/parley.dump`, urlOf('a')],
      account,
    );
    await backup.run('Restore');
    const [row] = await queryOnce<{ encoding: string; owner: string }>(
      urlOf('a', 'parley_restored'),
      `SELECT pg_encoding_to_char(encoding) AS encoding, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({ encoding: 'UTF8', owner: 'parley' });
    expect(backup.take('Inspect a copy')).toMatch(/^DRILL=1 /);
    receiver.received.length = 0;
    const drill = await serve({ ...ENVIRONMENT, DRILL: '1' }, urlOf('a', 'parley_restored'));
    await drill.query('UPDATE deliveries SET due_at = now()');
    await say(drill, 'in the drill').expect(200);
    expect((await request(drill.url).get('/health/ready').expect(200)).body.detail).toMatch(/^this is a drill/);
    await end(drill);
    expect(receiver.received).toEqual([]);
    receiver.become((_, response) => void response.end());
    const serving = await serve(ENVIRONMENT, urlOf('a', 'parley_restored'));
    await receiver.count(2);
    await end(serving);
    await backup.run('What a restore takes back');
    await backup.run('With another key');
  });

  it('backup.md: the folder of files is copied and restored', async () => {
    execFileSync('sh', ['-c', 'mkdir -p data/files && echo an id >data/files/store-id'], { ...account, cwd: home });
    await backup.run('Files that people sent');
    rmSync(join(home, 'data'), { recursive: true });
    mkdirSync(join(home, 'data'));
    if (account.uid !== undefined) chownSync(join(home, 'data'), account.uid, account.gid!);
    await backup.run('Files that people sent');
    expect(readFileSync(join(home, 'data/files/store-id'), 'utf8')).toBe('an id\n');
    // test/processes/files runs it.
    expect(backup.take('Files that people sent')).toMatch(/^DATABASE_URL=\S+ npx parley files check\n$/);
  });

  it('backup.md: objects of another role are handed over', async () => {
    await asSuperuser('a', 'CREATE ROLE restorer');
    const asOther = (text: string) => queryOnce<{ owner: string }>(urlOf('a', 'parley_restored', 'postgres'), text);
    await asOther('ALTER TABLE chats OWNER TO restorer');
    await backup.run('Restored by another role');
    await asOther('ALTER TABLE messages OWNER TO postgres');
    await backup.run('Restored by another role');
    expect(await asOther(`SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'public'`)).toEqual([
      { owner: 'parley' },
    ]);
    expect(await migrate(urlOf('a', 'parley_restored'))).toEqual([]);
  });

  it('backup.md: a copy of a moment has what was stored before it, and leaves the archive of the original alone', async () => {
    const parley = await serve(ENVIRONMENT, urlOf('a'));
    await backup.run('Restore to a moment');
    await backup.run('Restore to a moment');
    await say(parley, 'kept').expect(200);
    const [{ moment }] = (await asSuperuser('a', 'SELECT clock_timestamp()::text AS moment')) as [{ moment: string }];
    await say(parley, 'undone').expect(200);
    const [{ file }] = (await asSuperuser('a', 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file')) as [
      { file: string },
    ];
    await backup.run('Restore to a moment');
    await until('the log is archived', () => existsSync(join(home, 'parley-wal', file)));
    const restoring = backup.take('Restore to a moment').replace('2026-11-25 09:41:30+00', moment);
    execFileSync('bash', ['--norc', '-euc', restoring], {
      ...account,
      env: { PATH: `${findBinaries()}:${process.env.PATH}` },
      cwd: home,
    });
    await backup.run('Restore to a moment');
    expect(await queryOnce(urlOf('copy', 'postgres', 'postgres'), 'SHOW archive_mode')).toEqual([
      { archive_mode: 'off' },
    ]);
    const copy = await serve({ ...ENVIRONMENT, DRILL: '1' }, urlOf('copy'));
    expect(await contents(copy)).toEqual(['before', 'kept']);
    await storeCheck(async (text, values) => parley.query(text, values) as never, ENVIRONMENT);
    for (const table of ['chats', 'organizations']) await parley.query(`DELETE FROM ${table}`);
    const [, ...command] = backup.take('One organization').trim().split(' ');
    expect(command.slice(0, 4)).toEqual(['parley', 'organization', 'copy', 'org_…']);
    const cli = new Cli({ DATABASE_URL: urlOf('a'), SECRET_KEY: ENVIRONMENT.SECRET_KEY });
    await cli.say('organization', 'copy', tenant.id, '--from', urlOf('copy'));
    expect(await contents(parley)).toEqual(['before', 'kept']);
    await say(parley, 'after the copy').expect(200);
    await say(copy, 'in the copy').expect(200);
    await end(copy);
    await queryOnce(urlOf('copy', 'postgres', 'postgres'), 'SELECT pg_switch_wal()');
    bin('pg_ctl', 'stop', '-D', join(home, 'parley-copy'), '-m', 'fast');
    // Timeline 2 is the copy's. The original, and its standby, begin it when they are promoted.
    expect(readdirSync(join(home, 'parley-wal')).filter((name) => name.startsWith('00000002'))).toEqual([]);
    expect(await asSuperuser('a', 'SELECT failed_count::integer FROM pg_stat_archiver')).toEqual([{ failed_count: 0 }]);
    await end(parley);
  });

  it('managed-databases.md, upgrades.md, data.md: questions, settings, rewriting, and a second role', async () => {
    expect(await managed.run('What each service promises')).toContain('synchronous_commit');
    await managed.query('What to set', urlOf('a', 'parley', 'postgres'));
    await managed.query('Change the password', urlOf('a', 'parley', 'postgres'));
    const parley = await serve(ENVIRONMENT, urlOf('a', 'parley', 'parley_b'));
    await say(parley, 'with the second role').expect(200);
    await end(parley);
    expect(await migrate(urlOf('a', 'parley', 'parley_b'))).toEqual([]);
    await managed.query('Change the password', urlOf('a', 'parley', 'postgres'));
    expect(upgrades.take('Check it first')).toBe(
      'DATABASE_URL=postgres://parley@127.0.0.1/parley npx parley upgrade --check\n',
    );
    expect(await new Cli({ DATABASE_URL: urlOf('a') }).say('upgrade', '--check')).toMatch(/Nothing is in the way\.\n$/);
    await upgrades.query('What happens at the start', urlOf('a'));
    expect(upgrades.take('What happens at the start', 'sql')).toBe('SELECT pg_terminate_backend(3958);\n');
    expect(await data.query('Rewrite the tables', urlOf('a'))).toContain('idempotency_keys');
    await data.run('Rewrite the tables');
  });

  it('failover.md: a standby is made, promoted, and replaced by hand, and nothing is lost', async () => {
    expect(failover.take('By hand', 'ini')).toContain('host replication replicator');
    await failover.run('By hand');
    await failover.run('By hand');
    await failover.run('By hand');
    await until('the standby is synchronous', async () => {
      const [row] = await asSuperuser<{ sync_state: string }>('a', 'SELECT sync_state FROM pg_stat_replication');
      return row?.sync_state === 'sync';
    });
    const hosts = `127.0.0.1:${ports.a},127.0.0.1:${ports.b}`;
    const parley = await serve(ENVIRONMENT, `postgres://parley@${hosts}/parley?target_session_attrs=read-write`);
    await say(parley, 'on both').expect(200);
    const withoutStandby = failover.take('By hand');
    bin('pg_ctl', 'stop', '-D', join(home, 'parley-a'), '-m', 'immediate');
    await failover.run('By hand');
    await until('the standby accepts writes', async () => (await say(parley, 'after')).status === 200);
    const stored = await queryOnce<{ content: string }>(urlOf('b'), 'SELECT content FROM messages');
    expect(stored.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['before', 'kept', 'after the copy', 'on both', 'after']),
    );
    await failover.run('By hand');
    await until('the old primary follows', async () => {
      const [row] = await asSuperuser<{ sync_state: string }>('b', 'SELECT sync_state FROM pg_stat_replication');
      return row?.sync_state === 'sync';
    });
    await say(parley, 'on both again').expect(200);
    expect(await failover.query('By hand', urlOf('b', 'postgres', 'postgres'))).toMatch(/ a +\| t /);
    bin('pg_ctl', 'stop', '-D', join(home, 'parley-a'), '-m', 'immediate');
    const swapped = withoutStandby.replaceAll(`--port=${ports.a}`, `--port=${ports.b}`).replaceAll(`'b'`, `'a'`);
    execFileSync('bash', ['--norc', '-euc', swapped], {
      ...account,
      env: { PATH: `${findBinaries()}:${process.env.PATH}` },
      cwd: home,
    });
    await until('writes continue without a standby', async () => (await say(parley, 'alone')).status === 200);
    await end(parley);
  });

  it('the test has run every other block of these pages', () => {
    expect([backup, failover, managed, upgrades].flatMap((page) => page.rest)).toEqual(OTHERS);
  });
});
