import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { FileRemovals } from '../../src/files/removals.service.js';
import { begin, put, type Started, TEXT, upload } from '../files/support/files.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually, until } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { createTenant, type Tenant } from '../support/tenant.js';

const ADMIN_TOKEN = 'files-crash-admin-token';
const SECRET_KEY = 'files-crash-secret-key';
const DAY_MS = 86_400_000;
/** In each case, one that the client continues, and one that it doesn't. */
const UPLOADS = 2;

/** Brings uploads to a point where the process is killed. */
type Step = (uploads: readonly Started[]) => Promise<unknown>;

describe('a process killed while a file is sent', () => {
  const DATA_DIR = temporaryDirectory();
  let database: TestDatabase;
  let client: pg.Client;
  let environment: NodeJS.ProcessEnv;
  let service: ServiceProcess;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createDatabase({ isMigrated: false });
    const PORT = await freePort();
    environment = { PORT, DATABASE_URL: database.url, DATA_DIR, ADMIN_TOKEN, SECRET_KEY, DEMO: '0' };
    service = await ServiceProcess.start(environment);
    tenant = await createTenant(`http://127.0.0.1:${PORT}`, ADMIN_TOKEN);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // The organization's count has a row from now on.
    await upload(tenant.bot, tenant.chatId, 'first.txt', TEXT);
  });
  afterAll(async () => {
    await service.kill('SIGKILL');
    await client.end();
    await database.drop();
    rmSync(DATA_DIR, { recursive: true });
  });

  /** Begins a request that waits for rows, and kills the process while it does. */
  const killedAt = async (rows: string, work: () => PromiseLike<unknown>) => {
    await client.query('BEGIN');
    await client.query(`${rows} FOR UPDATE`);
    const working = Promise.resolve(work()).catch(() => undefined);
    await until('it waits', async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await client.query('SELECT pg_stat_clear_snapshot()');
      return (await client.query(waiting)).rows.length >= UPLOADS;
    });
    await service.kill('SIGKILL');
    await client.query('ROLLBACK');
    await working;
  };

  const each = (uploads: readonly Started[], work: (started: Started) => PromiseLike<unknown>) =>
    Promise.all(uploads.map(async (started) => work(started)));
  const complete = (id: string) => tenant.bot.post(`/uploads/${id}/complete`, {});
  const message = (id: string) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, files: [id] }).set('Idempotency-Key', id);

  const half: Step = async (uploads) => {
    for (const { url } of uploads) {
      const sending = request(url, { method: 'PUT', headers: { 'Content-Length': TEXT.length } });
      sending.on('error', () => undefined);
      sending.write(TEXT.subarray(0, 5));
    }
    const incoming = join(DATA_DIR, 'files', tenant.id, 'incoming');
    const parts = () => readdirSync(incoming).filter((name) => name.endsWith('.part'));
    await until('parts have arrived', () => parts().length >= uploads.length);
    await service.kill('SIGKILL');
  };
  const whole: Step = async (uploads) => {
    for (const started of uploads) expect((await put(started, TEXT)).status).toBe(200);
    await service.kill('SIGKILL');
  };
  const beforeTheMove: Step = async (uploads) => {
    await each(uploads, (started) => put(started, TEXT));
    const ids = uploads.map(({ id }) => `'${id}'`).join(', ');
    await killedAt(`SELECT FROM files WHERE id IN (${ids})`, () => each(uploads, ({ id }) => complete(id)));
  };
  const afterTheMove: Step = async (uploads) => {
    await each(uploads, (started) => put(started, TEXT));
    await killedAt('SELECT FROM file_usage', () => each(uploads, ({ id }) => complete(id)));
  };
  const prepare = async (uploads: readonly Started[]) => {
    await each(uploads, (started) => put(started, TEXT));
    await each(uploads, ({ id }) => complete(id).expect(200));
  };
  const completed: Step = async (uploads) => {
    await prepare(uploads);
    await service.kill('SIGKILL');
  };
  const inTheMessage: Step = async (uploads) => {
    await prepare(uploads);
    const chat = `SELECT FROM chats WHERE id = '${tenant.chatId}'`;
    await killedAt(chat, () => each(uploads, ({ id }) => message(id)));
  };

  it.each<[string, Step]>([
    ['after the start', () => service.kill('SIGKILL')],
    ['in the middle of the body', half],
    ['after the body', whole],
    ['before its bytes are moved', beforeTheMove],
    ['after its bytes were moved', afterTheMove],
    ['after it was completed', completed],
    ['while its message is stored', inTheMessage],
  ])('%s: the rest of the calls succeeds after the restart', async (_, step) => {
    const [started, abandoned] = [
      await begin(tenant.bot, tenant.chatId, 'a.txt', TEXT.length),
      await begin(tenant.bot, tenant.chatId, 'b.txt', TEXT.length),
    ];
    await step([started, abandoned]);
    service = await ServiceProcess.start(environment);
    // A client that follows the contract repeats what wasn't answered. A completed upload takes no bytes.
    await put(started, TEXT);
    // The process that was killed has the upload for up to 60 s. Until then, a call may be answered 503.
    const { status, body } = await eventually(
      () => complete(started.id),
      (answer) => answer.status !== 503,
    );
    expect(status).toBe(200);
    const { file } = body;
    await message(file.id).expect(200);
    const { text } = await tenant.bot.get(`/files/${file.id}`).buffer(true).expect(200);
    expect(text ?? '').toBe(TEXT.toString());
  });

  it('the clean-up removes the bytes of uploads that were never continued, and leaves the bytes of messages', async () => {
    await service.kill('SIGKILL');
    const parley = await Parley.start({ DATA_DIR, ADMIN_TOKEN, SECRET_KEY }, database.url);
    try {
      const later = new Date(Date.now() + 2 * DAY_MS);
      const removals = parley.app.get(FileRemovals);
      await removals.removeUnused(later);
      await until('all removals were done', async () => {
        const due = 'SELECT FROM file_removals WHERE cleared_at IS NULL';
        return (await parley.query(due)).length === 0;
      });
      await removals.removeOldBodies(later);
      const places = await parley.query<{ name: string }>(`SELECT id || '.' || place AS name FROM files`);
      const folder = join(DATA_DIR, 'files', tenant.id);
      expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
      expect(readdirSync(join(folder, 'files')).toSorted()).toEqual(places.map(({ name }) => name).toSorted());
      const used = await parley.query('SELECT FROM messages WHERE files IS NOT NULL');
      expect([places.length, used.length]).toEqual([7, 7]);
    } finally {
      await parley.stop();
    }
    service = await ServiceProcess.start(environment);
  });
});
