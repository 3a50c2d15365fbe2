import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { RetentionService } from '../../src/privacy/retention.service.js';
import { eventually } from '../support/eventually.js';
import { ClientsOnRoad, memory, until } from '../support/observing.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { findTraces } from '../support/traces.js';

const DAY = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);

describe('anonymous visitors who never wrote', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const clean = (now: Date, node = parley) => node.app.get(DataRemoval).run(now);
  const begin = async (of = tenant, identity?: string) => {
    const { body: session } = await parley.beginSession(of, { identity }).expect(201);
    return { id: session.visitor.id as string, token: session.token as string };
  };
  const beginChat = async (of = tenant, identity?: string) => {
    const visitor = await begin(of, identity);
    const { body: opened } = await parley.visitor(visitor.token).post('/chats', {}).expect(201);
    return { ...visitor, chatId: opened.chat.id as string };
  };
  const say = ({ token, chatId }: { token: string; chatId: string }) =>
    parley.visitor(token).post(`/chats/${chatId}/messages`, { content: 'hello' }).expect(201);
  const exists = async ({ id }: { id: string }) =>
    (await parley.query('SELECT FROM visitors WHERE organization_id = $1 AND id = $2', [tenant.id, id])).length === 1;

  it('an anonymous visitor who never wrote is deleted after 30 days, with chats where only others wrote', async () => {
    const silent = await begin();
    const empty = await beginChat();
    const greeted = await beginChat();
    await tenant.bot.post('/messages', { chatId: greeted.chatId, content: 'Welcome!' }).expect(200);
    await parley.visitor(greeted.token).post(`/chats/${greeted.chatId}/read`, { seq: 1 }).expect(200);
    await clean(inDays(29));
    for (const visitor of [silent, empty, greeted]) expect(await exists(visitor)).toBe(true);
    const socket = await parley.connectVisitor(greeted.token);
    await socket.ask('chat:open', {});

    await clean(inDays(31));

    expect(await findTraces(parley, silent.id, empty.id, empty.chatId, greeted.id, greeted.chatId)).toEqual([]);
    await eventually(
      () => socket.socket.connected,
      (isConnected) => !isConnected,
    );
    await tenant.bot.get(`/chats/${greeted.chatId}`).expect(404);
  });

  it('a chat that was merged or assigned during the deletion is kept', async () => {
    const merged = await beginChat();
    const queued = await beginChat();
    const retention = parley.app.get(RetentionService);
    const removeChats = retention.removeChats.bind(retention);
    let person = '';
    // Between the query and the deletion.
    retention.removeChats = async (organizationId, ids, ...rest) => {
      if (ids.includes(merged.chatId)) {
        const identity = await signIdentity(tenant, { sub: 'late' });
        const { body } = await parley.beginSession(tenant, { identity, merge: true }, merged.token).expect(201);
        person = body.token;
        await tenant.admin.patch(`/chats/${queued.chatId}`, { status: 'QUEUED' }).expect(200);
        await parley.query('UPDATE chats SET status_changed_at = $2 WHERE id = $1', [queued.chatId, inDays(31)]);
      }
      return removeChats(organizationId, ids, ...rest);
    };
    await clean(inDays(31));
    retention.removeChats = removeChats;
    const { body } = await parley.visitor(person).get('/chats').expect(200);
    expect(body.chats.map(({ id }: { id: string }) => id)).toEqual([merged.chatId]);
    await tenant.bot.get(`/chats/${queued.chatId}`).expect(200);
  });

  it('a deleted visitor gets 401 everywhere, and the client starts again', async () => {
    const clients = await ClientsOnRoad.to(parley.url, tenant);
    const storage = memory();
    const connected = clients.connect({ storage: memory() });
    const gone = clients.connect({ storage });
    const { id: openChat } = await connected.openChat();
    const { id: closedChat } = await gone.openChat();
    gone.close();
    const { token } = await begin();
    await clean(inDays(31));
    await parley.visitor(token).get('/chats').expect(401);
    await parley.beginSession(tenant, {}, token).expect(401);
    await expect(parley.connectVisitor(token)).rejects.toThrow();
    await until(connected.chat, (chat) => chat !== null && chat.id !== openChat);
    const back = clients.connect({ storage });
    expect((await back.openChat()).id).not.toBe(closedChat);
    for (const client of [connected, back]) expect(await client.send('here after all')).toMatchObject({ seq: 1 });
    await clients.close();
  });

  it('an anonymous visitor stays while their chat is recent, waiting, or assigned', async () => {
    const recent = await beginChat();
    const waiting = await beginChat();
    const assigned = await beginChat();
    for (const { chatId } of [recent, assigned])
      await tenant.bot.post('/messages', { chatId, content: 'Welcome!' }).expect(200);
    await tenant.bot.post('/transfer', { chatId: waiting.chatId }).expect(200);
    const { body: agent } = await tenant.admin
      .post('/agents', { name: 'Ada', email: 'ada@example.com', groupIds: [] })
      .expect(201);
    const touch = 'UPDATE chats SET last_message_at = $2, agent_id = $3 WHERE id = $1';
    await parley.query(touch, [recent.chatId, inDays(5), null]);
    await parley.query(touch, [assigned.chatId, inDays(0), agent.id]);
    await clean(inDays(31));
    for (const visitor of [recent, waiting, assigned]) expect(await exists(visitor)).toBe(true);
    await parley.query(touch, [assigned.chatId, inDays(0), null]);
    await tenant.admin.patch(`/chats/${waiting.chatId}`, { status: 'CLOSED' }).expect(200);
    await clean(inDays(36));
    for (const visitor of [recent, waiting, assigned]) expect(await exists(visitor)).toBe(false);
  });

  it('visitors who wrote, and those the customer signed or created, are never deleted by it', async () => {
    const spoke = await beginChat();
    await say(spoke);
    const identity = await signIdentity(tenant, { sub: 'vera' });
    const signed = await beginChat(tenant, identity);
    const { body: made } = await tenant.admin.post('/chats', {}).expect(201);
    for (const days of [31, 3_000]) await clean(inDays(days));
    for (const visitor of [spoke, signed, made.visitor]) expect(await exists(visitor)).toBe(true);
    await parley.visitor(made.visitorToken).get('/chats').expect(200);
    // Visitors known to stay aren't checked again.
    const kept = await parley.query('SELECT FROM visitors WHERE id = $1 AND is_kept', [spoke.id]);
    expect(kept).toHaveLength(1);
  });

  it('an anonymous visitor is deleted in an organization without a bot too, where an empty chat waits for nothing', async () => {
    const without = await parley.createTenant({ hasBot: false });
    const { id, chatId } = await beginChat(without);
    await clean(inDays(31));
    expect(await findTraces(parley, id, chatId)).toEqual([]);
  });

  it('simultaneous nodes delete a visitor once, and never while they write', async () => {
    const otherNode = await Parley.start({}, parley.databaseUrl);
    const visitors = await Promise.all(Array.from({ length: 30 }, () => beginChat()));
    const speaking = visitors.slice(0, 10);
    const passes = [parley, otherNode].map((node) => clean(inDays(31), node));
    const answers = await Promise.all(
      speaking.map(({ token, chatId }) =>
        parley
          .visitor(token)
          .post(`/chats/${chatId}/messages`, { content: 'now' })
          .then(({ status }) => status),
      ),
    );
    await Promise.all(passes);
    expect(new Set([...answers, 201, 401, 404])).toEqual(new Set([201, 401, 404]));
    // A visitor whose row the other pass had locked waits for the next one.
    await clean(inDays(31));
    // Visitors who were answered 201 exist with their message, unless it was already old when the pass came.
    for (const { id, chatId } of visitors.slice(10)) expect(await findTraces(parley, id, chatId)).toEqual([]);
    await otherNode.stop();
  });

  it('anonymous visitors stay forever with ANONYMOUS_RETENTION_DAYS=0', async () => {
    const silent = await begin();
    const keeping = await Parley.start({ ANONYMOUS_RETENTION_DAYS: '0' }, parley.databaseUrl);
    await clean(inDays(3_000), keeping);
    expect(await exists(silent)).toBe(true);
    await keeping.stop();
  });
});
