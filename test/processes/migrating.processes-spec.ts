import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { LATER_NAMES, LATER_RELEASE } from '../support/later-release.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';

const [FIRST] = LATER_NAMES;
const PENDING = LATER_NAMES.length;

describe('a start that migrates a database in use', () => {
  const directory = temporaryDirectory();
  let database: TestDatabase;
  let busy: pg.Client;
  let service: ServiceProcess | undefined;

  beforeEach(async () => {
    database = await createDatabase();
    busy = new pg.Client({ connectionString: database.url, application_name: 'nightly-report' });
    await busy.connect();
  });
  afterEach(async () => {
    await service?.kill('SIGTERM');
    await busy.end();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('logs what it does and waits for, is alive but not ready, and then serves', async () => {
    await busy.query('BEGIN; LOCK TABLE chats IN ROW EXCLUSIVE MODE');
    const PORT = String(await freePort());
    service = ServiceProcess.spawn({
      ...LATER_RELEASE,
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      PORT,
      DEMO: '0',
      LOG_LEVEL: 'info',
      ADMIN_TOKEN: 'migrating-admin-token',
      SECRET_KEY: 'migrating-secret-key',
      PUBLIC_URL: `http://127.0.0.1:${PORT}/chat`,
    });
    const url = `http://127.0.0.1:${PORT}`;
    await service.prints(
      new RegExp(`"context":"Database","msg":"migrating the database: ${PENDING} migrations, from ${FIRST} to `),
    );
    await service.prints(
      new RegExp(
        `"msg":"${FIRST} waits for pid \\d+ \\(nightly-report, role \\w+, idle in transaction, since \\d+ s\\), which uses chats"`,
      ),
    );
    for (const path of ['/health/live', '/chat/health/live']) {
      const live = await fetch(url + path);
      expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    }
    for (const path of ['/health/ready', '/chat/health/ready', '/chat/api/bot/messages']) {
      const response = await fetch(url + path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({
        code: 'unavailable',
        detail: expect.stringMatching(
          new RegExp(`^migrating: 0 of ${PENDING} done, ${FIRST} runs for \\d+ s, waits for pid \\d+$`),
        ),
      });
    }
    await busy.query('COMMIT');
    await service.prints(/"msg":"listening on/);
    expect(service.output).toMatch(new RegExp(`"msg":"migration 1 of ${PENDING}, ${FIRST}, took \\d+ s"`));
    expect(service.output).toMatch(new RegExp(`"msg":"migrated the database: ${PENDING} migrations in \\d+ s"`));
    expect((await fetch(`${url}/chat/health/ready`)).status).toBe(200);
  });
});
