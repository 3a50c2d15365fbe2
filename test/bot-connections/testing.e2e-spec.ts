import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley } from '../support/parley.js';
import { call, ConnectedBot, says, stream, text, usage } from './support/model.js';

describe('a test of a connection', () => {
  let parley: Parley;
  let bot: ConnectedBot;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley);
  });
  afterEach(() => bot.close());

  const test = (body: object = {}) => bot.tenant.admin.post(`${bot.path}/test`, body);
  const unsaved = (more: object = {}) => ({ kind: 'openai', url: bot.base, model: 'm-2', ...more });

  it('asks the saved endpoint, and answers with what it said', async () => {
    bot.model.become(says(text('Hel'), text('lo!'), usage(12, 3)));
    const { body } = await test({ message: 'Hi there' }).expect(200);
    expect(body).toMatchObject({ ok: true, text: 'Hello!', error: null, usage: { inputTokens: 12, outputTokens: 3 } });
    expect(body.durationMs).toBeGreaterThanOrEqual(body.firstTokenMs);
    const [{ headers, event }] = (await bot.model.count(1)) as any;
    expect(headers).toMatchObject({ authorization: 'Bearer sk-1' });
    expect(event.messages.at(-1)).toEqual({ role: 'user', content: 'Hi there' });
    expect(await bot.turns()).toEqual([]);
    expect(await bot.said()).toEqual([]);
    const { entries } = (await bot.tenant.admin.get('/audit?action=connection.tested').expect(200)).body;
    expect(entries).toEqual([expect.objectContaining({ target: bot.tenant.botId, changes: [] })]);
  });

  it('tries a connection that is not saved, with the saved key, and changes nothing', async () => {
    const { body: before } = await bot.tenant.admin.get(bot.path).expect(200);
    await test({ connection: unsaved() }).expect(200);
    const [{ headers, event }] = (await bot.model.count(1)) as any;
    expect([headers.authorization, event.model]).toEqual(['Bearer sk-1', 'm-2']);
    expect((await bot.tenant.admin.get(bot.path).expect(200)).body).toEqual(before);
  });

  it('tries one for a bot without a connection', async () => {
    await bot.tenant.admin.delete(bot.path).expect(204);
    await test().expect(404);
    expect((await test({ connection: unsaved() }).expect(200)).body).toMatchObject({ ok: true, text: 'Hello!' });
    expect((await bot.model.count(1)) as any).toHaveLength(1);
  });

  it('offers tools, and executes none', async () => {
    bot.model.become(says(text('One moment.'), call('hand_over', { reason: 'asked' })));
    const { body } = await test().expect(200);
    expect(body).toMatchObject({ ok: true, text: 'One moment.', events: { tool: 1 } });
    const { body: chat } = await bot.tenant.bot.get(`/chats/${bot.tenant.chatId}`).expect(200);
    expect(chat.owner).toBe('BOT');
  });

  it('shows the answer while it comes, as events', async () => {
    bot.model.become(says(text('Once '), text('upon')));
    const { headers, text: sent } = await test().set('Accept', 'text/event-stream').expect(200);
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
    const events = sent
      .split('\n\n')
      .filter(Boolean)
      .map((event) => event.split('\n').map((line) => line.replace(/^\w+: /, '')));
    const texts = events.filter(([type]) => type === 'text').map(([, data]) => JSON.parse(data!).text);
    expect(texts.join('')).toBe('Once upon');
    const [type, data] = events.at(-1)!;
    expect([type, JSON.parse(data!)]).toEqual(['done', expect.objectContaining({ ok: true, text: 'Once upon' })]);
  });

  it.each([
    [
      'refuses',
      (_: unknown, response: any) => void response.writeHead(401).end('no sk-1 here'),
      'status',
      'answered 401: no *** here',
    ],
    [
      'answers with a page',
      (_: unknown, response: any) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'content_type',
      expect.any(String),
    ],
    ['says nothing', says(), 'empty', expect.any(String)],
    [
      'hangs up',
      (_: unknown, response: any) => void stream(response).write(text('Half'), () => response.destroy()),
      'truncated',
      expect.any(String),
    ],
  ])('says what is wrong with an endpoint that %s', async (_, answer, code, detail) => {
    bot.model.become(answer);
    const { body } = await test().expect(200);
    expect(body).toMatchObject({ ok: false, error: { code, detail } });
  });

  it.each([
    [
      'a new address that would get the old key',
      { connection: { kind: 'openai', url: 'https://other.example/v1', model: 'm' } },
      '/connection/url',
    ],
    [
      'an address in a private network',
      { connection: { kind: 'openai', url: 'http://10.0.0.1/v1', model: 'm', key: '' } },
      '/connection/url',
    ],
    ['no model', { connection: { kind: 'openai', url: 'https://one.example/v1', key: '' } }, '/connection/model'],
    [
      'a field of another kind',
      { connection: { kind: 'openai', url: 'https://one.example/v1', model: 'm', key: '', inputs: {} } },
      '/connection/inputs',
    ],
    ['a wrong type', { connection: { kind: 'openai', url: 7, model: 'm' } }, '/connection/url'],
    ['a connection that is a text', { connection: 'x' }, '/connection'],
    ['an empty message', { message: '' }, '/message'],
    ['an unknown field', { massage: 'Hi' }, '/massage'],
  ])('refuses %s', async (_, body, pointer) => {
    const { body: problem } = await test(body).expect(400);
    expect(problem.errors).toEqual([expect.objectContaining({ pointer })]);
    expect(bot.model.received).toHaveLength(0);
  });

  it('allows one at a time for a bot, and ends with its caller', async () => {
    const streams: any[] = [];
    bot.model.become((_, response) => void streams.push(stream(response)));
    const first = test().set('Accept', 'text/event-stream');
    const ended = first.then(
      () => 'ended',
      () => 'ended',
    );
    await bot.model.count(1);
    expect((await test().expect(409)).body.code).toBe('conflict');
    const closed = new Promise((resolve) => streams[0].once('close', resolve));
    first.abort();
    await Promise.all([ended, closed]);
    bot.model.become(says(text('Again')));
    for (;;) {
      const { status, body } = await test();
      if (status === 409) continue;
      expect(body.text).toBe('Again');
      break;
    }
  });

  it('allows ten in a minute for an organization, also to several bots', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 11; time++) statuses.push((await test()).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
  });

  it("isn't another organization's, nor an unknown bot's", async () => {
    const other = await parley.createTenant();
    await other.admin.post(`${bot.path}/test`, {}).expect(404);
    await bot.tenant.admin.post('/bots/bot_none/connection/test', { connection: unsaved() }).expect(404);
  });
});
