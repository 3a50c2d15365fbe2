import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { RetentionService } from '../../src/privacy/retention.service.js';
import { VisitorErasureService } from '../../src/privacy/visitor-erasure.service.js';
import { eventually, until } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { fillChat, findTraces, readSeqs, stopOwnPasses, upTo } from '../support/traces.js';

describe('erasing a visitor', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' });
    // This suite tests what a finished erasure has done, and it erases thousands of messages.
    parley.app.get(DataRemoval).erasureTimeout = 25_000;
    stopOwnPasses(parley);
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await parley.stop();
  });

  const identify = (sub: string, claims: object = {}) => signIdentity(tenant, { ...claims, sub });
  const begin = async () => {
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const { body: opened } = await parley.visitor(session.token).post('/chats', {}).expect(201);
    return { id: session.visitor.id as string, token: session.token as string, chatId: opened.chat.id as string };
  };
  const send = (chatId: string, content: string, more: object = {}) =>
    tenant.bot.post('/messages', { chatId, content, ...more });
  const listMessages = async (chatId: string) =>
    (await tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages as any[];

  it('an erasure leaves no trace of the person in any table', async () => {
    const failing = await Receiver.start((_, response) => void response.writeHead(500).end());
    const { body: gone } = await tenant.admin.post('/webhooks', { url: 'https://gone.invalid' }).expect(201);
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await tenant.admin.post('/webhooks', { url: failing.url }).expect(201);
    const needle = (what: string) => `needle${what}`;
    const identity = await identify(needle('sub'), { name: needle('name'), email: `${needle('email')}@example.com` });
    const { body: session } = await parley
      .beginSession(tenant, { identity, visitor: { metadata: { plan: needle('profile') } } })
      .expect(201);
    const visitor = parley.visitor(session.token);
    const { body: opened } = await visitor.post('/chats', { metadata: { page: needle('page') } }).expect(201);
    const chatId: string = opened.chat.id;
    const said = { content: needle('said'), clientMessageId: needle('client'), metadata: { a: needle('metadata') } };
    await visitor.post(`/chats/${chatId}/messages`, said).expect(201);
    const options = [{ label: 'Yes', value: needle('value') }];
    const { body: offer } = await send(chatId, `Dear ${needle('name')}`, { type: 'QUICK_REPLY', metadata: { options } })
      .set('Idempotency-Key', needle('key'))
      .expect(200);
    const replyTo = { messageId: offer.id, value: needle('value') };
    await visitor.post(`/chats/${chatId}/messages`, { content: 'Yes', replyTo }).expect(201);
    await visitor.post(`/chats/${chatId}/read`, { seq: 2 }).expect(200);
    for (const reason of [needle('reason'), needle('again')])
      await tenant.bot.post('/transfer', { chatId, reason }).set('Idempotency-Key', reason).expect(200);
    await tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await failing.count(1);
    await receiver.until((all) => all.some(({ event }) => event.type === 'chat.closed'));
    await tenant.admin.delete(`/webhooks/${gone.id}`).expect(204);
    const other = await begin();
    await parley.visitor(other.token).post(`/chats/${other.chatId}/messages`, { content: 'unconcerned' }).expect(201);
    const before = await findTraces(parley, 'needle', session.visitor.id);
    expect(before).toEqual(
      expect.arrayContaining(
        ['chats', 'deliveries', 'idempotency_keys', 'messages', 'visitors'].map((table) => `needle in ${table}`),
      ),
    );
    const { messageCount } = await readSeqs(parley, tenant.id, chatId);

    await tenant.admin.delete(`/visitors/${session.visitor.id}`).expect(204);

    expect(await findTraces(parley, 'needle', session.visitor.id)).toEqual([]);
    expect(await parley.query('SELECT FROM chat_reads WHERE chat_id = $1', [chatId])).toEqual([]);
    expect(await parley.query('SELECT FROM attempts')).not.toEqual([]);
    expect((await readSeqs(parley, tenant.id, chatId)).seqs).toEqual(upTo(messageCount!));
    expect((await listMessages(other.chatId))[0]).toMatchObject({ content: 'unconcerned' });
    expect((await tenant.admin.get('/visitors?externalId=needlesub').expect(200)).body.visitors).toEqual([]);
    await tenant.admin.get(`/visitors/${session.visitor.id}`).expect(404);
    await tenant.admin.delete(`/visitors/${session.visitor.id}`).expect(404);
    await failing.close();
  });

  it('an erasure leaves tombstones that keep their place, and a chat without a visitor that takes no messages', async () => {
    const { id, token, chatId } = await begin();
    const visitor = parley.visitor(token);
    await visitor.post(`/chats/${chatId}/messages`, { content: 'my name is Vera' }).expect(201);
    await send(chatId, 'hello Vera', { metadata: { a: 1 } }).expect(200);
    const before = await listMessages(chatId);
    const stranger = await begin();
    await tenant.admin.delete(`/visitors/${id}`).expect(204);
    await tenant.admin.delete(`/visitors/${stranger.id}`).expect(204);

    const after = await listMessages(chatId);
    const deletedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(after).toEqual([
      { ...before[0], content: '', sender: { type: 'VISITOR', id: null, name: null }, deletedAt },
      { ...before[1], content: '', metadata: {}, deletedAt },
    ]);
    const { body: chat } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(chat).toMatchObject({ status: 'ARCHIVED', messageCount: 2, visitor: { name: null, email: null } });
    expect(chat.messages).toEqual(after);
    const { body: others } = await tenant.bot.get(`/chats/${stranger.chatId}`).expect(200);
    expect(others.visitor.id).toBe(chat.visitor.id);
    await tenant.admin.get(`/visitors/${chat.visitor.id}`).expect(404);
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(404);
    const together = await Promise.all([send(chatId, 'x'), send(chatId, 'y'), send(other(), 'z')]);
    expect(together.map(({ status }) => status)).toEqual([404, 404, 404]);
    await send(chatId, 'x').expect(404);
    await send(chatId, 'x').set('Idempotency-Key', 'late').expect(404);
    await tenant.bot.post('/transfer', { chatId }).expect(409);
    await tenant.admin.patch(`/chats/${chatId}`, { status: 'ACTIVE' }).expect(409);
    function other() {
      return stranger.chatId;
    }
  });

  it('an erasure ends the token and the sockets immediately, on every node, and the person returns as a new visitor', async () => {
    const otherNode = await Parley.start({}, parley.databaseUrl);
    const identity = await identify('comes-back', { name: 'Vera' });
    const { body: session } = await parley.beginSession(tenant, { identity }).expect(201);
    const socket = await parley.connectVisitor(session.token);
    await socket.ask('chat:open', {});
    await tenant.admin.delete(`/visitors/${session.visitor.id}`).expect(204);
    await eventually(
      () => socket.socket.connected,
      (isConnected) => !isConnected,
    );
    for (const node of [parley, otherNode]) {
      await node.visitor(session.token).get('/chats').expect(401);
      await expect(node.connectVisitor(session.token)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
      await node.beginSession(tenant, { visitor: { name: 'Vera' } }, session.token).expect(401);
    }
    const { body: again } = await parley.beginSession(tenant, { identity }).expect(201);
    expect(again.visitor.id).not.toBe(session.visitor.id);
    expect((await parley.visitor(again.token).get('/chats').expect(200)).body.chats).toEqual([]);
    await otherNode.stop();
  });

  it('messages sent during an erasure lose their content, and seq has no gap', async () => {
    const { id, token, chatId } = await begin();
    await fillChat(parley, tenant.id, chatId, 2_500);
    const results: Promise<number>[] = [];
    const say = (n: number) => {
      const content = `late needle ${n}`;
      results.push(send(chatId, content).then(({ status }) => status));
      const keyed = send(chatId, content).set('Idempotency-Key', `late-${n}`);
      results.push(keyed.then(({ status }) => status));
      const own = parley.visitor(token).post(`/chats/${chatId}/messages`, { content, clientMessageId: `late-${n}` });
      results.push(own.then(({ status }) => status));
    };
    for (let n = 0; n < 20; n++) say(n);
    const erased = tenant.admin.delete(`/visitors/${id}`).then(({ status }) => status);
    for (let n = 20; n < 60; n++) say(n);
    expect(await erased).toBe(204);
    const statuses = new Set(await Promise.all(results));
    expect([...statuses].filter((status) => ![200, 201, 401, 404].includes(status))).toEqual([]);
    expect(await findTraces(parley, 'late needle', 'late-', id)).toEqual([]);
    const { seqs, messageCount } = await readSeqs(parley, tenant.id, chatId);
    expect(seqs).toEqual(upTo(messageCount!));
  });

  it('another node finishes an erasure that a dead node started', async () => {
    const { id, token, chatId } = await begin();
    await fillChat(parley, tenant.id, chatId, 3_500);
    let steps = 0;
    const erasure = parley.app.get(VisitorErasureService);
    await erasure.start(tenant.id, id);
    const isDone = await erasure.proceed(tenant.id, id, () => ++steps > 2);
    expect(isDone).toBe(false);
    await parley.visitor(token).get('/chats').expect(401);
    await tenant.admin.get(`/visitors/${id}`).expect(404);
    expect(await findTraces(parley, id)).not.toEqual([]);
    const otherNode = await Parley.start({}, parley.databaseUrl);
    await Promise.all([parley, otherNode].map((node) => node.app.get(DataRemoval).run()));
    expect(await findTraces(parley, id)).toEqual([]);
    expect((await readSeqs(parley, tenant.id, chatId)).seqs).toEqual(upTo(3_500));
    expect((await listMessages(chatId)).every(({ content }) => content === '')).toBe(true);
    await otherNode.stop();
  });

  it('an erasure that takes longer than a request continues by itself', async () => {
    const { id, token, chatId } = await begin();
    await fillChat(parley, tenant.id, chatId, 600);
    const removal = parley.app.get(DataRemoval);
    const { erasureTimeout } = removal;
    removal.erasureTimeout = 0;
    await tenant.admin.delete(`/visitors/${id}`).expect(202);
    removal.erasureTimeout = erasureTimeout;
    await parley.visitor(token).get('/chats').expect(401);
    await eventually(
      () => findTraces(parley, id),
      (traces) => traces.length === 0,
    );
    await tenant.admin.delete(`/visitors/${id}`).expect(404);
  });

  it('a pass of retention that takes hours, and 100 erasures that fail, keep no erasure waiting', async () => {
    const { id, chatId } = await begin();
    await fillChat(parley, tenant.id, chatId, 600);
    await parley.query(
      `INSERT INTO visitors (organization_id, id, created_at, erasing_since)
       SELECT $1, 'vis_00' || n, now(), now() FROM generate_series(1, 100) n`,
      [tenant.id],
    );
    const erasure = parley.app.get(VisitorErasureService);
    const proceed = erasure.proceed.bind(erasure);
    const failing = jest.spyOn(erasure, 'proceed').mockImplementation(async (organizationId, visitorId, shouldStop) => {
      if (visitorId.startsWith('vis_00')) throw new Error('it fails');
      return proceed(organizationId, visitorId, shouldStop);
    });
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const hanging = jest.spyOn(parley.app.get(RetentionService), 'run').mockReturnValue(isReleased);
    const removal = parley.app.get(DataRemoval);
    const pass = removal.run();
    await until('retention has begun', () => hanging.mock.calls.length > 0);
    const { erasureTimeout } = removal;
    removal.erasureTimeout = 0;
    await tenant.admin.delete(`/visitors/${id}`).expect(202);
    removal.erasureTimeout = erasureTimeout;
    await until('the erasure has ended', async () => (await findTraces(parley, id)).length === 0);
    release();
    await pass;
    failing.mockRestore();
    hanging.mockRestore();
    await parley.query("DELETE FROM visitors WHERE id LIKE 'vis_00%'");
  });

  it('an erasure includes what the person was before they signed in', async () => {
    const profile = { name: 'Anonymous needle', email: 'anonymous-needle@example.com' };
    const { body: anonymous } = await parley.beginSession(tenant, { visitor: profile }).expect(201);
    const { body: opened } = await parley.visitor(anonymous.token).post('/chats', {}).expect(201);
    const path = `/chats/${opened.chat.id}/messages`;
    const twice = { content: 'said as needle', clientMessageId: 'needle-1' };
    await parley.visitor(anonymous.token).post(path, twice).expect(201);
    // As after they used a link in a mail.
    const verified = 'UPDATE visitors SET email = $2, verified_email = $2 WHERE id = $1';
    await parley.query(verified, [anonymous.visitor.id, 'needle@example.com']);
    const identity = await identify('known');
    const { body: known } = await parley.beginSession(tenant, { identity, merge: true }, anonymous.token).expect(201);
    await tenant.admin.delete(`/visitors/${known.visitor.id}`).expect(204);
    expect(await findTraces(parley, 'needle')).toEqual([]);
  });
});
