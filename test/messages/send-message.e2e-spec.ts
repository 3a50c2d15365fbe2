import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { movedBySeconds } from '../support/times.js';
import { VisitorSocket } from '../support/visitor.js';

describe('POST /api/bot/messages', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const send = (body: object, key?: string) => {
    const request = tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello', ...body });
    return key === undefined ? request : request.set('Idempotency-Key', key);
  };
  const chat = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body;

  it('a message is answered 200 with exactly id and status', async () => {
    const { body } = await send({}).expect(200);
    expect(body).toEqual({ id: expect.stringMatching(/^msg_[0-9a-z]{26}$/), status: 'sent' });
  });

  it('a message is stored, moves the counters, and is sent to the visitor', async () => {
    const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    const { body } = await send({ metadata: { a: [1, { b: null }] } }).expect(200);
    const message = await visitor.next('message');
    expect(message).toEqual({
      id: body.id,
      chatId: tenant.chatId,
      seq: 1,
      type: 'TEXT',
      content: 'hello',
      metadata: { a: [1, { b: null }] },
      sender: { type: 'BOT', id: tenant.botId, name: 'Bot', isAi: true },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const after = await chat();
    expect(after).toMatchObject({
      messageCount: 1,
      lastMessageAt: message.createdAt,
      firstResponseAt: message.createdAt,
    });
    expect(after.messages).toEqual([message]);
    visitor.close();
  });

  it('seq and messageCount count up, and firstResponseAt stays', async () => {
    await send({}).expect(200);
    const first = await chat();
    await send({ content: 'second' }).expect(200);
    const second = await chat();
    expect(second.messages.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2]);
    expect(second.firstResponseAt).toBe(first.firstResponseAt);
    expect(second.messageCount).toBe(2);
  });

  it.each([
    ['chatId', { chatId: undefined }, '/chatId'],
    ['chatId that is no text', { chatId: 5 }, '/chatId'],
    ['chatId of 65', { chatId: 'x'.repeat(65) }, '/chatId'],
    ['empty chatId', { chatId: '' }, '/chatId'],
    ['content', { content: undefined }, '/content'],
    ['null content', { content: null }, '/content'],
    ['empty content', { content: '' }, '/content'],
    ['content of 5001', { content: 'x'.repeat(5001) }, '/content'],
    ['content that is no text', { content: ['x'] }, '/content'],
    ['content with U+0000', { content: 'a\u0000b' }, '/content'],
    ['content with a lone surrogate', { content: 'a\ud800b' }, '/content'],
    ['unknown type', { type: 'VIDEO' }, '/type'],
    ['type in small letters', { type: 'text' }, '/type'],
    ['metadata that is an array', { metadata: [] }, '/metadata'],
    ['metadata that is text', { metadata: 'x' }, '/metadata'],
    ['metadata of 10,241 bytes', { metadata: { a: 'x'.repeat(10_241 - 8) } }, '/metadata'],
    ['metadata with U+0000', { metadata: { a: '\u0000' } }, '/metadata'],
    ['metadata with a lone surrogate as a key', { metadata: { '\udc00': 1 } }, '/metadata'],
    ['quick reply without metadata', { type: 'QUICK_REPLY' }, '/metadata/options'],
    ['quick reply without options', { type: 'QUICK_REPLY', metadata: {} }, '/metadata/options'],
    ['quick reply with no options', { type: 'QUICK_REPLY', metadata: { options: [] } }, '/metadata/options'],
    ['option without a value', { type: 'QUICK_REPLY', metadata: { options: [{ label: 'a' }] } }, '/metadata/options/0'],
    [
      'option with a number',
      { type: 'QUICK_REPLY', metadata: { options: [{ label: 'a', value: 1 }] } },
      '/metadata/options/0',
    ],
  ])('a bad %s is rejected with its name', async (_name, body, pointer) => {
    const { body: problem, headers } = await send(body).expect(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ pointer }] });
    expect((await chat()).messageCount).toBe(0);
  });

  it('a problem names each invalid field once', async () => {
    const { body } = await send({ chatId: 1, content: '', type: 'x', metadata: 3 }).expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/chatId',
      '/content',
      '/metadata',
      '/type',
    ]);
  });

  it.each([
    ['5000 characters', { content: 'x'.repeat(5000) }],
    ['5000 characters outside the BMP', { content: '😀'.repeat(5000) }],
    ['one space', { content: ' ' }],
    ['text that would be normalised or trimmed', { content: ' e\u0301\r\n\t\ufeff ' }],
    ['metadata of 10,240 bytes', { metadata: { a: 'x'.repeat(10_240 - 8) } }],
    [
      'metadata whose keys are traps',
      { metadata: JSON.parse('{"__proto__":{"x":1},"constructor":1,"toJSON":2,"":0,"then":3}') },
    ],
    ['null type and metadata', { type: null, metadata: null }],
    ['unknown fields', { constructor: 1, extra: { deep: [[[]]] } }],
    ['an image', { type: 'IMAGE', content: 'https://example.com/a.png', metadata: { alt: 'a' } }],
    ['a button whose metadata is anything', { type: 'BUTTON', metadata: { options: 'whatever' } }],
    [
      'a quick reply',
      { type: 'QUICK_REPLY', metadata: { options: [{ label: 'Yes', value: 'y', more: 1 }], other: true } },
    ],
  ])('%s is accepted and returned unchanged', async (_name, body: Record<string, any>) => {
    await send(body).expect(200);
    const [message] = (await chat()).messages;
    expect(message.content).toBe(body.content ?? 'hello');
    expect(message.metadata).toEqual(body.metadata ?? {});
    expect(message.type).toBe(body.type ?? 'TEXT');
  });

  it('a body with every character escaped is accepted', async () => {
    const escape = (text: string) =>
      [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
    const content = '😀'.repeat(5000);
    const filler = 'x'.repeat(10_240 - 8);
    const body = `{"chatId":"${escape(tenant.chatId)}","content":"${escape(content)}","metadata":{"a":"${escape(filler)}"}}`;
    await tenant.bot.post('/messages', body).set('Content-Type', 'application/json').expect(200);
    const [message] = (await chat()).messages;
    expect(message).toMatchObject({ content, metadata: { a: filler } });
  });

  it('metadata of 2,000 levels is stored, and far deeper metadata is rejected without harm', async () => {
    const nest = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    const post = (metadata: string) =>
      tenant.bot
        .post('/messages', `{"chatId":"${tenant.chatId}","content":"deep","metadata":${metadata}}`)
        .set('Content-Type', 'application/json');
    const arrays = `{"a":${'['.repeat(1_999)}${']'.repeat(1_999)}}`;
    await post(arrays).expect(200);
    await post(nest(1_700)).expect(200);
    await post(nest(20_000)).expect(400);
    const [row] = await parley.query<{ metadata: object }>(
      'SELECT metadata FROM messages WHERE chat_id = $1 AND seq = 2',
      [tenant.chatId],
    );
    expect(JSON.stringify(row!.metadata)).toBe(nest(1_700));
  });

  it.each(['1e400', '-1e999', '12345678901234567891', '9007199254740993'])(
    'the number %s is rejected, because it would come back as another',
    async (number) => {
      const body = `{"chatId":"${tenant.chatId}","content":"n","metadata":{"deep":[{"n":${number}}]}}`;
      const { body: problem } = await tenant.bot
        .post('/messages', body)
        .set('Content-Type', 'application/json')
        .expect(400);
      expect(problem.errors).toEqual([{ pointer: '/metadata', detail: expect.any(String) }]);
    },
  );

  it.each(['1e300', '5e-324', '0.1', '123456789012345680000', '-0.5', '9007199254740992'])(
    'the number %s is returned unchanged',
    async (number) => {
      const body = `{"chatId":"${tenant.chatId}","content":"n","metadata":{"n":${number},"text":"12345678901234567891"}}`;
      await tenant.bot.post('/messages', body).set('Content-Type', 'application/json').expect(200);
      expect((await chat()).messages[0].metadata.n).toBe(Number(number));
    },
  );

  it('an unknown chat is answered 404, with any form of id', async () => {
    for (const chatId of ['cht_01h455vb4pex5vsknk084sn02q', 'nope', 'ünï-côde 😀', "'; DROP TABLE chats; --"]) {
      const { body } = await send({ chatId }).expect(404);
      expect(body).toMatchObject({ code: 'not_found', title: 'Not found', status: 404 });
    }
  });

  it('a message reopens a closed or archived chat, notifies its visitor, and leaves a queued one alone', async () => {
    const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    for (const status of ['CLOSED', 'ARCHIVED']) {
      await tenant.admin.patch(`/chats/${tenant.chatId}`, { status }).expect(200);
      expect(await visitor.next('chat')).toMatchObject({ status });
      await send({}).expect(200);
      expect(await visitor.next('chat')).toMatchObject({ id: tenant.chatId, status: 'ACTIVE' });
      expect((await chat()).status).toBe('ACTIVE');
    }
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'QUEUED' }).expect(200);
    await send({}).expect(200);
    expect((await chat()).status).toBe('QUEUED');
    visitor.close();
  });

  describe('with an Idempotency-Key', () => {
    it('a retry with the same key gets the first result, and has no effect', async () => {
      const { body: first, headers } = await send({ metadata: { a: 1, b: 2 } }, 'key-1').expect(200);
      expect(headers['idempotent-replayed']).toBeUndefined();
      const before = await chat();
      const again = await send({ type: 'TEXT', metadata: { b: 2, a: 1 } }, '"key-1"').expect(200);
      expect(again.body).toEqual(first);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await chat()).toEqual(before);
    });

    it('a key with another body is answered 422, and an unknown chat 404 before that', async () => {
      await send({}, 'key-2').expect(200);
      const { body } = await send({ content: 'other' }, 'key-2').expect(422);
      expect(body.code).toBe('idempotency_key_reused');
      await send({ chatId: 'cht_none' }, 'key-2').expect(404);
      expect((await chat()).messageCount).toBe(1);
    });

    it("a request that is answered 4xx doesn't use up its key", async () => {
      await send({ chatId: 'cht_none' }, 'key-3').expect(404);
      await send({ content: '' }, 'key-3').expect(400);
      const { headers } = await send({}, 'key-3').expect(200);
      expect(headers['idempotent-replayed']).toBeUndefined();
    });

    it('a key belongs to the bot, with any of its tokens, and to the endpoint', async () => {
      const { body: second } = await tenant.admin.post(`/bots/${tenant.botId}/tokens`, {}).expect(201);
      const { body: other } = await tenant.admin.post('/bots', { name: 'Other' }).expect(201);
      const { body: otherToken } = await tenant.admin.post(`/bots/${other.id}/tokens`, {}).expect(201);
      const body = { chatId: tenant.chatId, content: 'hello' };
      const first = await send({}, 'key-4').expect(200);
      const replay = await parley.bot(second.token).post('/messages', body).set('Idempotency-Key', 'key-4').expect(200);
      expect(replay.body).toEqual(first.body);
      const fresh = await parley
        .bot(otherToken.token)
        .post('/messages', body)
        .set('Idempotency-Key', 'key-4')
        .expect(200);
      expect(fresh.body.id).not.toBe(first.body.id);
      await tenant.bot.post('/transfer', { chatId: tenant.chatId }).set('Idempotency-Key', 'key-4').expect(200);
    });

    it('a key can be used again after 24 h', async () => {
      const first = await send({}, 'key-5').expect(200);
      await parley.query(
        `UPDATE idempotency_keys SET created_at = ${movedBySeconds('created_at', -24 * 3600 - 1)} WHERE key = 'key-5'`,
      );
      const second = await send({ content: 'another day' }, 'key-5').expect(200);
      expect(second.body.id).not.toBe(first.body.id);
      expect((await send({ content: 'another day' }, 'key-5').expect(200)).body).toEqual(second.body);
    });

    it.each(['', 'with space', 'é', '"open', 'close"', '""', '"a"b"', 'x'.repeat(256), 'tab\there'])(
      'the key %j is rejected',
      async (key) => {
        const { body } = await send({}, key).expect(400);
        expect(body.errors).toEqual([{ pointer: 'Idempotency-Key', detail: expect.any(String) }]);
      },
    );

    it.each(['x', 'x'.repeat(255), '"quoted"', '!#$%&()*+,-./:;<=>?@[]^_`{|}~', String.raw`"a\"b\\c"`])(
      'the key %j is accepted',
      async (key) => {
        await send({}, key).expect(200);
        expect((await send({}, key).expect(200)).headers['idempotent-replayed']).toBe('true');
      },
    );
  });
});
