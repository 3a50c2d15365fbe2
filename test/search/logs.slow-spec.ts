import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.mjs';
import { ServiceProcess, temporaryDirectory } from '../support/process.js';
import { createTenant, type Tenant } from '../support/tenant.js';

const ADMIN_TOKEN = 'admin-token-of-the-test';
/** What agents and bots search for. */
const SECRETS = {
  q: 'zanzibarquux',
  tag: 'plumbagotag',
  attribute: 'goldenvalue',
  verified: 'signedvalue',
  id: 'vis_hiddenvisitor',
  cursor: 'cursorwithwords',
  time: 'notatimeofanyday',
  name: 'unknownparameter',
};

describe('the words of a search', () => {
  let database: TestDatabase;
  let sql: pg.Client;
  let service: ServiceProcess;
  let url: string;
  let tenant: Tenant;
  let sue: Client;
  let bot: Client;

  beforeAll(async () => {
    database = await createDatabase();
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    const PORT = await freePort();
    url = `http://127.0.0.1:${PORT}`;
    const secrets = { ADMIN_TOKEN, SECRET_KEY: 'secret-key-of-the-test', METRICS_TOKEN: 'metrics-token-of-the-test' };
    const environment = { DATABASE_URL: database.url, DATA_DIR: temporaryDirectory(), PORT, DEMO: '0', ...secrets };
    service = await ServiceProcess.start({ ...environment, LOG_LEVEL: 'trace' });
    tenant = await createTenant(url, ADMIN_TOKEN);
    const fields = { name: 'Sue', email: 'sue@example.com', role: 'SUPERVISOR' };
    const { body: agent } = await tenant.admin.post('/agents', fields).expect(201);
    const { body: link } = await tenant.admin.post(`/agents/${agent.id}/sign-in-links`, {}).expect(201);
    const token = new URL(link.url).hash.slice(1);
    const { body } = await new Client(`${url}/api/agent`).post('/session/link', { token, mode: 'token' }).expect(201);
    sue = new Client(`${url}/api/agent`, body.token);
    const scopes = { scopes: ['search:all'] };
    const { body: made } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, scopes).expect(201);
    bot = new Client(`${url}/api/bot`, made.token);
    await tenant.admin.put('/attribute-keys', { keys: ['plan'] }).expect(200);
    await eventually(
      async () => (await tenant.admin.get('/attribute-keys').expect(200)).body.keys,
      ([key]: { isReady: boolean }[]) => key!.isReady,
    );
  });
  afterAll(async () => {
    await sql.end();
    await service.kill('SIGTERM');
    await database.drop();
  });

  const WHOLE = {
    q: SECRETS.q,
    tag: SECRETS.tag,
    'attr.plan': SECRETS.attribute,
    'verified.plan': SECRETS.verified,
  };
  /** The same search as a query and, for an agent, as JSON. */
  const search = async (given: Record<string, string>, statuses: readonly number[]) => {
    const query = `/search?${new URLSearchParams(given).toString()}`;
    const answers = [await sue.get(query), await sue.post('/search', given), await bot.get(query)];
    for (const { status } of answers) expect(statuses).toContain(status);
    return answers;
  };
  const expectNone = (text: string) => {
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  };

  it('no log line, metric, or audit entry has them, and neither has one of a search that is refused or fails', async () => {
    await search(WHOLE, [200]);
    await search({ ...WHOLE, groupId: SECRETS.id }, [404]);
    await search({ ...WHOLE, cursor: SECRETS.cursor }, [400]);
    await search({ ...WHOLE, from: SECRETS.time }, [400]);
    await search({ ...WHOLE, 'attr.other': SECRETS.attribute }, [400]);
    await search({ ...WHOLE, [SECRETS.name]: SECRETS.q }, [400]);
    await search({ ...WHOLE, q: `${SECRETS.q} `.repeat(30) }, [400]);
    // The database refuses the statement, and then takes too long.
    await sql.query('ALTER TABLE search_entries RENAME TO search_entries_away');
    const failed = await search(WHOLE, [500, 503]);
    for (const { text } of failed) expectNone(text);
    await sql.query('ALTER TABLE search_entries_away RENAME TO search_entries');
    await sql.query('BEGIN');
    await sql.query('LOCK TABLE search_entries, attribute_values IN ACCESS EXCLUSIVE MODE');
    await search(WHOLE, [200, 503]);
    await sql.query('ROLLBACK');

    const { text: metrics } = await new Client(url, 'metrics-token-of-the-test').get('/metrics').expect(200);
    const { text: audit } = await tenant.admin.get('/audit').expect(200);
    await service.kill('SIGTERM');
    expect(service.output).toContain('/search');
    for (const text of [metrics, audit, service.output]) expectNone(text);
  });
});
