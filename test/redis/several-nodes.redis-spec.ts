import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import type { VisitorSocket } from '../support/visitor.js';
import { startNodes } from './support/nodes.js';

describe('several nodes', () => {
  let redis: RedisServer;
  let here: Parley;
  let there: Parley;
  let third: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    redis = await RedisServer.start();
    [here, there, third] = (await startNodes(redis, { BOT_RATE_LIMIT: '40' })) as [Parley, Parley, Parley];
    // Messages that arrive in time came through Redis.
    for (const node of [here, there, third]) node.app.get(Timings).seqHints = 600_000;
  });
  afterAll(async () => {
    for (const node of [third, there, here]) await node.stop();
    await redis.kill();
  });
  beforeEach(async () => {
    tenant = await here.createTenant();
  });

  const bot = (node: Parley) => node.bot(tenant.token);
  const say = (node: Parley, content = 'x', chatId = tenant.chatId) =>
    bot(node).post('/messages', { chatId, content }).expect(200);
  const listen = async (node: Parley, token = tenant.visitorToken, chatId = tenant.chatId): Promise<VisitorSocket> => {
    const visitor = await node.connectVisitor(token);
    expect(await visitor.ask('chat:open', { chatId })).toMatchObject({ ok: true });
    return visitor;
  };

  it('a message reaches the visitors of every node, once', async () => {
    const visitors = [await listen(here), await listen(there), await listen(third)];
    for (const [index, node] of [there, here, third].entries()) await say(node, `from ${index}`);
    for (const visitor of visitors) {
      await visitor.until(() => visitor.all('message').length === 3);
      // A message of another node can arrive after a later one of this node, so clients order by `seq`.
      const inOrder = visitor.all('message').toSorted((one, other) => one.seq - other.seq);
      expect(inOrder.map(({ content }) => content)).toEqual(['from 0', 'from 1', 'from 2']);
    }
    await visitors[0]!.ask('message:send', { chatId: tenant.chatId, content: 'from a visitor' });
    for (const visitor of visitors) await visitor.until(() => visitor.all('message').length === 4);
  });

  it('a visitor misses no message while opening a chat', async () => {
    for (let round = 0; round < 20; round++) {
      // A token per round: together they send more than one token may per second.
      const { body: token } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, {}).expect(201);
      const say = (node: Parley, content: string, chatId: string) =>
        node.bot(token.token).post('/messages', { chatId, content }).expect(200);
      const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
      const visitor = await there.connectVisitor(chat.visitorToken);
      const [opened] = await Promise.all([
        visitor.ask('chat:open', { chatId: chat.id }),
        say(here, 'a', chat.id),
        say(third, 'b', chat.id),
      ]);
      await say(here, 'c', chat.id);
      await visitor.until(() => visitor.all('message').some(({ seq }) => seq === 3));
      const seen = new Set([...opened.messages, ...visitor.all('message')].map(({ seq }) => seq as number));
      expect(seen).toEqual(new Set([1, 2, 3]));
    }
  });

  it('changes of a chat reach other nodes', async () => {
    const visitor = await listen(there);
    await bot(here).post('/transfer', { chatId: tenant.chatId }).expect(200);
    expect(await visitor.next('chat')).toMatchObject({ id: tenant.chatId, status: 'QUEUED' });
    await bot(here).post(`/chats/${tenant.chatId}/read`, { seq: 1 }).expect(200);
    expect(await visitor.next('chat')).toMatchObject({ read: { organization: 1 } });
  });

  it('typing and its end reach other nodes, even if another node gets the message', async () => {
    const visitor = await listen(there);
    await bot(here).post(`/chats/${tenant.chatId}/typing`, { isTyping: true }).expect(200);
    expect(await visitor.next('typing')).toMatchObject({ sender: { type: 'BOT' }, isTyping: true });
    await say(third);
    expect(await visitor.next('typing')).toMatchObject({ isTyping: false });
  });

  it("a chat's events reach no other chat and no other organization", async () => {
    const other = await here.createTenant();
    const stranger = await listen(there, other.visitorToken, other.chatId);
    await say(here);
    await other.bot.post('/messages', { chatId: other.chatId, content: 'yours' }).expect(200);
    await stranger.next('message');
    expect(stranger.all('message').map(({ content }) => content)).toEqual(['yours']);
  });

  it('a merged chat leaves the sockets of its previous visitor', async () => {
    const { body: anonymous } = await here.beginSession(tenant).expect(201);
    const visitor = await there.connectVisitor(anonymous.token);
    const { chat } = await visitor.ask('chat:open', {});
    const identity = await signIdentity(tenant, { sub: 'vera' });
    const { body: known } = await here.beginSession(tenant, { identity, merge: true }, anonymous.token).expect(201);
    const owner = await listen(third, known.token, chat.id);
    await eventually(
      () => redis.channels(),
      (channels) => channels.filter((name) => name.endsWith(chat.id)).length === 1,
    );
    await say(here, 'not for you', chat.id);
    await owner.next('message');
    expect(await visitor.ask('sync', { chatId: chat.id, afterSeq: 0 })).toMatchObject({ error: { code: 'not_found' } });
    expect(visitor.all('message')).toEqual([]);
  });

  it('deleting an organization closes its sockets on every node', async () => {
    const visitor = await listen(there);
    const ended = new Promise((resolve) => visitor.socket.once('disconnect', resolve));
    await here.admin.delete(`/${tenant.id}`).expect(204);
    expect(await ended).toBe('io server disconnect');
  });

  it('ending a token or removing an origin closes its sockets on every node immediately', async () => {
    const { token } = (await here.beginSession(tenant, {}, tenant.visitorToken).expect(201)).body;
    const evil = { extraHeaders: { origin: 'https://evil.example' } };
    const [signedOut, refused] = [
      await there.connectVisitor(token),
      await third.connectVisitor(tenant.visitorToken, evil),
    ];
    const lasting = await listen(there);
    const ended = [signedOut, refused].map(
      ({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)),
    );
    await here.visitor(token).delete('/sessions').expect(204);
    await here.admin.patch(`/${tenant.id}`, { allowedOrigins: ['https://shop.example'] }).expect(200);
    expect(await Promise.all(ended)).toEqual(['io server disconnect', 'io server disconnect']);
    expect(lasting.socket.connected).toBe(true);
    await here.admin.patch(`/${tenant.id}`, { allowedOrigins: [] }).expect(200);
  });

  it("a token's requests are counted across nodes", async () => {
    const ask = (node: Parley, count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          bot(node)
            .get('/groups')
            .then(({ status }) => status),
        ),
      );
    // 40 a second are allowed, and this node is asked for 5 at a time.
    await eventually(
      async () => {
        await ask(here, 40);
        return ask(there, 5);
      },
      (statuses) => statuses.includes(429),
    );
  });

  it('a channel is unsubscribed with its last listener', async () => {
    const channel = `parley:${tenant.chatId}`;
    const visitor = await listen(there);
    expect(await redis.channels()).toContain(channel);
    visitor.close();
    await eventually(
      () => redis.channels(),
      (channels) => !channels.includes(channel),
    );
  });

  it('sockets that start with polling are accepted only when SOCKET_TRANSPORTS allows it', async () => {
    await expect(here.connectVisitor(tenant.visitorToken, { transports: ['polling'] })).rejects.toThrow();
    const [sticky] = await startNodes(redis, { SOCKET_TRANSPORTS: 'polling, websocket' }, here.databaseUrl, 1);
    await sticky!.connectVisitor(tenant.visitorToken, { transports: ['polling'] });
    await sticky!.stop();
  });
});
