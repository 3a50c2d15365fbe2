import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { VisitorStates } from '../../src/live/visitors/visitor-states.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

describe('typing and read marks', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const listen = async (chatId = tenant.chatId, token = tenant.visitorToken) => {
    const visitor = await parley.connectVisitor(token);
    const answer = await visitor.ask('chat:open', { chatId });
    return { visitor, read: answer.chat.read };
  };
  const botTypes = (isTyping: unknown, chatId = tenant.chatId) =>
    tenant.bot.post(`/chats/${chatId}/typing`, { isTyping } as object);
  const say = (content = 'x') => tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200);
  const typingOf = (isTyping: boolean) => ({
    chatId: tenant.chatId,
    sender: { type: 'BOT', id: tenant.botId, name: 'Bot', isAi: true },
    isTyping,
  });

  describe('typing', () => {
    it("a bot's typing reaches every socket that listens to the chat, and no other", async () => {
      const { body: other } = await tenant.admin.post('/chats', {}).expect(201);
      const [one, two] = [(await listen()).visitor, (await listen()).visitor];
      const stranger = (await listen(other.id, other.visitorToken)).visitor;
      expect((await botTypes(true).expect(200)).body).toEqual({ chatId: tenant.chatId, isTyping: true });
      for (const tab of [one, two]) expect(await tab.next('typing')).toEqual(typingOf(true));
      expect((await botTypes(false).expect(200)).body).toEqual({ chatId: tenant.chatId, isTyping: false });
      for (const tab of [one, two]) expect(await tab.next('typing')).toEqual(typingOf(false));
      await botTypes(true, other.id).expect(200);
      expect(await stranger.next('typing')).toMatchObject({ chatId: other.id, isTyping: true });
      expect([stranger.all('typing').length, one.all('typing').length]).toEqual([1, 2]);
    });

    it('typing ends by itself some time after it was last sent', async () => {
      const quick = await Parley.start({}, parley.databaseUrl);
      expect(quick.app.get(Timings).typing).toBe(10_000);
      // The last request decides when typing ends.
      quick.app.get(Timings).typing = 600_000;
      const visitor = await VisitorSocket.connect(quick.url, tenant.visitorToken);
      await visitor.ask('chat:open', { chatId: tenant.chatId });
      const bot = quick.bot(tenant.token);
      for (let count = 0; count < 3; count++) {
        if (count === 2) quick.app.get(Timings).typing = 100;
        await bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true }).expect(200);
      }
      await visitor.until(() => visitor.all('typing').some(({ isTyping }) => !isTyping));
      expect(visitor.all('typing')).toEqual([typingOf(true), typingOf(true), typingOf(true), typingOf(false)]);
      visitor.close();
      await quick.stop();
    });

    it("typing ends with its sender's message, and with no other", async () => {
      const { visitor } = await listen();
      await botTypes(true).expect(200);
      await visitor.ask('message:send', { chatId: tenant.chatId, content: 'mine' });
      await visitor.next('message');
      expect(visitor.all('typing')).toEqual([typingOf(true)]);
      await say('done');
      await visitor.until(() => visitor.all('typing').length === 2);
      expect(visitor.all('typing')[1]).toEqual(typingOf(false));
      await say('again');
      await visitor.until(() => visitor.all('message').length === 3);
      expect(visitor.all('typing')).toHaveLength(2);
    });

    it("a visitor's typing is accepted over socket and REST, and never sent back", async () => {
      const [one, two] = [(await listen()).visitor, (await listen()).visitor];
      const path = `/chats/${tenant.chatId}/typing`;
      expect(await one.ask('typing', { chatId: tenant.chatId, isTyping: true })).toEqual({ ok: true });
      const { body } = await parley.visitor(tenant.visitorToken).post(path, { isTyping: true }).expect(200);
      expect(body).toEqual({ chatId: tenant.chatId, isTyping: true });
      expect(await one.ask('typing', { chatId: tenant.chatId, isTyping: false })).toEqual({ ok: true });
      await say();
      await Promise.all([one.next('message'), two.next('message')]);
      expect([...one.all('typing'), ...two.all('typing')]).toEqual([]);
    });

    it("typing without a boolean, or in another visitor's chat, is rejected", async () => {
      const { visitor } = await listen();
      const rest = parley.visitor(tenant.visitorToken);
      const path = `/chats/${tenant.chatId}/typing`;
      for (const isTyping of [undefined, null, 'true', 1, [], {}]) {
        const answers = [
          await botTypes(isTyping).expect(400),
          await rest.post(path, { isTyping } as object).expect(400),
          { body: (await visitor.ask('typing', { chatId: tenant.chatId, isTyping })).error },
        ];
        for (const { body } of answers) expect(body.errors).toMatchObject([{ pointer: '/isTyping' }]);
      }
      const stranger = await parley.createTenant();
      await stranger.bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true }).expect(404);
      await say();
      await visitor.next('message');
      expect(visitor.all('typing')).toEqual([]);
    });
  });

  describe('read marks', () => {
    const botReads = (seq: unknown) => tenant.bot.post(`/chats/${tenant.chatId}/read`, { seq } as object);
    const marks = async () => (await tenant.bot.get(`/chats/${tenant.chatId}/read`).expect(200)).body;

    it('read marks of both sides are stored, sent to listeners, and returned when the chat is opened', async () => {
      for (let count = 0; count < 5; count++) await say();
      const { visitor, read } = await listen();
      expect(read).toEqual({ visitor: 0, organization: 0 });
      expect(await marks()).toEqual({ visitor: 0, organization: 0 });
      expect(await visitor.ask('read', { chatId: tenant.chatId, seq: 3 })).toEqual({ ok: true });
      expect((await visitor.next('chat')).read).toEqual({ visitor: 3, organization: 0 });
      expect((await botReads(5).expect(200)).body).toEqual({ chatId: tenant.chatId, seq: 5 });
      expect((await visitor.next('chat')).read).toEqual({ visitor: 3, organization: 5 });
      const rest = parley.visitor(tenant.visitorToken);
      const { body } = await rest.post(`/chats/${tenant.chatId}/read`, { seq: 4 }).expect(200);
      expect(body).toEqual({ chatId: tenant.chatId, seq: 4 });
      expect(await marks()).toEqual({ visitor: 4, organization: 5 });
      const opened = await rest.post('/chats', { chatId: tenant.chatId }).expect(201);
      expect(opened.body.chat.read).toEqual({ visitor: 4, organization: 5 });
      expect((await listen()).read).toEqual({ visitor: 4, organization: 5 });
      const { body: forBots } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
      expect(forBots).not.toHaveProperty('read');
    });

    it('read marks never move back, and a request that changes nothing is sent to no one', async () => {
      for (let count = 0; count < 20; count++) await say();
      const { visitor } = await listen();
      await Promise.all(Array.from({ length: 20 }, (_, index) => botReads(20 - index).expect(200)));
      expect(await marks()).toEqual({ visitor: 0, organization: 20 });
      await visitor.until(() => visitor.all('chat').some(({ read }) => read.organization === 20));
      const states = parley.app.get(VisitorStates) as unknown as { running: Map<string, unknown> };
      await until('every state is sent', () => states.running.size === 0);
      // The answer comes after everything that was sent before it.
      await visitor.ask('read', { chatId: tenant.chatId, seq: 0 });
      const { length } = visitor.all('chat');
      for (const seq of [20, 7, 0]) expect((await botReads(seq).expect(200)).body.seq).toBe(20);
      expect(await visitor.ask('read', { chatId: tenant.chatId, seq: 0 })).toEqual({ ok: true });
      await say();
      await visitor.next('message');
      expect(visitor.all('chat')).toHaveLength(length);
    });

    it("a read mark can't be ahead of the last message, and must be a number", async () => {
      await say();
      const { visitor } = await listen();
      const rest = parley.visitor(tenant.visitorToken);
      for (const seq of [2, 2_147_483_647, 2_147_483_648, -1, 0.5, '1', null, undefined, true]) {
        const answers = [
          await botReads(seq).expect(400),
          await rest.post(`/chats/${tenant.chatId}/read`, { seq } as object).expect(400),
          { body: (await visitor.ask('read', { chatId: tenant.chatId, seq })).error },
        ];
        for (const { body } of answers) {
          expect([seq, body]).toMatchObject([seq, { code: 'validation_failed', errors: [{ pointer: '/seq' }] }]);
        }
      }
      expect((await botReads(2).expect(400)).body.errors[0].detail).toBe('must be at most 1');
      expect(await marks()).toEqual({ visitor: 0, organization: 0 });
    });

    it('read marks are deleted with their chat', async () => {
      await say();
      await botReads(1).expect(200);
      await parley.query('DELETE FROM chats WHERE id = $1', [tenant.chatId]);
      expect(await parley.query('SELECT FROM chat_reads WHERE chat_id = $1', [tenant.chatId])).toEqual([]);
    });
  });
});
