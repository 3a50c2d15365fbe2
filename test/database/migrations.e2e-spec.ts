import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MIGRATION_NAMES } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { MigrationProgress } from '../../src/platform/database/migrating/migration-progress.js';
import { TIME_LIMITS_MS } from '../../src/platform/lib/time-limits.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { LATER_INDEX } from '../support/later-migrations.mjs';
import { becomeLater, LATER_NAMES } from '../support/later-release.js';

/** A limit for locks that one wait for a lock, of 1 s, exceeds. */
const LIMIT_MS = 5_000;

const ROW = `
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
  SELECT organization_id, id, $1::integer, 'msg_' || $1::integer, 'BUTTON', 'x', 'BOT', now() FROM chats`;
const CHAT = `
  WITH o AS (INSERT INTO organizations (id, name, widget_key, identity_secret, created_at)
    VALUES ('org_1', 'O', 'key', '', now())),
  g AS (INSERT INTO groups (organization_id, id, name, is_default, created_at) VALUES ('org_1', 'grp_1', 'G', true, now())),
  v AS (INSERT INTO visitors (organization_id, id, created_at) VALUES ('org_1', 'vis_1', now()))
  INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
  VALUES ('org_1', 'cht_1', 'vis_1', 'grp_1', 'ACTIVE', now(), now())`;

describe('migrations while others use the database', () => {
  let database: TestDatabase;
  let [busy, other]: pg.Client[] = [];

  let end: () => void;

  // The schema of this release, with a chat in it, and a later release.
  beforeEach(async () => {
    database = await createDatabase();
    end = becomeLater();
    [busy, other] = await Promise.all(
      [0, 1].map(async () => {
        const client = new pg.Client(database.url);
        await client.connect();
        return client;
      }),
    );
    await busy!.query(CHAT);
  });
  afterEach(async () => {
    end();
    await Promise.all([busy!.end(), other!.end()]);
    await database.drop();
  });

  const count = async (table: string) => (await other!.query(`SELECT FROM ${table}`)).rowCount;
  const pending = async () => {
    const { rows } = await other!.query<{ missing: boolean }>(`SELECT to_regclass('later_reads') IS NULL AS missing`);
    return rows[0]!.missing;
  };
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await sleep(5);
  };
  /** Gives the busy transaction the name of a program. @returns its process */
  const nameHolder = async () => {
    await busy!.query(`SET application_name = 'nightly-report'`);
    return (await busy!.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
  };
  /** Statements have the service's time limit, because a migration may not block the service for longer. */
  const limitStatements = () => other!.query(`SET statement_timeout = ${TIME_LIMITS_MS.statement}`);
  /** Waits until a backend of a migration matches the condition. */
  const untilActivity = async (condition: string) => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley' AND ${condition}`;
    while ((await other!.query(text)).rowCount === 0) await sleep(5);
  };

  it("migrations build indexes while others write, and nodes that start together don't block each other", async () => {
    await busy!.query('BEGIN');
    await busy!.query(ROW, [1]);
    const nodes = Promise.all(Array.from({ length: 4 }, () => migrate(database.url)));
    await untilActivity(`query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`);
    await limitStatements();
    for (let seq = 2; seq <= 20; seq++) await other!.query(ROW, [seq]);
    expect(await pending()).toBe(true);
    await busy!.query('COMMIT');
    await nodes;
    expect(await pending()).toBe(false);
    expect(await count('migrations')).toBe(MIGRATION_NAMES.length);
    expect(await count('messages')).toBe(20);
  });

  it('migrations finish even if transactions keep old snapshots', async () => {
    const { rows } = await other!.query<{ name: string }>('SELECT current_database() AS name');
    await other!.query(`ALTER DATABASE ${rows[0]!.name} SET default_transaction_isolation = 'repeatable read'`);
    await migrate(database.url);
    expect(await count('migrations')).toBe(MIGRATION_NAMES.length);
  });

  it("migrations let statements pass that queued behind a change that doesn't get its lock, and retry", async () => {
    await busy!.query('BEGIN');
    await busy!.query(`UPDATE chats SET message_count = 0`);
    const migrating = migrate(database.url);
    await untilActivity(`query LIKE '%CREATE TABLE%' AND wait_event_type = 'Lock'`);
    await limitStatements();
    await other!.query(`INSERT INTO chats SELECT organization_id, 'cht_2', visitor_id, group_id, agent_id, status,
      status_changed_at, metadata, 0, NULL, NULL, created_at FROM chats`);
    expect(await pending()).toBe(true);
    await busy!.query('COMMIT');
    await migrating;
    expect(await pending()).toBe(false);
  });

  it('migrations give up without a change when a table stays locked', async () => {
    await busy!.query('BEGIN');
    await busy!.query(`UPDATE chats SET message_count = 0`);
    const holder = await nameHolder();
    await expect(migrate(database.url, { lockTimeout: 3_000 })).rejects.toThrow(
      new RegExp(
        `^the database could not be migrated: ${LATER_NAMES[0]} has waited for .* \\(canceling statement due to lock timeout\\) ` +
          `for pid ${holder} \\(nightly-report, role \\w+, idle in transaction, since .*\\), which uses chats. ` +
          `Nothing is half-done: let it end, or end it \\(SELECT pg_terminate_backend\\(${holder}\\)\\), and start Parley again$`,
      ),
    );
    expect(await pending()).toBe(true);
    await busy!.query('COMMIT');
    await migrate(database.url);
  });

  it('an index build gives up when a transaction outlives its limit, and names it', async () => {
    await busy!.query('BEGIN');
    await busy!.query(ROW, [1]);
    const holder = await nameHolder();
    await expect(migrate(database.url, { indexWait: 2_000, lockTimeout: 0 })).rejects.toThrow(
      new RegExp(
        `^the database could not be migrated: \\w+ has waited .* for pid ${holder} \\(nightly-report, .*which uses messages`,
      ),
    );
    await busy!.query('COMMIT');
    await migrate(database.url);
    expect(await count('pg_index WHERE NOT indisvalid')).toBe(0);
  });

  it('each migration has the whole time for its locks', async () => {
    await busy!.query('BEGIN');
    await busy!.query(ROW, [1]);
    const lines: string[] = [];
    const progress = new MigrationProgress((line) => lines.push(line));
    // The first migration takes longer than the limit. The second one doesn't get its lock at first.
    const migrating = migrate(database.url, { lockTimeout: LIMIT_MS, reportInterval: 500, progress });
    await until(() => lines.some((line) => line.startsWith(`${LATER_NAMES[0]} waits for pid `)));
    await until(() => progress.elapsed > LIMIT_MS);
    await other!.query('BEGIN');
    await other!.query('LOCK TABLE visitors');
    await busy!.query('COMMIT');
    await until(() =>
      lines.some(
        (line) => line.startsWith(`${LATER_NAMES[1]} waits for pid `) && line.endsWith(', which uses visitors'),
      ),
    );
    await other!.query('COMMIT');
    await migrating;
    expect(lines[0]).toBe(
      `migrating the database: ${LATER_NAMES.length} migrations, from ${LATER_NAMES[0]!} to ${LATER_NAMES.at(-1)!}`,
    );
    expect(lines.filter((line) => /^migration \d+ of \d+, \w+, took [\d.]+ s$/.test(line))).toHaveLength(
      LATER_NAMES.length,
    );
    expect(lines.at(-1)).toMatch(/^migrated the database: \d+ migrations in [\d.]+ s$/);
  });

  it('a start that finds another node migrating names its process, and one on an empty database has one line', async () => {
    await busy!.query('BEGIN');
    await busy!.query(ROW, [1]);
    const lines: string[][] = [[], []];
    const nodes = lines.map((said) =>
      migrate(database.url, { reportInterval: 100, progress: new MigrationProgress((line) => said.push(line)) }),
    );
    const waits =
      /^waits for another node that migrates the database: pid \d+ \(parley, role \w+, idle in transaction, since .*\)$/;
    await until(() => lines.some((said) => said.some((line) => waits.test(line))));
    await busy!.query('COMMIT');
    await Promise.all(nodes);
    const empty = await createDatabase({ isMigrated: false });
    const said: string[] = [];
    await migrate(empty.url, { progress: new MigrationProgress((line) => said.push(line)) });
    await empty.drop();
    expect(said).toEqual([
      `creating the tables in an empty database: ${MIGRATION_NAMES.length} migrations`,
      expect.stringMatching(/^migrated the database/),
    ]);
  });

  it('migrations rebuild an index that an interrupted build left invalid, despite a short statement timeout of the role', async () => {
    await busy!.query(ROW, [1]);
    await busy!.query('BEGIN');
    await busy!.query(ROW, [2]);
    await other!.query(`SET lock_timeout = '50ms'`);
    const build = other!.query(`CREATE INDEX CONCURRENTLY ix_later_messages ${LATER_INDEX}`);
    await expect(build).rejects.toThrow('lock timeout');
    const { rows } = await other!.query<{ name: string }>('SELECT current_database() AS name');
    await other!.query(`ALTER DATABASE ${rows[0]!.name} SET statement_timeout = '100ms'`);
    await other!.query(`ALTER DATABASE ${rows[0]!.name} SET idle_in_transaction_session_timeout = '100ms'`);
    const migrating = migrate(database.url);
    await untilActivity(`query LIKE 'DROP INDEX CONCURRENTLY%' AND clock_timestamp() - query_start > interval '0.3 s'`);
    await busy!.query('COMMIT');
    await migrating;
    const { rowCount } = await other!.query(
      `SELECT FROM pg_index WHERE indexrelid = 'ix_later_messages'::regclass AND indisvalid`,
    );
    expect(rowCount).toBe(1);
  });
});

describe('a start with several hosts in DATABASE_URL', () => {
  it('the start fails immediately and says why when every host rejects it for good', async () => {
    const url = new URL(process.env.TEST_DATABASE_URL!);
    url.pathname = '/missing';
    const several = url.href.replace(url.host, `${url.host},${url.host}`);
    // An hour, so that a wait would end the test.
    await expect(migrate(several, { connectTimeout: 3_600_000 })).rejects.toThrow(
      /"missing" does not exist.*"missing" does not exist/,
    );
  });
});
