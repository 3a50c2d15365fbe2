import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';
import { defaultGroupOf } from '../support/tenant.js';

/** An interval that no test waits for: texts that aren't sent immediately are held. */
const NEVER = 600_000;

describe('live text', () => {
  let parley: Parley;
  let tenant: Tenant;
  let timings: Timings;

  beforeAll(async () => {
    parley = await Parley.start();
    timings = parley.app.get(Timings);
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    expect([new Timings().texts, new Timings().longTexts]).toEqual([100, 250]);
    Object.assign(timings, new Timings());
    tenant = await parley.createTenant();
  });

  const path = (chatId = tenant.chatId) => `/chats/${chatId}/typing`;
  const write = (text: unknown, more: object = {}) => tenant.bot.post(path(), { isTyping: true, text, ...more });
  const say = (content = 'said', more: object = {}) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content, ...more }).expect(200);
  const listen = async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    return visitor;
  };
  const follow = async ({ token }: SignedInAgent) => {
    const agent = await parley.connectAgent(token);
    expect(await agent.ask('chat:follow', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    return agent;
  };
  const signIn = async (role: 'AGENT' | 'SUPERVISOR' = 'AGENT', name = 'Ada') =>
    parley.signInAgent(tenant, { role, name, groupIds: [await defaultGroupOf(tenant)] });
  const claim = ({ client }: SignedInAgent) => client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
  const bot = () => ({ type: 'BOT', id: tenant.botId, name: 'Bot', isAi: true });
  const textOf = (text: string, afterSeq = 0) => ({
    chatId: tenant.chatId,
    sender: bot(),
    isTyping: true,
    text,
    afterSeq,
    at: expect.any(Number),
  });
  const ended = () => ({ chatId: tenant.chatId, sender: bot(), isTyping: false });
  const textsAt = (socket: VisitorSocket) => socket.all('typing').map(({ text }) => text as string | undefined);

  it("a bot's live text reaches the visitor and the agents who follow the chat, with its position and time", async () => {
    await say();
    const [visitor, agent] = [await listen(), await follow(await signIn())];
    const before = Date.now();
    expect((await write('Hel').expect(200)).body).toEqual({ chatId: tenant.chatId, isTyping: true });
    for (const socket of [visitor, agent]) expect(await socket.next('typing')).toEqual(textOf('Hel', 1));
    const { at } = visitor.all('typing')[0];
    expect(Number.isInteger(at)).toBe(true);
    expect(Math.abs(at - before)).toBeLessThan(60_000);
    await write('Hello').expect(200);
    for (const socket of [visitor, agent]) expect(await socket.next('typing')).toEqual(textOf('Hello', 1));
    expect(visitor.all('typing')[1].at).toBeGreaterThan(at);
  });

  it('live text stays when typing has no text, is cleared by an empty one, and is ignored with isTyping false', async () => {
    timings.texts = 0;
    const visitor = await listen();
    await write('Hello').expect(200);
    for (const none of [undefined, null]) await write(none).expect(200);
    await write('').expect(200);
    await write('ignored', { isTyping: false }).expect(200);
    await visitor.until(() => visitor.all('typing').length === 5);
    const signal = { chatId: tenant.chatId, sender: bot(), isTyping: true };
    expect(visitor.all('typing')).toEqual([textOf('Hello'), signal, signal, textOf(''), ended()]);
  });

  it('frequent live text is sent in few events, always including the latest', async () => {
    // A busy machine takes 100 ms for one of them.
    timings.texts = 1_000;
    const visitor = await listen();
    const texts = Array.from({ length: 30 }, (_, index) => 'x'.repeat(index + 1));
    for (const text of texts) await write(text).expect(200);
    await visitor.until(() => textsAt(visitor).at(-1) === texts.at(-1));
    expect(textsAt(visitor)[0]).toBe('x');
    expect(textsAt(visitor).length).toBeLessThan(texts.length);
    const lengths = textsAt(visitor).map((text) => text!.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  });

  it("each sender's live text has its own rate, and a slower one beyond 1,000 characters", async () => {
    Object.assign(timings, { texts: 0, longTexts: NEVER });
    const visitor = await listen();
    const { body: other } = await tenant.admin.post('/bots', { name: 'Other' }).expect(201);
    const { body: token } = await tenant.admin.post(`/bots/${other.id}/tokens`, {}).expect(201);
    const long = '𝒳'.repeat(1_001);
    await write(long).expect(200);
    await write(`${long}!`).expect(200);
    const short = '𝒳'.repeat(1_000);
    await parley.bot(token.token).post(path(), { isTyping: true, text: short }).expect(200);
    await parley
      .bot(token.token)
      .post(path(), { isTyping: true, text: `${short.slice(2)}!` })
      .expect(200);
    await visitor.until(() => textsAt(visitor).length === 3);
    expect(textsAt(visitor)).toEqual([long, short, `${short.slice(2)}!`]);
  });

  it('live text ends with its message, which arrives first, and no older text arrives after it', async () => {
    timings.texts = NEVER;
    const [visitor, agent] = [await listen(), await follow(await signIn())];
    await write('Hel').expect(200);
    await write('Hello').expect(200);
    await say('Hello there');
    await say('and more');
    for (const socket of [visitor, agent]) {
      await socket.until(() => socket.all('message').length === 2);
      const seen = socket.arrivals.filter(({ event }) => event === 'message' || event === 'typing');
      expect(seen.map(({ payload }) => payload.content ?? payload.text ?? payload.isTyping)).toEqual([
        'Hel',
        'Hello there',
        false,
        'and more',
      ]);
    }
    await write('Next').expect(200);
    await visitor.until(() => visitor.all('typing').length === 3);
    expect(visitor.all('typing')[2]).toEqual(textOf('Next', 2));
  });

  it("live text ends only with a stored message of its sender, not with a rejected, repeated, or another sender's one", async () => {
    timings.texts = 0;
    const visitor = await listen();
    const message = { chatId: tenant.chatId, content: 'once' };
    const send = (body: object) => tenant.bot.post('/messages', body).set('Idempotency-Key', 'one');
    await send(message).expect(200);
    await visitor.next('message');
    await write('Next').expect(200);
    await send(message).expect(200);
    await send({ ...message, content: 'other' }).expect(422);
    await tenant.bot.post('/messages', { ...message, content: '' }).expect(400);
    await visitor.ask('message:send', { chatId: tenant.chatId, content: 'mine' });
    await write('Next one').expect(200);
    await visitor.until(() => textsAt(visitor).length === 2);
    expect(visitor.all('typing')).toEqual([textOf('Next', 1), textOf('Next one', 2)]);
  });

  it('live text ends by itself, and leaves nothing in memory when no one listens', async () => {
    timings.typing = 200;
    const visitor = await listen();
    await write('Hello').expect(200);
    expect(await visitor.next('typing')).toEqual(textOf('Hello'));
    expect(await visitor.next('typing')).toEqual(ended());
    const late = await listen();
    await say();
    await late.next('message');
    expect(late.all('typing')).toEqual([]);
  });

  it('live text ends with the chat and with its sender, stays during a transfer, and leaves a closed chat closed', async () => {
    timings.texts = 0;
    const visitor = await listen();
    const ada = await signIn();
    await write('Let me see').expect(200);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await claim(ada);
    await write('Let me see.').expect(200);
    await visitor.until(() => textsAt(visitor).length === 2);
    await ada.client.post(`/chats/${tenant.chatId}/close`, {}).expect(200);
    await visitor.until(() => visitor.all('typing').length === 3);
    await write('Too late').expect(200);
    await visitor.until(() => visitor.all('typing').length === 4);
    expect(visitor.all('typing').slice(2)).toMatchObject([ended(), { text: 'Too late' }]);
    const { body: chat } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    expect(chat.status).toBe('CLOSED');
    await tenant.admin.delete(`/bots/${tenant.botId}`).expect(204);
    await visitor.until(() => visitor.all('typing').length === 5);
    expect(visitor.all('typing')[4]).toEqual(ended());
  });

  it('live text with ifOwner is accepted only while the bots have the chat', async () => {
    timings.texts = 0;
    const visitor = await listen();
    const ada = await signIn();
    await write('mine', { ifOwner: 'BOT' }).expect(200);
    expect(await visitor.next('typing')).toEqual(textOf('mine'));
    await claim(ada);
    const { body } = await write('not mine', { ifOwner: 'BOT' }).expect(409);
    expect(body).toMatchObject({ code: 'not_owner', owner: 'AGENT' });
    await write('all the same').expect(200);
    await visitor.until(() => textsAt(visitor).length === 2);
    expect(textsAt(visitor)).toEqual(['mine', 'all the same']);
    await write('x', { ifOwner: 'AGENT' }).expect(400);
  });

  it("live text that is too long, isn't text, or is for an unknown chat is rejected without being quoted", async () => {
    const visitor = await listen();
    const longest = '𝒳'.repeat(5_000);
    await write(longest).expect(200);
    expect(await visitor.next('typing')).toEqual(textOf(longest));
    for (const wrong of [`${longest}secret`, 7, {}, ['secret'], 'secret\u0000', 'secret\ud800']) {
      const { body, text } = await write(wrong).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/text' }] });
      expect(text).not.toContain('secret');
    }
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    await write('to nobody').expect(404);
    const stranger = await parley.createTenant();
    await tenant.bot.post(path(stranger.chatId), { isTyping: true, text: 'x' }).expect(404);
    await tenant.bot.post(path('cht_unknown'), { isTyping: true, text: 'x' }).expect(404);
  });

  it('live text has its own rate limit, separate from messages', async () => {
    const strict = await Parley.start({ BOT_RATE_LIMIT: '5' }, parley.databaseUrl);
    const client = strict.bot(tenant.token);
    const type = () => client.post(path(), { isTyping: true, text: 'x' });
    const codes = [];
    for (let count = 0; count < 40; count++) codes.push((await type()).status);
    expect(new Set(codes)).toEqual(new Set([200, 429]));
    await client.post('/messages', { chatId: tenant.chatId, content: 'said' }).expect(200);
    await strict.stop();
  });

  describe('for clients that open the chat later', () => {
    it('live text arrives after the response to chat:open, whether or not others listen', async () => {
      await write('Hello').expect(200);
      const visitor = await parley.connectVisitor(tenant.visitorToken);
      expect(await visitor.arrivedBefore('chat:open', { chatId: tenant.chatId })).toEqual([]);
      expect(await visitor.next('typing')).toEqual(textOf('Hello'));
      const ada = await signIn();
      const agent = await parley.connectAgent(ada.token);
      expect(await agent.arrivedBefore('chat:follow', { chatId: tenant.chatId })).not.toContain('typing');
      expect(await agent.next('typing')).toEqual(textOf('Hello'));
      const tab = await listen();
      expect(await tab.next('typing')).toEqual(textOf('Hello'));
      await write('Hello there').expect(200);
      for (const socket of [visitor, agent, tab]) {
        await socket.until(() => textsAt(socket).includes('Hello there'));
        await socket.ask('sync', { chatId: tenant.chatId, afterSeq: 0 });
        expect(textsAt(socket)).toEqual(['Hello', 'Hello there']);
      }
    });

    it('live text arrives at an agent who gets the chat', async () => {
      const ada = await signIn();
      const agent = await parley.connectAgent(ada.token);
      await write('Hello').expect(200);
      await claim(ada);
      expect(await agent.next('typing')).toEqual(textOf('Hello'));
    });
  });

  describe('of agents', () => {
    it("the chat's agent's live text reaches the visitor, and of other agents only colleagues see the typing", async () => {
      timings.texts = 0;
      const [ada, bob] = [await signIn(), await signIn('AGENT', 'Bob')];
      await claim(ada);
      const [visitor, adas, bobs] = [await listen(), await follow(ada), await follow(bob)];
      await bob.client.post(path(), { isTyping: true, text: 'from aside' }).expect(200);
      expect(await adas.next('typing')).toEqual({
        chatId: tenant.chatId,
        sender: { type: 'AGENT', id: bob.id, name: 'Bob' },
        isTyping: true,
      });
      const { body } = await ada.client.post(path(), { isTyping: true, text: 'Over REST' }).expect(200);
      expect(body).toEqual({ chatId: tenant.chatId, isTyping: true });
      expect(await adas.ask('typing', { chatId: tenant.chatId, isTyping: true, text: 'Here' })).toEqual({ ok: true });
      const texts = ['Over REST', 'Here'].map((text) => ({
        ...textOf(text, 1),
        sender: { type: 'AGENT', id: ada.id },
      }));
      for (const socket of [visitor, bobs]) {
        await socket.until(() => textsAt(socket).length === 2);
        expect(socket.all('typing')).toMatchObject(texts);
      }
      expect(textsAt(adas)).toEqual([undefined]);
    });

    it('live text can start again in the moment that typing ended', async () => {
      timings.texts = 0;
      const ada = await signIn();
      await claim(ada);
      const [visitor, adas] = [await listen(), await follow(ada)];
      const { chatId } = tenant;
      for (let turn = 0; turn < 20; turn++) {
        const said = [{ isTyping: true, text: `Begun ${turn}` }, { isTyping: false }, { isTyping: true, text: '' }];
        await Promise.all(said.map((one) => adas.ask('typing', { chatId, ...one })));
      }
      await visitor.until(() => visitor.all('typing').length === 60);
      const turns = Array.from({ length: 20 }, (_, turn) => [`Begun ${turn}`, undefined, '']);
      expect(textsAt(visitor)).toEqual(turns.flat());
    });
  });

  describe('of visitors', () => {
    const preview = async (typingPreview: boolean) =>
      (await parley.admin.patch(`/${tenant.id}`, { typingPreview }).expect(200)).body;
    const type = (visitor: VisitorSocket, text: string) =>
      visitor.ask('typing', { chatId: tenant.chatId, isTyping: true, text });

    it('typingPreview is off by default, and part of sessions and opened chats', async () => {
      expect((await parley.admin.get(`/${tenant.id}`).expect(200)).body.typingPreview).toBe(false);
      for (const typingPreview of [false, true]) {
        expect(await preview(typingPreview)).toMatchObject({ typingPreview });
        expect((await parley.beginSession(tenant).expect(201)).body).toMatchObject({ typingPreview });
        const visitor = await parley.connectVisitor(tenant.visitorToken);
        expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ typingPreview });
        const rest = await parley.visitor(tenant.visitorToken).post('/chats', {}).expect(201);
        expect(rest.body).toMatchObject({ typingPreview });
      }
      for (const wrong of ['yes', 1, {}]) {
        const { body } = await parley.admin.patch(`/${tenant.id}`, { typingPreview: wrong }).expect(400);
        expect(body.errors).toMatchObject([{ pointer: '/typingPreview' }]);
      }
      const { body: made } = await parley.admin.post('', { name: 'Open', typingPreview: true }).expect(201);
      expect(made).toMatchObject({ typingPreview: true });
    });

    it("a visitor's live text reaches the chat's agent and supervisors who follow it, and others see only the typing", async () => {
      timings.texts = 0;
      await preview(true);
      const [ada, bob, sue] = [await signIn(), await signIn('AGENT', 'Bob'), await signIn('SUPERVISOR', 'Sue')];
      await claim(ada);
      const [adas, bobs, sues] = [await follow(ada), await follow(bob), await follow(sue)];
      const [visitor, tab] = [await listen(), await listen()];
      expect(await type(visitor, 'My number is')).toEqual({ ok: true });
      const { body } = await parley
        .visitor(tenant.visitorToken)
        .post(path(), { isTyping: true, text: '12' })
        .expect(200);
      expect(body).toEqual({ chatId: tenant.chatId, isTyping: true });
      for (const socket of [adas, sues]) {
        await socket.until(() => textsAt(socket).length === 2);
        expect(textsAt(socket)).toEqual(['My number is', '12']);
      }
      await bobs.until(() => textsAt(bobs).length === 2);
      const signal = {
        chatId: tenant.chatId,
        sender: { type: 'VISITOR', id: tenant.visitorId, name: 'Vera' },
        isTyping: true,
      };
      expect(bobs.all('typing')).toEqual([signal, signal]);
      expect([...visitor.all('typing'), ...tab.all('typing')]).toEqual([]);
      // A supervisor who follows later gets it too.
      const late = await follow(sue);
      expect(await late.next('typing')).toMatchObject({ text: '12' });
    });

    it("a visitor's live text reaches no one while it's switched off or no agent has the chat", async () => {
      timings.texts = 0;
      const [ada, sue] = [await signIn(), await signIn('SUPERVISOR', 'Sue')];
      const [adas, sues, visitor] = [await follow(ada), await follow(sue), await listen()];
      await preview(true);
      await type(visitor, 'to the bot');
      await claim(ada);
      await type(visitor, 'to Ada');
      await preview(false);
      await type(visitor, 'to nobody');
      for (const socket of [adas, sues]) {
        await socket.until(() => socket.all('typing').length === 3);
        expect(textsAt(socket)).toEqual([undefined, 'to Ada', undefined]);
      }
    });

    it("a visitor's live text arrives once at an agent who followed the chat before getting it", async () => {
      Object.assign(timings, { texts: 0, rows: 1_000 });
      await preview(true);
      const ada = await signIn();
      const [adas, visitor] = [await follow(ada), await listen()];
      // The claim's row comes a second after this one, and then Ada's sockets listen as the owner's.
      await say();
      await adas.next('chat');
      await claim(ada);
      await type(visitor, 'to Ada');
      await adas.until(() => adas.all('chat').some(({ assignedTo }) => assignedTo?.id === ada.id));
      await visitor.ask('typing', { chatId: tenant.chatId, isTyping: false });
      await adas.until(() => adas.all('typing').some(({ isTyping }) => !isTyping));
      expect(textsAt(adas)).toEqual(['to Ada', undefined]);
    });

    it("a visitor's live text ends for the agent who loses the chat, and continues for the next one", async () => {
      timings.texts = 0;
      await preview(true);
      const [ada, bob] = [await signIn(), await signIn('AGENT', 'Bob')];
      await claim(ada);
      const [adas, bobs, visitor] = [await follow(ada), await follow(bob), await listen()];
      await type(visitor, 'for Ada');
      expect(await adas.next('typing')).toMatchObject({ text: 'for Ada' });
      await ada.client.post(`/chats/${tenant.chatId}/transfer`, { agentId: bob.id }).expect(200);
      expect(await adas.next('typing')).toMatchObject({ sender: { type: 'VISITOR' }, isTyping: false });
      await type(visitor, 'for Bob');
      await bobs.until(() => textsAt(bobs).includes('for Bob'));
      await adas.until(() => adas.all('typing').length === 3);
      expect(textsAt(adas)).toEqual(['for Ada', undefined, undefined]);
    });

    it("a visitor's live text ends with the socket that sent it", async () => {
      await preview(true);
      const ada = await signIn();
      await claim(ada);
      const [adas, visitor] = [await follow(ada), await listen()];
      await type(visitor, 'half a');
      expect(await adas.next('typing')).toMatchObject({ text: 'half a' });
      visitor.close();
      expect(await adas.next('typing')).toMatchObject({ isTyping: false });
    });
  });

  it('a status comes with the text so far, and the next text ends it', async () => {
    const [visitor, agent] = [await listen(), await follow(await signIn())];
    await tenant.bot.post(path(), { isTyping: true, status: 'Searching orders…' }).expect(200);
    await write('Found it. ', { status: 'Asking the warehouse…' }).expect(200);
    await write('Found it. It has left').expect(200);
    const wanted = [
      { ...textOf(''), status: 'Searching orders…' },
      { ...textOf('Found it. '), status: 'Asking the warehouse…' },
      textOf('Found it. It has left'),
    ];
    for (const socket of [visitor, agent]) {
      await socket.until(() => socket.all('typing').at(-1)?.text === 'Found it. It has left');
      for (const seen of socket.all('typing')) expect(wanted).toContainEqual(seen);
      expect(socket.all('typing').at(-1)).toEqual(wanted[2]);
    }
  });

  it('a listener who comes later gets the status, which stays until the message', async () => {
    await tenant.bot.post(path(), { isTyping: true, status: 'Searching orders…' }).expect(200);
    const visitor = await listen();
    expect(await visitor.next('typing')).toEqual({ ...textOf(''), status: 'Searching orders…' });
    await say('Found it');
    expect(await visitor.next('typing')).toEqual(ended());
    const later = await listen();
    await tenant.bot.post(path(), { isTyping: true }).expect(200);
    expect(await later.next('typing')).toEqual({ chatId: tenant.chatId, sender: bot(), isTyping: true });
  });

  it.each([
    ['', 400],
    ['x'.repeat(201), 400],
    [7, 400],
    ['\u0000', 400],
    [null, 200],
    ['x'.repeat(200), 200],
  ])('a status has 1 to 200 characters: %j is answered %i', async (status, code) => {
    await tenant.bot.post(path(), { isTyping: true, status }).expect(code);
  });

  it('live text is stored nowhere, and causes no events for bots', async () => {
    await tenant.bot.put('/subscription', {}).expect(200);
    const marker = 'neverstoredanywhere';
    const visitor = await listen();
    await write(marker).expect(200);
    expect(await visitor.next('typing')).toEqual(textOf(marker));
    const tables = await parley.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    for (const { name } of tables) {
      const found = await parley.query(`SELECT FROM "${name}" x WHERE x::text LIKE '%${marker}%'`);
      expect([name, found.length]).toEqual([name, 0]);
    }
    const { body } = await tenant.bot.get('/events?wait=0').expect(200);
    expect(body.events).toEqual([]);
  });
});
