import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MainPath } from '../../src/api/public/health/main-path.js';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';

describe('GET /health/ready of a database that refuses a part of the work', () => {
  const role = `other_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  let parley: Parley;

  beforeAll(async () => {
    database = await createDatabase();
    await queryOnce(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS'])
      await queryOnce(database.url, `GRANT ALL ON ALL ${kind} IN SCHEMA public TO ${role}`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
    parley = await Parley.start({}, url);
  });
  afterAll(async () => {
    await parley.stop();
    await queryOnce(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.drop();
  });

  const ready = async () => {
    const response = await fetch(`${parley.url}/health/ready`);
    const { status, detail } = (await response.json()) as { status: string; detail?: string };
    return [response.status, status, detail];
  };

  it('a node is degraded until the role may write everything, and nothing of the check is stored', async () => {
    await queryOnce(database.url, `REVOKE ALL ON SEQUENCE deliveries_position FROM ${role}`);
    expect(await ready()).toEqual([200, 'degraded', 'Writes fail: the database role lacks a right']);
    await expect(parley.app.get(MainPath).prove()).rejects.toThrow(
      'DATABASE_URL: the database refuses a part of the work: permission denied for sequence deliveries_position',
    );
    await queryOnce(database.url, `GRANT ALL ON SEQUENCE deliveries_position TO ${role}`);
    expect(await eventually(ready, ([, status]) => status === 'ok')).toEqual([200, 'ok', undefined]);
    for (const table of ['organizations', 'messages', 'deliveries', 'chat_changes', 'idempotency_keys', 'handoffs'])
      expect(await queryOnce(database.url, `SELECT FROM ${table}`)).toEqual([]);
  });

  it('a node is ready while another transaction locks a table, as for any request that waits for it', async () => {
    const isBusy = await Parley.start({}, database.url);
    const lock = await isBusy.database.connect();
    await lock.query('BEGIN; LOCK TABLE chats IN ACCESS EXCLUSIVE MODE');
    expect((await fetch(`${isBusy.url}/health/ready`)).status).toBe(200);
    await lock.query('ROLLBACK');
    lock.release();
    await isBusy.stop();
  });

  it('a node is degraded while writes hang and reads work', async () => {
    const slow = await Parley.start({}, database.url);
    const ofSlow = async () => (await (await fetch(`${slow.url}/health/ready`)).json()) as { status: string };
    await queryOnce(
      database.url,
      `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NULL; END';
       CREATE TRIGGER hang BEFORE INSERT ON organizations FOR EACH STATEMENT EXECUTE FUNCTION hang()`,
    );
    const degraded = { status: 'degraded', detail: 'Writes fail: statements of the database take too long' };
    expect(await eventually(ofSlow, ({ status }) => status === 'degraded')).toMatchObject(degraded);
    await queryOnce(database.url, 'DROP FUNCTION hang CASCADE');
    await eventually(ofSlow, ({ status }) => status === 'ok');
    await slow.stop();
  });
});
