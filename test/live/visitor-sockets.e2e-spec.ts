import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { PATIENCE } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

describe("visitors' sockets", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const connect = (token: unknown = tenant.visitorToken, options = {}) => parley.connectVisitor(token, options);
  const begin = (body: object = {}, token?: string) => parley.beginSession(tenant, body, token);

  describe('the handshake', () => {
    it.each([
      ['none', null],
      ['nonsense', 'nonsense'],
      ['a number', 5],
      ['an object', { a: 1 }],
      ['a bot token', 'bot'],
    ])('the handshake rejects a token that is %s', async (_name, token) => {
      await expect(connect(token === 'bot' ? tenant.token : token)).rejects.toMatchObject({
        data: { code: 'unauthorized' },
      });
    });

    it('the handshake rejects every other namespace', async () => {
      for (const namespace of ['/', '/admin']) {
        const socket = io(parley.url + namespace, {
          transports: ['websocket'],
          forceNew: true,
          auth: { token: tenant.visitorToken },
          reconnection: false,
        });
        await new Promise((resolve) => socket.once('connect_error', resolve));
        expect(socket.connected).toBe(false);
        socket.close();
      }
    });

    it('visitors connect over long polling too', async () => {
      const visitor = await connect(tenant.visitorToken, { transports: ['polling'] });
      expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    });

    it('one address may have a limited number of sockets', async () => {
      const limited = await Parley.start({ VISITOR_CONNECTION_LIMIT: '2' }, parley.databaseUrl);
      const two = [
        await VisitorSocket.connect(limited.url, tenant.visitorToken),
        await VisitorSocket.connect(limited.url, tenant.visitorToken),
      ];
      await expect(VisitorSocket.connect(limited.url, tenant.visitorToken)).rejects.toThrow();
      two[0]!.close();
      for (let third: VisitorSocket | undefined; !third;) {
        third = await VisitorSocket.connect(limited.url, tenant.visitorToken).catch(() => undefined);
        third?.close();
      }
      two[1]!.close();
      await limited.stop();
    });
  });

  describe('chat:open', () => {
    it("chat:open creates one chat for several tabs that open together, with the first one's metadata", async () => {
      const { body: session } = await begin().expect(201);
      const tabs = await Promise.all(Array.from({ length: 8 }, () => connect(session.token)));
      const answers = await Promise.all(tabs.map((tab, index) => tab.ask('chat:open', { metadata: { tab: index } })));
      expect(new Set(answers.map(({ chat }) => chat.id)).size).toBe(1);
      expect(answers[0]).toMatchObject({
        ok: true,
        messages: [],
        latestSeq: 0,
        hasMore: false,
        chat: {
          status: 'ACTIVE',
          group: { name: 'General' },
          assignedTo: null,
          messageCount: 0,
          metadata: { tab: expect.any(Number) },
        },
      });
      const rest = await parley.visitor(session.token).post('/chats', {}).expect(201);
      const page = { messages: [], latestSeq: 0, hasMore: false, deleted: [] };
      expect(rest.body).toEqual({
        chat: answers[0].chat,
        ...page,
        typingPreview: false,
        visitorUploads: null,
        isConnected: false,
      });
    });

    it('chat:open opens a new chat when the last one is closed, and an old one by its id', async () => {
      const visitor = await connect();
      await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
      const { chat } = await visitor.ask('chat:open', {});
      expect(chat.id).not.toBe(tenant.chatId);
      expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({
        ok: true,
        chat: { status: 'CLOSED' },
      });
      const { body } = await parley.visitor(tenant.visitorToken).get('/chats').expect(200);
      expect(body.chats.map(({ id }: { id: string }) => id)).toEqual([chat.id, tenant.chatId]);
    });

    it('chat:open returns up to 200 messages after a seq, and sync returns the rest', async () => {
      await parley.query(
        `WITH n AS (UPDATE chats SET message_count = 250 WHERE id = $1 RETURNING *)
         INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
         SELECT organization_id, id, s, 'msg_' || s, 'TEXT', s, 'SYSTEM', now() FROM n, generate_series(1, 250) s`,
        [tenant.chatId],
      );
      const visitor = await connect();
      const first = await visitor.ask('chat:open', { chatId: tenant.chatId, afterSeq: 10 });
      expect([first.messages.length, first.messages[0].seq, first.latestSeq, first.hasMore]).toEqual([
        200,
        11,
        250,
        true,
      ]);
      const rest = await visitor.ask('sync', { chatId: tenant.chatId, afterSeq: 210 });
      expect([rest.ok, rest.messages.length, rest.messages.at(-1).seq, rest.hasMore]).toEqual([true, 40, 250, false]);
      const few = await visitor.ask('sync', { chatId: tenant.chatId, afterSeq: 210, limit: 10 });
      expect([few.messages.length, few.messages.at(-1).seq, few.hasMore]).toEqual([10, 220, true]);
      for (const limit of [0, 201, 1.5, '10']) {
        const refused = await visitor.ask('sync', { chatId: tenant.chatId, afterSeq: 210, limit });
        expect([limit, refused.error?.errors]).toMatchObject([limit, [{ pointer: '/limit' }]]);
      }
      const { body } = await parley
        .visitor(tenant.visitorToken)
        .get(`/chats/${tenant.chatId}/messages?afterSeq=210&limit=10`)
        .expect(200);
      expect([body.messages.length, body.hasMore]).toEqual([10, true]);
    });
  });

  describe('message:send', () => {
    it("message:send stores the message, sends it to every tab, and isn't a first response", async () => {
      const [one, two] = [await connect(), await connect()];
      await one.ask('chat:open', { chatId: tenant.chatId });
      await two.ask('chat:open', { chatId: tenant.chatId });
      const { ok, message } = await one.ask('message:send', {
        chatId: tenant.chatId,
        content: 'hi',
        metadata: { __proto__: null, a: 1 },
      });
      expect([ok, message]).toMatchObject([
        true,
        { seq: 1, content: 'hi', metadata: { a: 1 }, sender: { type: 'VISITOR', id: tenant.visitorId, name: 'Vera' } },
      ]);
      expect(await two.next('message')).toEqual(message);
      expect(await one.next('message')).toEqual(message);
      const { body } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
      expect(body).toMatchObject({
        messageCount: 1,
        firstResponseAt: null,
        lastMessageAt: message.createdAt,
        messages: [message],
      });
    });

    it('message:send stores one message per clientMessageId, on any tab, node, or over REST', async () => {
      const node = await Parley.start({}, parley.databaseUrl);
      const away = await VisitorSocket.connect(node.url, tenant.visitorToken);
      const tabs = [await connect(), await connect(), away];
      const body = { chatId: tenant.chatId, content: 'once', clientMessageId: 'c-1' };
      const rest = () => parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, body).expect(201);
      const answers = await Promise.all([...tabs, ...tabs].map((tab) => tab.ask('message:send', body)));
      const messages = [
        ...answers.map(({ message }) => message),
        (await rest()).body.message,
        (await rest()).body.message,
      ];
      expect(new Set(messages.map((message) => JSON.stringify(message))).size).toBe(1);
      expect((await tenant.bot.get(`/chats/${tenant.chatId}`)).body.messageCount).toBe(1);
      away.close();
      await node.stop();
    });

    it("a message has the visitor's current name", async () => {
      const visitor = await connect();
      await begin({ visitor: { name: 'Vera B.' } }, tenant.visitorToken).expect(201);
      const { message } = await visitor.ask('message:send', { chatId: tenant.chatId, content: 'x' });
      expect(message.sender.name).toBe('Vera B.');
    });

    it('integers that would lose digits are rejected, as over REST', async () => {
      const visitor = await connect();
      const ask = (metadata: string) => {
        const answer = new Promise<any>((resolve) => ((visitor.socket as any).acks[900] = resolve));
        const packet = `2/visitor,900${JSON.stringify(['message:send', { chatId: tenant.chatId, content: 'n', metadata: 0 }])}`;
        (visitor.socket.io as any).engine.write(
          `4${packet}`.slice(1).replace('"metadata":0', `"metadata":${metadata}`),
        );
        return answer;
      };
      expect(await ask('{"n":12345678901234567891}')).toMatchObject({
        ok: false,
        error: { errors: [{ pointer: '/metadata' }] },
      });
      expect(await ask('{"n":9007199254740992,"t":"12345678901234567891"}')).toMatchObject({
        ok: true,
        message: { metadata: { n: 9007199254740992, t: '12345678901234567891' } },
      });
      await begin({ visitor: 0 }).expect(400);
      const body = `{"widgetKey":"${tenant.widgetKey}","visitor":{"metadata":{"n":12345678901234567891}}}`;
      const rest = await parley.visitor().post('/sessions', body).set('Content-Type', 'application/json').expect(400);
      expect(rest.body.errors).toMatchObject([{ pointer: '/visitor/metadata' }]);
    });

    it('messages keep the order that one socket sends them in', async () => {
      const visitor = await connect();
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, count) =>
          visitor.ask('message:send', { chatId: tenant.chatId, content: `${count}` }),
        ),
      );
      expect(answers.map(({ message }) => [message.seq, message.content])).toEqual(
        answers.map((_, count) => [count + 1, `${count}`]),
      );
    });
  });

  it('a visitor reaches only their own chats', async () => {
    const stranger = (await tenant.admin.post('/chats', {}).expect(201)).body;
    const visitor = await connect(stranger.visitorToken);
    const chatId = tenant.chatId;
    for (const [event, payload] of [
      ['chat:open', { chatId }],
      ['message:send', { chatId, content: 'x' }],
      ['sync', { chatId, afterSeq: 0 }],
      ['typing', { chatId, isTyping: true }],
      ['read', { chatId, seq: 0 }],
    ] as const) {
      expect(await visitor.ask(event, payload)).toMatchObject({
        ok: false,
        error: { code: 'not_found', detail: 'Chat not found' },
      });
    }
    const rest = parley.visitor(stranger.visitorToken);
    await rest.post('/chats', { chatId }).expect(404);
    await rest.get(`/chats/${chatId}/messages`).expect(404);
    await rest.post(`/chats/${chatId}/messages`, { content: 'x' }).expect(404);
    await tenant.bot.post('/messages', { chatId, content: 'secret' }).expect(200);
    await tenant.bot.post('/messages', { chatId: stranger.id, content: 'mine' }).expect(200);
    expect(await visitor.ask('chat:open', {})).toMatchObject({ chat: { id: stranger.id } });
    expect(visitor.all('message').every((message) => message.chatId === stranger.id)).toBe(true);
  });

  it('every request is acked, with the error of the contract', async () => {
    const visitor = await connect();
    const garbage = [
      undefined,
      null,
      5,
      'text',
      [],
      [1, 2],
      {},
      { chatId: 5 },
      { chatId: {} },
      Buffer.from('bytes'),
      { chatId: Buffer.from('x') },
      true,
    ];
    for (const event of ['message:send', 'sync', 'typing', 'read']) {
      for (const payload of garbage) {
        const answer = await visitor.ask(event, payload);
        expect(answer).toMatchObject({
          ok: false,
          error: { code: 'validation_failed', detail: expect.any(String), errors: expect.any(Array) },
        });
      }
      expect(await visitor.socket.timeout(PATIENCE).emitWithAck(event)).toMatchObject({ ok: false });
      expect(await visitor.socket.timeout(PATIENCE).emitWithAck(event, {}, {}, 1)).toMatchObject({ ok: false });
    }
    expect(
      await visitor.ask('message:send', { chatId: tenant.chatId, content: 'x', metadata: { file: Buffer.from('x') } }),
    ).toMatchObject({
      ok: false,
      error: { errors: [{ pointer: '/metadata' }] },
    });
    expect(await visitor.ask('chat:open', { afterSeq: -1 })).toMatchObject({
      ok: false,
      error: { errors: [{ pointer: '/afterSeq' }] },
    });
    expect(await visitor.ask('no:such', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    visitor.socket.emit('message:send', 'without an ack');
    visitor.socket.emit('no:such');
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
  });

  it('the largest valid message is accepted with any escapes, and a socket that sends far more is disconnected', async () => {
    const visitor = await connect();
    const content = '😀'.repeat(5_000);
    const metadata = { a: '\u0001'.repeat(1_700) };
    expect(await visitor.ask('message:send', { chatId: tenant.chatId, content, metadata })).toMatchObject({
      ok: true,
      message: { content, metadata },
    });
    const cut = new Promise((resolve) => visitor.socket.once('disconnect', resolve));
    visitor.socket.emit('message:send', { chatId: tenant.chatId, content: 'x'.repeat(400_000) });
    await cut;
  });

  it('requests have a rate limit across socket and REST, and so do sessions', async () => {
    const limited = await Parley.start({ VISITOR_RATE_LIMIT: '10' }, parley.databaseUrl);
    const visitor = await VisitorSocket.connect(limited.url, tenant.visitorToken);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => visitor.ask('sync', { chatId: tenant.chatId, afterSeq: 0 })),
    );
    expect(answers.filter(({ error }) => error?.code === 'rate_limited').length).toBeGreaterThanOrEqual(10);
    // A busy machine takes seconds for these, and each second allows ten.
    const sessions = await Promise.all(
      Array.from({ length: 100 }, () => limited.visitor().post('/sessions', { widgetKey: tenant.widgetKey })),
    );
    expect(sessions.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
    visitor.close();
    await limited.stop();
  });
});
