import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { MIGRATION_NAMES } from '../../src/platform/database/data-source.js';
import { Cli, type CliResult } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { closedPort, freePort } from '../support/ports.mjs';
import { Road } from '../support/road.js';

// Each check starts a process, which loads what the service loads.
jest.setTimeout(90_000);

describe('parley doctor', () => {
  let parley: Parley;
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    // Tests turn off what protects a database from crashes, and doctor warns of that.
    for (const name of ['fsync', 'full_page_writes']) await parley.query(`ALTER SYSTEM RESET ${name}`);
    await parley.query('SELECT pg_reload_conf()');
    await parley.untilRow(`SELECT FROM pg_settings WHERE name = 'full_page_writes' AND setting = 'on'`);
  });
  afterAll(async () => {
    await parley.stop();
    for (const database of databases) await database.drop();
  });

  const doctor = (environment: NodeJS.ProcessEnv = {}) =>
    Cli.of(parley, { DATABASE_URL: parley.databaseUrl, ...environment });
  const examine = async (environment: NodeJS.ProcessEnv = {}) => {
    const { code, stdout, stderr } = await doctor(environment).run('doctor', '--json');
    const report = JSON.parse(stdout || stderr) as { verdict: string; summary: string; checks: any[] };
    const checks = Object.fromEntries(report.checks.map(({ name, ...check }) => [name, check]));
    const failed = report.checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
    return { ...report, code, checks, failed };
  };
  const database = async (options?: { isMigrated: boolean }) => {
    databases.push(await createDatabase(options));
    return databases.at(-1)!.url;
  };
  // Without deleted ones: their rows are removed in the background.
  const organizations = async () => (await parley.query('SELECT FROM organizations WHERE deleted_at IS NULL')).length;
  const statusOf = ({ stdout }: CliResult, name: string) => new RegExp(`^(\\w+) +${name} `, 'm').exec(stdout)?.[1];

  it('doctor prints that everything works, with a line for each check', async () => {
    const result = await doctor().run('doctor');
    expect([result.code, result.stderr]).toEqual([0, '']);
    const names = [
      'configuration',
      'service',
      'ready',
      'database',
      'properties',
      'migrations',
      'clock',
      'Redis',
      'nodes',
      'admin API',
    ];
    for (const name of [...names, 'same database', 'bot API', 'socket', 'webhook', 'agent API', 'clean-up'])
      expect([name, statusOf(result, name)]).toEqual([name, 'ok']);
    expect(result.stdout).toMatch(/PostgreSQL \d+\S* at \S+ answers in \d+ ms/);
    expect(result.stdout).toMatch(/the visitor had the message after \d+ ms/);
    expect(result.stdout).toMatch(/the signed event arrived after \d+ ms/);
    expect(result.stdout).toMatch(/an agent signed in, claimed the chat and wrote; the visitor had it after \d+ ms/);
    expect(result.stdout.trimEnd().split('\n').at(-1)).toBe('All is well: 16 checks passed.');
    expect(await organizations()).toBe(0);
  });

  it('doctor prints the same as JSON', async () => {
    const { code, verdict, checks, ...report } = await examine();
    expect([code, verdict, report.summary]).toEqual([0, 'ok', 'All is well: 16 checks passed.']);
    expect(checks.clock).toEqual({
      status: 'ok',
      detail: "the database's agrees with the one here, the service's agrees with the one here",
    });
    expect(Object.values<any>(checks).every(({ status }) => status === 'ok')).toBe(true);
  });

  it('doctor never prints a secret', async () => {
    const { stdout, stderr } = await doctor({ SECRET_KEY: 'the-secret-key-of-it' }).run('doctor', '--json');
    expect(stdout + stderr).not.toMatch(/test-admin-token|the-secret-key|whsec_|prl_pat_|prl_lnk_|prl_ags_/);
    expect(stdout).not.toContain(new URL(parley.databaseUrl).password || 'no password');
  });

  it('doctor skips the webhook when the service may not reach it, and says why', async () => {
    const closed = await Parley.start();
    const { stdout, code } = await Cli.of(closed, { DATABASE_URL: closed.databaseUrl }).run('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning +webhook +left out: .*WEBHOOK_ALLOWED_HOSTS does not name it$/m);
    expect(stdout).toContain('It works, as far as these 16 checks can tell; see also the warning about webhook.');
    expect((await closed.admin.get('')).body.organizations).toEqual([]);
    await closed.stop();
  });

  describe('the database', () => {
    it("doctor rejects another database than the service's", async () => {
      const { code, failed } = await examine({ DATABASE_URL: await database({ isMigrated: true }) });
      expect([code, failed]).toEqual([1, ['same database']]);
    });

    it('doctor rejects a database that is empty, half migrated, or has another schema', async () => {
      const url = await database({ isMigrated: false });
      const empty = await examine({ DATABASE_URL: url });
      expect(empty.failed).toEqual(['migrations', 'same database']);
      expect(empty.checks.migrations.detail).toBe('the database has no schema of Parley');
      const client = new pg.Client(url);
      await client.connect();
      await client.query("CREATE TABLE migrations (name text); INSERT INTO migrations VALUES ('Shop1')");
      const other = await examine({ DATABASE_URL: url });
      expect(other.checks.migrations.detail).toBe('the database has the schema of something else');
      await client.query("INSERT INTO migrations VALUES ('Foundation1763700000000')");
      const earlier = await examine({ DATABASE_URL: url });
      expect(earlier.checks.migrations.detail).toMatch(/^a commit before the first release made its schema/);
      await client.query('UPDATE migrations SET name = $1', [MIGRATION_NAMES[0]]);
      const half = await examine({ DATABASE_URL: url });
      expect(half.checks.migrations).toMatchObject({
        status: 'failed',
        detail: expect.stringMatching(new RegExp(`^missing: ${MIGRATION_NAMES[1]},`)),
      });
      await client.end();
    });

    it('doctor warns when a newer version has migrated the database', async () => {
      const url = await database({ isMigrated: true });
      const client = new pg.Client(url);
      await client.connect();
      await client.query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')");
      await client.end();
      const { checks } = await examine({ DATABASE_URL: url });
      expect(checks.migrations).toMatchObject({ status: 'warning', detail: 'unknown here: Later9999999999999' });
    });

    it('doctor reports a database that is down or rejects the password, without printing it', async () => {
      const away = new URL(parley.databaseUrl);
      away.port = String(await closedPort());
      away.password = 'hush-hush';
      const gone = await examine({ DATABASE_URL: away.href });
      expect([gone.code, gone.failed]).toEqual([1, ['database']]);
      expect(gone.checks.database.detail).toMatch(
        `PostgreSQL at ${away.host}${away.pathname} said: connection refused`,
      );
      expect(JSON.stringify(gone)).not.toContain('hush-hush');
      const missing = new URL(parley.databaseUrl);
      missing.pathname = '/none_of_ours';
      const none = await examine({ DATABASE_URL: missing.href });
      expect(none.checks.database.detail).toMatch(/said: database "none_of_ours" does not exist/);
      const unreadable = await examine({ DATABASE_URL: 'postgres://parley:hush#hush@127.0.0.1/parley' });
      expect([unreadable.code, unreadable.failed]).toEqual([1, ['configuration', 'database']]);
      expect(JSON.stringify(unreadable)).not.toContain('hush');
    });

    it('doctor skips a database that only the service knows', async () => {
      const { code, checks } = await examine({ DATABASE_URL: '' });
      expect(code).toBe(0);
      expect(checks.database).toMatchObject({
        status: 'warning',
        detail: expect.stringMatching(/^left out: DATABASE_URL/),
      });
      expect(checks['same database']).toBeUndefined();
    });
  });

  it('doctor warns that Redis is down, and rejects an invalid URL', async () => {
    const REDIS_URL = `redis://user:hush@127.0.0.1:${await closedPort()}`;
    const { code, failed, checks } = await examine({ REDIS_URL });
    expect([code, failed, checks.Redis.status]).toEqual([0, [], 'warning']);
    expect(checks.Redis.detail).toMatch(/^Redis at 127\.0\.0\.1:\d+: connection refused$/);
    expect((await examine({ REDIS_URL: '127.0.0.1:6379' })).failed).toEqual(['configuration']);
  });

  it('doctor names the variable that would stop a start, and continues', async () => {
    const wrong = await examine({ VISITOR_RATE_LIMIT: 'many' });
    expect([wrong.code, wrong.failed]).toEqual([1, ['configuration']]);
    expect(wrong.checks.configuration.detail).toBe('VISITOR_RATE_LIMIT must be an integer from 0 to 1000000');
    const bare = await examine({ NODE_ENV: 'production' });
    expect(bare.checks.configuration.detail).toBe('SECRET_KEY is required when NODE_ENV is production');
  });

  it('doctor reports a service that is down, is another one, or rejects the token, and then sends nothing', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const down = await doctor().run('doctor', '--url', url);
    expect(down.code).toBe(1);
    expect(down.stdout).toMatch(`failed   service        nothing answers at ${url}: connection refused`);
    expect(down.stdout.trimEnd()).toMatch(/Not well: 1 of \d checks failed \(service\)\.$/);
    expect(statusOf(down, 'bot API')).toBeUndefined();
    expect((await examine({ PARLEY_URL: `${parley.url}/docs` })).failed).toEqual(['service']);
    expect((await examine({ ADMIN_TOKEN: 'not-the-admin-token' })).failed).toEqual(['admin API']);
    expect((await examine({ ADMIN_TOKEN: '' })).failed).toEqual(['admin API']);
  });

  it('doctor names what the service says about a fault, and what to do', async () => {
    await parley.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const { code, checks } = await examine();
    await parley.query('DROP FUNCTION refuse CASCADE');
    expect(code).toBe(1);
    expect(checks['admin API']).toMatchObject({
      detail: expect.stringMatching(/503/),
      advice: expect.stringMatching(
        /^the service says: the database's disk is full \(53100 could not extend file: No space left on device\); make room/,
      ),
    });
    const ready = async () => ((await (await fetch(`${parley.url}/health/ready`)).json()) as { status: string }).status;
    await eventually(ready, (status) => status === 'ok');
    const after = await examine();
    expect([after.code, after.checks.faults.status]).toEqual([0, 'warning']);
    expect(after.checks.faults.detail).toMatch(
      /^\d+ requests or tasks failed, the last at \S+: the database's disk is full/,
    );
  });

  it('doctor warns when neither PUBLIC_URL nor TRUST_PROXY is set in production', async () => {
    const secret = {
      ADMIN_TOKEN: 'a-token-of-more-than-32-characters',
      SECRET_KEY: 'a-key-of-more-than-32-characters-too',
    };
    const production = { NODE_ENV: 'production', ...secret };
    expect((await examine(production)).checks.configuration).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/neither PUBLIC_URL nor TRUST_PROXY is set$/),
    });
    expect((await examine({ ...production, TRUST_PROXY: '1' })).checks.configuration.status).toBe('ok');
  });

  it("doctor reports that agents can't sign in, and cleans up", async () => {
    await parley.query('ALTER TABLE agent_sessions ADD CONSTRAINT ck_refuse CHECK (false) NOT VALID');
    const { code, failed, checks } = await examine();
    await parley.query('ALTER TABLE agent_sessions DROP CONSTRAINT ck_refuse');
    expect([code, failed, checks['clean-up'].status]).toEqual([1, ['agent API'], 'ok']);
    expect(checks['agent API'].detail).toMatch('/api/agent/session/link answered 500');
    expect(await organizations()).toBe(0);
  });

  it.each([
    ['refuse', { refusesSockets: true }, 'websocket error'],
    ['never answer', { holdsSockets: true }, 'no connection within 5 s'],
    ['accept and silence', { mutesSockets: true }, 'no connection within 5 s'],
  ])('doctor warns that proxies %s WebSockets, and cleans up', async (_, broken, reason) => {
    const road = Object.assign(await Road.to(parley.url), broken);
    const polling = await examine({ PARLEY_URL: road.url });
    expect([polling.code, polling.failed, polling.checks.socket.status]).toEqual([0, [], 'warning']);
    expect(polling.checks.socket.detail).toMatch(`by long polling: no WebSocket connects (${reason})`);
    await road.close();
    expect(await organizations()).toBe(0);
  });

  it("doctor finds a service's embedded database and secrets by its data, and creates nothing", async () => {
    const [DATA_DIR, PORT] = [temporaryDirectory(), await freePort()];
    const cli = new Cli({ DATA_DIR, PORT, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    expect(await cli.run('doctor')).toMatchObject({ code: 1, stdout: expect.stringMatching(/no embedded PostgreSQL/) });
    const service = ServiceProcess.spawn({ DATA_DIR, PORT, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    await service.prints(/^curl/m);
    const { code, stdout } = await cli.run('doctor');
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, 'All is well: 18 checks passed.']);
    await service.kill('SIGTERM');
    const stopped = await cli.run('doctor');
    expect(stopped.stdout).toContain('checks failed (service, database)');
    rmSync(DATA_DIR, { recursive: true });
  });
});
