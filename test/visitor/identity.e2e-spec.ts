import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import pg from 'pg';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('signed identities', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const begin = (body: object = {}, token?: string) => parley.beginSession(tenant, body, token);
  const sign = (claims: object, secret = tenant.identitySecret, expiry: string | null = '1h', alg = 'HS256') => {
    const jwt = new SignJWT({ ...claims }).setProtectedHeader({ alg });
    return (expiry === null ? jwt : jwt.setExpirationTime(expiry)).sign(new TextEncoder().encode(secret));
  };

  const signWithKeyPair = async () => {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT({ sub: 'u' }).setProtectedHeader({ alg: 'RS256' }).setExpirationTime('1h').sign(privateKey);
  };

  it('an identity is valid for at most a day', async () => {
    await begin({ identity: await sign({ sub: 'u' }, tenant.identitySecret, '24h') }).expect(201);
  });

  it('an identity is the same visitor on every device', async () => {
    const first = (
      await begin({ identity: await sign({ sub: 'user-1', name: 'Ada', email: 'ada@example.com' }) }).expect(201)
    ).body;
    const second = (await begin({ identity: await sign({ sub: 'user-1', name: 'Ada L.' }) }).expect(201)).body;
    expect(first.visitor).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
    expect(second.visitor).toEqual({ id: first.visitor.id, name: 'Ada L.', email: 'ada@example.com' });
    const other = (await begin({ identity: await sign({ sub: 'user-2' }) }).expect(201)).body;
    expect(other.visitor.id).not.toBe(first.visitor.id);
  });

  it('an identity is one visitor even when devices sign in at the same time', async () => {
    const identity = await sign({ sub: 'many' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => begin({ identity }).expect(201)));
    expect(new Set(answers.map(({ body }) => body.visitor.id)).size).toBe(1);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['of another secret', () => sign({ sub: 'u' }, 'another-secret-of-somebody-else')],
    ['that is not signed', () => new UnsecuredJWT({ sub: 'u' }).setExpirationTime('1h').encode()],
    ['of another algorithm', () => sign({ sub: 'u' }, tenant.identitySecret.padEnd(64, 'x'), '1h', 'HS512')],
    ['that has expired', () => sign({ sub: 'u' }, tenant.identitySecret, '-5m')],
    ['that never expires', () => sign({ sub: 'u' }, tenant.identitySecret, null)],
    ['that is valid for days', () => sign({ sub: 'u' }, tenant.identitySecret, '3d')],
    ['that is valid for a little more than a day', () => sign({ sub: 'u' }, tenant.identitySecret, '25h')],
    ['of a key pair', signWithKeyPair],
    ['without sub', () => sign({ name: 'u' })],
    ['with an empty sub', () => sign({ sub: '' })],
    ['that is a visitor token', () => tenant.visitorToken],
    ['that is nonsense', () => 'nonsense'],
  ])('an identity is rejected %s', async (_name, make) => {
    expect((await begin({ identity: await make() }).expect(401)).body.code).toBe('unauthorized');
  });

  describe('of a visitor who was anonymous', () => {
    const anonymous = async (): Promise<string> => (await begin().expect(201)).body.token;
    const become = async (sub: string, token: string) =>
      (await begin({ identity: await sign({ sub }), merge: true }, token).expect(201)).body;
    const openChat = async (token: string) => (await parley.visitor(token).post('/chats', {}).expect(201)).body.chat.id;
    const write = (token: string, chatId: string, clientMessageId?: string) =>
      parley.visitor(token).post(`/chats/${chatId}/messages`, { content: 'x', clientMessageId } as object);
    const chatsOf = async (token: string) =>
      (await parley.visitor(token).get('/chats').expect(200)).body.chats.map(({ id }: { id: string }) => id);
    const listen = async (token: string, chatId: string) => {
      const visitor = await parley.connectVisitor(token);
      expect(await visitor.ask('chat:open', { chatId })).toMatchObject({ ok: true });
      return visitor;
    };

    const hold = async (statement: string) => {
      const client = new pg.Client(parley.databaseUrl);
      await client.connect();
      await client.query('BEGIN');
      await client.query(statement);
      return { release: () => client.query('COMMIT').then(() => client.end()) };
    };
    const waiting = async (count: number) => {
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(
        () => parley.query(text),
        ({ length }) => length >= count,
      );
    };

    it('a merge moves the open chats and their messages', async () => {
      const token = await anonymous();
      const closed = await openChat(token);
      await tenant.admin.patch(`/chats/${closed}`, { status: 'CLOSED' }).expect(200);
      const chatId = await openChat(token);
      const sent = (await write(token, chatId, 'c-1').expect(201)).body.message;
      await tenant.bot.post('/messages', { chatId, content: 'hello' }).expect(200);
      const person = await become('ada', token);
      expect(await chatsOf(person.token)).toEqual([chatId]);
      expect(await chatsOf(token)).toEqual([closed]);
      const again = (await write(person.token, chatId, 'c-1').expect(201)).body.message;
      expect(again).toEqual({ ...sent, sender: { ...sent.sender, id: person.visitor.id } });
      const { body: chat } = await tenant.bot.get(`/chats/${chatId}`).expect(200);
      expect(chat).toMatchObject({ messageCount: 2, visitor: { id: person.visitor.id } });
      expect(chat.messages.map(({ sender }: any) => sender.id)).toEqual([person.visitor.id, tenant.botId]);
    });

    it("a merge sends the chat's row to its agent, with a higher rev", async () => {
      const groupId = await defaultGroupOf(tenant);
      const ada = await parley.signInAgent(tenant, { groupIds: [groupId] });
      const socket = await parley.connectAgent(ada.token);
      const token = await anonymous();
      const chatId = await openChat(token);
      const { rev } = (await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200)).body;
      await socket.until(() => socket.all('chat').some((row) => row.id === chatId && row.rev === rev));
      const person = await become('vera', token);
      const isMoved = ({ id, visitor }: any) => id === chatId && visitor.id === person.visitor.id;
      await socket.until(() => socket.all('chat').some(isMoved));
      expect(socket.all('chat').find(isMoved).rev).toBeGreaterThan(rev);
    });

    it('without merge nothing moves, and the anonymous visitor stays', async () => {
      const { body: vera } = await begin({ visitor: { name: 'Vera' } }).expect(201);
      const chatId = await openChat(vera.token);
      const before = await listen(vera.token, chatId);
      for (const merge of [undefined, null, false]) {
        const { body: ada } = await begin({ identity: await sign({ sub: 'ada' }), merge }, vera.token).expect(201);
        expect(ada.visitor.id).not.toBe(vera.visitor.id);
        expect([await chatsOf(vera.token), await chatsOf(ada.token)]).toEqual([[chatId], []]);
      }
      expect((await tenant.bot.get(`/chats/${chatId}`).expect(200)).body.visitor).toMatchObject(vera.visitor);
      await tenant.bot.post('/messages', { chatId, content: 'still here' }).expect(200);
      expect(await before.next('message')).toMatchObject({ content: 'still here' });
    });

    it('a merge without a token or an identity, or in another form, moves nothing', async () => {
      const token = await anonymous();
      const chatId = await openChat(token);
      await begin({ identity: await sign({ sub: 'ada' }), merge: true }).expect(201);
      const { body: renewed } = await begin({ merge: true }, token).expect(201);
      expect(await chatsOf(renewed.token)).toEqual([chatId]);
      for (const merge of ['true', 1, [], {}]) {
        const { body } = await begin({ identity: await sign({ sub: 'ada' }), merge }, token).expect(400);
        expect(body.errors).toMatchObject([{ pointer: '/merge' }]);
      }
    });

    it('a merge leaves the old token without access, even on a listening socket', async () => {
      const token = await anonymous();
      const chatId = await openChat(token);
      const before = await listen(token, chatId);
      const person = await become('ada', token);
      const after = await listen(person.token, chatId);
      await tenant.bot.post('/messages', { chatId, content: 'secret' }).expect(200);
      await after.next('message');
      for (const [event, payload] of [
        ['chat:open', { chatId }],
        ['message:send', { chatId, content: 'x' }],
        ['sync', { chatId, afterSeq: 0 }],
        ['typing', { chatId, isTyping: true }],
        ['read', { chatId, seq: 1 }],
      ] as const) {
        expect(await before.ask(event, payload)).toMatchObject({ ok: false, error: { code: 'not_found' } });
      }
      expect(before.all('message')).toEqual([]);
      await write(token, chatId).expect(404);
    });

    it('a merge never takes anything from another known person, or another organization', async () => {
      const ada = await become('ada', await anonymous());
      const chatId = await openChat(ada.token);
      const bob = await become('bob', ada.token);
      expect(bob.visitor.id).not.toBe(ada.visitor.id);
      expect([await chatsOf(ada.token), await chatsOf(bob.token)]).toEqual([[chatId], []]);
      expect((await become('ada', ada.token)).visitor.id).toBe(ada.visitor.id);
      expect(await chatsOf(ada.token)).toEqual([chatId]);
      const other = await parley.createTenant();
      await begin({ identity: await sign({ sub: 'ada' }), merge: true }, other.visitorToken).expect(401);
      expect(await chatsOf(other.visitorToken).catch(() => null)).toEqual([other.chatId]);
    });

    it('a merge keeps a message whose clientMessageId the person has already used', async () => {
      const ada = await become('ada', await anonymous());
      const own = await openChat(ada.token);
      await write(ada.token, own, 'c-1').expect(201);
      const token = await anonymous();
      const chatId = await openChat(token);
      for (const name of ['c-1', 'c-2', undefined]) await write(token, chatId, name).expect(201);
      await become('ada', token);
      expect(await chatsOf(ada.token)).toEqual([chatId, own]);
      const { body } = await tenant.bot.get(`/chats/${chatId}/messages`).expect(200);
      const isAdas = body.messages.map(({ sender }: any) => sender.id === ada.visitor.id);
      expect(isAdas).toEqual([false, true, true]);
    });

    it('a merge loses no concurrent message, and duplicates no retried one', async () => {
      for (let round = 0; round < 5; round++) {
        const token = await anonymous();
        const chatId = await openChat(token);
        const names = Array.from({ length: 40 }, (_, index) => `c-${round}-${index}`);
        const sending = Promise.all(names.map((name) => write(token, chatId, name)));
        const person = await become('ada', token);
        const answers = await sending;
        for (const { status } of answers) expect([201, 404]).toContain(status);
        const again = await Promise.all(names.map((name) => write(person.token, chatId, name).expect(201)));
        answers.forEach(({ status, body }, index) => {
          if (status === 201) expect(again[index]!.body.message.id).toBe(body.message.id);
        });
        const { body } = await tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200);
        expect(body.messages.map(({ seq }: any) => seq)).toEqual(names.map((_, index) => index + 1));
      }
    });

    it('a merge opens nothing for a client that is opening a chat with the old token', async () => {
      const token = await anonymous();
      const chatId = await openChat(token);
      const visitor = await parley.connectVisitor(token);
      const holder = await hold('LOCK TABLE groups IN ACCESS EXCLUSIVE MODE');
      const opening = visitor.ask('chat:open', { chatId });
      await waiting(1);
      const person = await become('ada', token);
      await holder.release();
      expect(await opening).toMatchObject({ ok: false, error: { code: 'not_found' } });
      const after = await listen(person.token, chatId);
      await tenant.bot.post('/messages', { chatId, content: 'secret' }).expect(200);
      await after.next('message');
      expect(await visitor.ask('sync', { chatId, afterSeq: 0 })).toMatchObject({ ok: false });
      expect(visitor.all('message')).toEqual([]);
    });

    it('a merge waits for a message that is being stored, and rejects one that waited for it', async () => {
      const token = await anonymous();
      const chatId = await openChat(token);
      const holder = await hold(`SELECT FROM chats WHERE id = '${chatId}' FOR NO KEY UPDATE`);
      const becoming = become('ada', token);
      await waiting(1);
      const sending = write(token, chatId, 'late').then((answer) => answer);
      await waiting(2);
      await holder.release();
      const [person, { status }] = await Promise.all([becoming, sending]);
      expect(await chatsOf(person.token)).toEqual([chatId]);
      // Depends on who gets the lock first: the message is stored and moved, or rejected.
      const { body } = await write(person.token, chatId, 'late').expect(201);
      expect([
        [201, 1],
        [404, 1],
      ]).toContainEqual([status, body.message.seq]);
      expect(body.message.sender.id).toBe(person.visitor.id);
    });
  });
});
