import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { NO_RATE_LIMITS } from '../support/limits.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { Road } from '../support/road.js';
import { Scrape } from '../support/scrape.js';
import { createTenant, type Tenant } from '../support/tenant.js';
import { VisitorSocket } from '../support/visitor.js';

/** The most lines about requests of one cause. */
const MAX_LINES_OF_CAUSE = 5;
/** The most lines about a fault, of its begin, its requests by cause, its background tasks, and its end. */
const MAX_LINES = 10;
/** Requests that each fault refuses at least, twice. */
const REFUSALS = 30;
const ADMIN_TOKEN = 'admin-token-of-the-test';

interface Fault {
  name: string;
  /** Makes the fault. Returns what ends it. */
  begin: () => Promise<() => Promise<unknown>>;
  /** What a request's line has. */
  cause: object;
  /** What `/health/ready` answers; undefined if the fault leaves it as it is. */
  ready?: [number, RegExp];
}

describe('the log of a fault', () => {
  const role = `role_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let road: Road;
  let service: ServiceProcess;
  let url: string;
  let tenant: Tenant;
  let visitor: VisitorSocket;

  beforeAll(async () => {
    database = await createDatabase();
    await queryOnce(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS'])
      await queryOnce(database.url, `GRANT ALL ON ALL ${kind} IN SCHEMA public TO ${role}`);
    const over = await Road.toDatabase(database.url);
    road = over.road;
    const PORT = await freePort();
    url = `http://127.0.0.1:${PORT}`;
    service = await ServiceProcess.start({
      DATABASE_URL: Object.assign(new URL(over.url), { username: role, password: 'secret' }).href,
      DATA_DIR: temporaryDirectory(),
      PORT,
      ADMIN_TOKEN,
      SECRET_KEY: 'secret-key-of-the-test',
      LOG_LEVEL: 'info',
      DEMO: '0',
      ...NO_RATE_LIMITS,
    });
    tenant = await createTenant(url, ADMIN_TOKEN);
    visitor = await VisitorSocket.connect(url, tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
  });
  afterAll(async () => {
    visitor.close();
    await service.kill('SIGTERM');
    await road.close();
    await queryOnce(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.drop();
  });

  const linesOf = (output: string): Record<string, any>[] =>
    output
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const ready = async (): Promise<[number, string]> => {
    const response = await fetch(`${url}/health/ready`);
    const { detail = '' } = (await response.json()) as { detail?: string };
    return [response.status, detail];
  };
  const node = async (token = ADMIN_TOKEN) => {
    const response = await fetch(`${url}/health/node`, { headers: { Authorization: `Bearer ${token}` } });
    return (await response.json()) as Record<string, any>;
  };
  const areFailing = async () => (await Scrape.of(url)).value('parley_writes_failing');
  const send = () => tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'said-by-the-bot' });
  /** Sends messages of bots and visitors until enough are refused. Returns the statuses. */
  const sendMany = async (): Promise<number[]> => {
    const statuses: number[] = [];
    while (statuses.filter((status) => status >= 500).length < REFUSALS) {
      const asked = visitor.ask('message:send', { chatId: tenant.chatId, content: 'said-by-the-visitor' });
      const answers = await Promise.all(Array.from({ length: REFUSALS }, send));
      statuses.push(...answers.map(({ status }) => status));
      await asked;
    }
    return statuses;
  };
  const works = () => eventually(send, ({ status }) => status === 200);

  /** Of the same role, which may see its own sessions. */
  const ownUrl = () => Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
  /** A session that holds locks, as a forgotten psql does. */
  const hold = async (text: string) => {
    const client = new pg.Client({ connectionString: ownUrl(), application_name: 'nightly-report' });
    await client.connect();
    await client.query(`BEGIN; ${text}`);
    return () => client.end();
  };
  const run = async (begin: string, end: string) => {
    await queryOnce(database.url, begin);
    return () => queryOnce(database.url, end);
  };
  const disconnectAll = () =>
    queryOnce(database.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
  /** Each message is refused with this code, as the server refuses it where no test can make it do so. */
  const refuse = (code: string, message: string) =>
    run(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION '${message}' USING ERRCODE = '${code}', DETAIL = 'said-in-detail'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse()`,
      'DROP FUNCTION refuse CASCADE',
    );
  const holder = (table: string) => ({
    name: 'database_lock',
    holder: {
      application: 'nightly-report',
      state: 'idle in transaction',
      pid: expect.any(Number),
      seconds: expect.any(Number),
      table,
    },
  });
  const degraded = (reason: RegExp): [number, RegExp] => [200, new RegExp(`^Writes fail: ${reason.source}`)];

  const FAULTS: Fault[] = [
    {
      name: 'a full disk',
      begin: () => refuse('53100', 'could not extend file "base/1/2": No space left on device'),
      cause: { name: 'database_disk_full', code: '53100', message: expect.stringContaining('No space left on device') },
      ready: degraded(/the database's disk is full/),
    },
    {
      name: 'no memory',
      begin: () => refuse('53200', 'out of memory'),
      cause: { name: 'database_memory', code: '53200', message: 'out of memory' },
      ready: degraded(/the database has no memory left/),
    },
    {
      name: 'an I/O error',
      begin: () => refuse('58030', 'could not read block 3: Input/output error'),
      cause: { name: 'database_io', code: '58030' },
      ready: degraded(/the database cannot read or write its files/),
    },
    {
      name: 'a damaged table',
      begin: () => refuse('XX001', 'invalid page in block 3 of relation base/1/2'),
      cause: { name: 'database_corrupt', code: 'XX001' },
      ready: degraded(/a file of the database is damaged/),
    },
    {
      name: 'a damaged index',
      begin: () => refuse('XX002', 'index is corrupted'),
      cause: { name: 'database_corrupt', code: 'XX002' },
      ready: degraded(/a file of the database is damaged/),
    },
    {
      name: 'a missing right',
      begin: () => run(`REVOKE INSERT ON messages FROM ${role}`, `GRANT INSERT ON messages TO ${role}`),
      cause: { name: 'database_right', code: '42501', message: 'permission denied for table messages' },
      ready: degraded(/the database role lacks a right/),
    },
    {
      name: 'a locked table',
      begin: () => hold('LOCK TABLE messages'),
      cause: holder('messages'),
      ready: degraded(/another session holds a lock/),
    },
    {
      name: 'a locked table of keys',
      begin: () => hold('LOCK TABLE organizations'),
      cause: holder('organizations'),
      ready: degraded(/another session holds a lock/),
    },
    {
      name: 'a locked chat',
      begin: () => hold(`SELECT FROM chats WHERE id = '${tenant.chatId}' FOR UPDATE`),
      cause: holder('chats'),
    },
    {
      name: 'a read-only database',
      begin: async () => {
        const end = await run(
          `ALTER ROLE ${role} SET default_transaction_read_only = on`,
          `ALTER ROLE ${role} RESET default_transaction_read_only`,
        );
        await disconnectAll();
        return end;
      },
      cause: { name: 'database_read_only', message: expect.stringContaining('accepts no writes') },
      ready: [503, /^The database is unavailable: the database accepts no writes/],
    },
    {
      name: 'a changed password',
      begin: async () => {
        const end = await run(`ALTER ROLE ${role} PASSWORD 'other'`, `ALTER ROLE ${role} PASSWORD 'secret'`);
        await disconnectAll();
        return end;
      },
      cause: { name: 'database_rejects', code: '28P01' },
      ready: [503, /^The database is unavailable: the database rejects the user, the password, or the name/],
    },
    {
      name: 'no connection left',
      begin: async () => {
        const end = await run(`ALTER ROLE ${role} CONNECTION LIMIT 0`, `ALTER ROLE ${role} CONNECTION LIMIT -1`);
        await disconnectAll();
        return end;
      },
      cause: { name: 'database_connections', code: '53300' },
      ready: [503, /^The database is unavailable: the database has no connection left/],
    },
    {
      name: 'an unreachable database',
      begin: async () => {
        road.cut();
        return async () => (road.isCut = false);
      },
      cause: { name: 'database_unreachable' },
      ready: [503, /^The database is unavailable: the database can't be reached/],
    },
    {
      name: 'a silent database',
      begin: async () => {
        road.freeze();
        return async () => road.thaw();
      },
      cause: { name: expect.stringMatching(/^(?:timeout|database_slow)$/) },
      ready: [503, /^The database is unavailable/],
    },
  ];

  it.each(FAULTS)(
    '$name: few lines with the cause, a health check that says so, and a line at the end',
    async (fault) => {
      await works();
      await eventually(ready, ([status, detail]) => status === 200 && detail === '');
      const from = service.output.length;
      const repair = await fault.begin();
      const statuses = await sendMany();
      expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([503]));
      if (fault.ready)
        await eventually(ready, ([status, detail]) => status === fault.ready![0] && fault.ready![1].test(detail));
      await eventually(areFailing, (value) => value === (fault.ready ? 1 : 0));
      const report = await node();
      expect(report.causes).toContainEqual(expect.objectContaining(fault.cause));
      expect(report.writes === null).toBe(!fault.ready);
      await sendMany();
      await repair();
      await works();
      await eventually(ready, ([status, detail]) => status === 200 && detail === '');
      const told = () => linesOf(service.output.slice(from));
      const isBack = fault.ready && /^the database is back, after \d+ s$/;
      const lines = await eventually(told, (all) => !isBack || all.some(({ msg }) => isBack.test(String(msg))));
      expect(lines).toContainEqual(
        expect.objectContaining({ msg: 'answered', status: 503, cause: expect.objectContaining(fault.cause) }),
      );
      const written = lines.filter(({ omitted }) => omitted === undefined);
      expect(written.slice(MAX_LINES)).toEqual([]);
      const causes = written.flatMap(({ cause }) => (cause ? [(cause as { name: string }).name] : []));
      const most = Math.max(...Array.from(new Set(causes), (cause) => causes.filter((one) => one === cause).length));
      expect([most, causes]).toEqual([Math.min(most, MAX_LINES_OF_CAUSE), causes]);
      expect(service.output.slice(from)).not.toMatch(/said-by-the|said-in-detail|secret/);
    },
  );

  it('metrics count requests by cause, and only ADMIN_TOKEN reads the causes', async () => {
    const scrape = await Scrape.of(url);
    expect(await node('not-the-admin-token')).toMatchObject({ status: 401 });
    expect(scrape.value('parley_faults_total', { cause: 'database_disk_full' })).toBeGreaterThanOrEqual(2 * REFUSALS);
  });
});
