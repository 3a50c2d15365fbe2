import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { Postgres } from '../faults/support/postgres.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { PgBouncer } from './support/pgbouncer.js';

/** Fewer connections than the service's pool has, so that in transaction mode they're really shared. */
const SHARED = 3;
const MODES = [
  ['session', 40],
  ['transaction', SHARED],
] as const;

describe.each(MODES)('a service behind PgBouncer in %s mode', (mode, size) => {
  // Debian 12 has 1.18, whose transaction mode loses named statements.
  const when = mode === 'session' || PgBouncer.hasNamedStatements ? it : it.skip;
  let postgres: Postgres;
  let bouncer: PgBouncer;
  let parley: Parley;
  let tenant: Tenant;

  beforeEach(async () => {
    postgres = await Postgres.start();
    await migrate(postgres.url);
    bouncer = await PgBouncer.start(postgres.urlByRoad, mode, size);
    parley = await Parley.start({}, bouncer.url);
    parley.database.on('error', () => undefined);
    tenant = await parley.createTenant();
  });
  afterEach(async () => {
    await parley.stop();
    await bouncer.stop();
    await postgres.stop();
  });

  const send = (content: string) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content }).set('Idempotency-Key', content);

  when('messages sent together are stored once, in order, and reach visitors and a polling bot', async () => {
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    const contents = Array.from({ length: 60 }, (_, index) => `message-${index}`);
    const answers = await Promise.all(contents.map((content) => send(content).expect(200)));
    const repeated = await Promise.all(contents.map((content) => send(content).expect(200)));
    expect(repeated.map(({ body }) => body.id)).toEqual(answers.map(({ body }) => body.id));
    await visitor.until(() => visitor.all('message').length >= contents.length);
    expect(visitor.all('message').map(({ seq }) => seq)).toEqual(contents.map((_, index) => index + 1));
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(body.events.length).toBeGreaterThan(0);
  });

  when('a transfer, its retry, and a claim work', async () => {
    const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const transfer = () => tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 't');
    const first = await transfer().expect(200);
    expect((await transfer().expect(200)).body).toEqual(first.body);
    await agent.client.post(`/chats/${tenant.chatId}/claim`).expect(200);
    await agent.client.post(`/chats/${tenant.chatId}/messages`, { content: 'Hello' }).expect(201);
  });

  when('the service recovers when the database behind it is killed', async () => {
    await send('before').expect(200);
    postgres.kill();
    expect((await send('during')).status).toBe(503);
    await postgres.restart();
    await until('messages are stored again', async () => (await send('after')).status === 200);
    const rows = await postgres.query<{ content: string }>('SELECT content FROM messages ORDER BY seq');
    expect(rows.map(({ content }) => content)).toEqual(expect.arrayContaining(['before', 'after']));
  });
});

describe('the start behind PgBouncer', () => {
  let postgres: Postgres;
  let bouncer: PgBouncer | undefined;

  beforeEach(async () => {
    postgres = await Postgres.start();
    bouncer = undefined;
  });
  afterEach(async () => {
    await bouncer?.stop();
    await postgres.stop();
  });

  const IGNORING = 'ignore_startup_parameters = extra_float_digits,options,statement_timeout';
  const REFUSED = 'ignore_startup_parameters = extra_float_digits';
  const serializable = `ALTER ROLE parley SET default_transaction_isolation = 'serializable'`;
  const begin = async (mode: 'session' | 'transaction', settings?: string[]) => {
    bouncer = await PgBouncer.start(postgres.urlByRoad, mode, 10, settings);
    return migrate(bouncer.url, { poolSize: 20 });
  };

  it('it migrates in session mode, and names the planner settings that the role lacks', async () => {
    const faults = await begin('session');
    const said = faults.map(({ problem, remedy }) => `${problem}; ${remedy}`);
    expect(said).toContain(
      "enable_seqscan is on, because a pooler ignores what Parley sets; ALTER ROLE parley SET enable_seqscan = 'off'",
    );
    for (const { remedy } of faults) if (remedy.startsWith('ALTER ROLE')) await postgres.query(remedy);
    await bouncer!.stop();
    expect((await begin('session')).filter(({ problem }) => problem.includes('pooler'))).toEqual([]);
  });

  it('it stops if PgBouncer refuses the options', async () => {
    await expect(begin('session', [REFUSED])).rejects.toThrow(
      /unsupported startup parameter: options; a pooler refuses .*: ignore_startup_parameters = extra_float_digits,options,/,
    );
  });

  it('it stops if a setting of the role reaches the connections, because the options are ignored', async () => {
    await postgres.query(serializable);
    await expect(begin('session', [IGNORING])).rejects.toThrow(
      'DATABASE_URL: default_transaction_isolation is serializable, because a pooler ignores what Parley sets; ' +
        "ALTER ROLE parley SET default_transaction_isolation = 'read committed'",
    );
  });

  it('it stops if connections get the named statements of others', async () => {
    const settings = PgBouncer.hasNamedStatements ? [IGNORING, 'max_prepared_statements = 0'] : [IGNORING];
    await expect(begin('transaction', settings)).rejects.toThrow(
      /^DATABASE_URL: the pooler gives named statements to other connections; set its max_prepared_statements to 200/,
    );
  });
});
