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
