import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { createClusterDatabase } from '../support/cluster.js';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { drainInTurn, PullClient, sayInChats } from '../support/pull-client.js';
import { type Received, Receiver } from '../support/receiver.js';

describe('the service on a Citus cluster', () => {
  let database: TestDatabase;
  let parley: Parley;
  let receiver: Receiver;

  beforeAll(async () => {
    database = await createClusterDatabase();
    await migrate(database.url);
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, database.url);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await parley.stop();
    await receiver.close();
    await database.drop();
  });

  const say = ({ bot, chatId }: Tenant, content: string, key: string) =>
    bot.post('/messages', { chatId, content }).set('Idempotency-Key', key).expect(200);

  it('messages of several organizations at the same time are numbered in their own chats, and stored once', async () => {
    const tenants = await Promise.all([parley.createTenant(), parley.createTenant(), parley.createTenant()]);
    const numbers = Array.from({ length: 5 }, (_, index) => index + 1);
    for (let attempt = 0; attempt < 2; attempt++) {
      await Promise.all(
        tenants.flatMap((tenant) => numbers.map((number) => say(tenant, `message ${number}`, `key-${number}`))),
      );
    }
    for (const { bot, chatId } of tenants) {
      const { body } = await bot.get(`/chats/${chatId}`).expect(200);
      expect(body.messages.map(({ seq }: { seq: number }) => seq)).toEqual(numbers);
    }
  });

  it("a bot's token is read from the coordinator's copy, refused as soon as it's revoked, and found after its table was distributed again", async () => {
    const tenant = await parley.createTenant();
    await tenant.bot.get('/groups').expect(200);
    const readsCopy = `SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND query LIKE '%FROM access_tokens_%JOIN bots_%'`;
    expect(await parley.query(readsCopy)).toHaveLength(1);

    const other = await parley.createTenant();
    await other.bot.get('/groups').expect(200);
    const { body } = await other.admin.get(`/bots/${other.botId}/tokens`).expect(200);
    await other.admin.delete(`/bots/${other.botId}/tokens/${body.tokens[0].id}`).expect(204);
    await other.bot.get('/groups').expect(401);

    const keys: { name: string; definition: string }[] = await parley.query(
      `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype = 'f' AND conrelid = 'access_tokens'::regclass`,
    );
    for (const { name } of keys) await parley.query(`ALTER TABLE access_tokens DROP CONSTRAINT ${name}`);
    await parley.query(`SELECT undistribute_table('access_tokens')`);
    await parley.query(`SELECT create_reference_table('access_tokens')`);
    for (const { name, definition } of keys) {
      await parley.query(`ALTER TABLE access_tokens ADD CONSTRAINT ${name} ${definition}`);
    }
    for (let request = 0; request < 2; request++) await tenant.bot.get('/groups').expect(200);
    await other.bot.get('/groups').expect(401);
  });

  it('a visitor gets what the bot says, an agent takes the chat, and a webhook gets the events in order', async () => {
    const tenant = await parley.createTenant();
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await say(tenant, 'hello', 'hello');
    expect(await visitor.next('message')).toMatchObject({ content: 'hello', seq: 1 });
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    const agent = await parley.signInAgent(tenant, { groupIds: [groups[0].id] });
    const socket = await parley.connectAgent(agent.token);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await agent.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await agent.client
      .post(`/chats/${tenant.chatId}/messages`, { content: 'Ada here', clientMessageId: 'one' })
      .expect(201);
    await visitor.until(() => visitor.all('message').some(({ content }) => content === 'Ada here'));
    await visitor.ask('message:send', { chatId: tenant.chatId, content: 'thanks', clientMessageId: 'two' });
    await socket.until(() => socket.all('message').some(({ content }) => content === 'thanks'));
    const seqsOf = (received: Received[]) => received.flatMap(({ event }) => event.data.message?.seq ?? []);
    const seqs = seqsOf(await receiver.until((received) => seqsOf(received).length >= 5));
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  it('what the database rejects gets the same answers as on one PostgreSQL', async () => {
    const tenant = await parley.createTenant();
    const agent = { name: 'Ada', email: 'ada@example.com' };
    await tenant.admin.post('/agents', agent).expect(201);
    expect((await tenant.admin.post('/agents', agent).expect(409)).body.code).toBe('conflict');
    await tenant.admin.post('/groups', { name: 'Own', botId: 'bot_unknown' }).expect(400);
    const visitor = parley.visitor(tenant.visitorToken);
    const message = { content: 'once', clientMessageId: 'one' };
    const send = () => visitor.post(`/chats/${tenant.chatId}/messages`, message);
    const { body: first } = await send().expect(201);
    expect((await send()).body.message.id).toBe(first.message.id);
  });

  it('an agent signs in with an email address and a password, and a wrong one is refused', async () => {
    const tenant = await parley.createTenant();
    const password = 'a long enough password';
    const { email } = await parley.signInAgent(tenant, { password });
    const signIn = (body: object) => parley.agent().post('/session', { email, mode: 'token', ...body });
    await signIn({ password: 'another long password' }).expect(401);
    expect((await signIn({ password }).expect(201)).body.agent.email).toBe(email);
    await signIn({ password, organizationId: tenant.id }).expect(201);
  });

  it('an agent is offline some time after their last socket closed', async () => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant);
    const socket = await parley.connectAgent(ada.token);
    socket.close();
    const connections = (and: string) =>
      parley.query(`SELECT FROM agent_connections WHERE organization_id = $1 ${and}`, [tenant.id]);
    await until('the connection is closed', async () => (await connections('AND closed_at IS NOT NULL')).length === 1);
    await parley.query(
      `UPDATE agent_connections SET closed_at = now() - interval '1 hour' WHERE organization_id = $1`,
      [tenant.id],
    );
    await until('the connection has ended', async () => (await connections('')).length === 0);
    expect((await ada.client.get('/session').expect(200)).body.agent.presence).toBe('OFFLINE');
  });

  it('chats of several organizations close and open again at the same time', async () => {
    const tenants = await Promise.all(Array.from({ length: 8 }, () => parley.createTenant()));
    for (const status of ['CLOSED', 'ACTIVE', 'CLOSED', 'ACTIVE']) {
      const change = ({ admin, chatId }: Tenant) => admin.patch(`/chats/${chatId}`, { status });
      const answers = await Promise.all(tenants.map(change));
      expect(answers.map(({ body }) => body.status)).toEqual(tenants.map(() => status));
    }
  });

  it('a bot keeps a state about a chat, and replaces it only with the right version', async () => {
    const { bot, chatId } = await parley.createTenant();
    const put = (version?: number) => bot.put(`/chats/${chatId}/state`, { state: { step: version }, version });
    await put(1).expect(412);
    expect((await put().expect(200)).body.version).toBe(1);
    await put(0).expect(412);
    expect((await put(1).expect(200)).body.version).toBe(2);
    expect((await bot.get(`/chats/${chatId}/state`).expect(200)).body).toMatchObject({
      state: { step: 1 },
      version: 2,
    });
  });

  it('two clients of a bot that poll in turn acknowledge older responses, and get each event', async () => {
    const tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    const chats = await sayInChats(tenant, 3, 8);
    const clients = [new PullClient(tenant.bot, 5), new PullClient(tenant.bot, 5)];
    await drainInTurn(clients, 30);
    for (const chatId of chats) {
      const seqs = clients.map((client) => client.seqsOf(chatId));
      for (const ofClient of seqs) expect(ofClient).toEqual(ofClient.toSorted((a, b) => a - b));
      expect(new Set(seqs.flat()).size).toBe(8);
    }
    expect((await tenant.bot.get('/subscription').expect(200)).body.pending).toBe(0);
  });

  it('copies of a bot divide the chats, and each event goes to one of them', async () => {
    const tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { events: ['message.created'], senderTypes: ['BOT'] }).expect(200);
    // One chat after the other, so that the events of each are next to each other.
    const chats: string[] = [];
    for (let count = 0; count < 4; count++) chats.push(...(await sayInChats(tenant, 1, 2)));
    const poll = async (copy: string, query = '') =>
      (await tenant.bot.get(`/events?wait=0&share=${copy}&limit=4${query}`).expect(200)).body;
    const [one, two] = [await poll('one'), await poll('two')];
    const chatsOf = ({ events }: any) => new Set<string>(events.map(({ data }: any) => data.chat.id));
    expect([...chatsOf(one), ...chatsOf(two)].sort()).toEqual(chats.toSorted());
    // What isn't acknowledged is sent again, to the same copy.
    expect((await poll('one')).events).toEqual(one.events);
    for (const [copy, { ack }] of [
      ['one', one],
      ['two', two],
    ] as const) {
      expect((await poll(copy, `&ack=${ack}`)).events).toEqual([]);
    }
    expect((await tenant.bot.get('/subscription').expect(200)).body.pending).toBe(0);
  });

  it('a removed bot leaves its groups', async () => {
    const tenant = await parley.createTenant();
    const { body: group } = await tenant.admin.post('/groups', { name: 'Own', botId: tenant.botId }).expect(201);
    await tenant.admin.delete(`/bots/${tenant.botId}`).expect(204);
    expect((await tenant.admin.get(`/groups/${group.id}`).expect(200)).body.botId).toBeNull();
  });

  it('a deleted organization leaves nothing, even if a group names its bot', async () => {
    const tenant = await parley.createTenant();
    await tenant.admin.post('/groups', { name: 'Own', botId: tenant.botId }).expect(201);
    await say(tenant, 'hello', 'hello');
    await parley.admin.delete(`/${tenant.id}?now=true`).expect(204);
    await until('the organization is removed', async () => {
      await parley.app.get(DataRemoval).run();
      return (await parley.query('SELECT FROM organizations WHERE id = $1', [tenant.id])).length === 0;
    });
    expect(await parley.query('SELECT FROM messages WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });
});
