import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const NOBODY = { id: null, name: null };

describe('system messages of closing and reopening', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    receiver = await Receiver.start();
    const [{ id: group }] = (await tenant.bot.get('/groups').expect(200)).body;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group] });
  });
  afterEach(() => receiver?.close());

  const on = (path: string) => `/chats/${tenant.chatId}${path}`;
  const visitor = () => parley.visitor(tenant.visitorToken);
  const setStatus = (status: string, admin = tenant.admin) => admin.patch(on(''), { status }).expect(200);
  const read = async (): Promise<any[]> => (await visitor().get(on('/messages')).expect(200)).body.messages;
  const lines = async () =>
    (await read()).map(({ sender, content, metadata }) => (sender.type === 'SYSTEM' ? metadata : content));
  const claim = () => ada.client.post(on('/claim'), {}).expect(200);
  const close = () => visitor().post(on('/close')).expect(200);
  const say = (content: string) => visitor().post(on('/messages'), { content }).expect(201);
  const chat = async () => (await tenant.bot.get(on('')).expect(200)).body;
  const row = async () => (await ada.client.get(on('')).expect(200)).body;
  const closed = (by: object) => ({ event: 'chat.closed', by });
  const reopened = (by: object) => ({ event: 'chat.reopened', by });

  it("a visitor's line has the type alone, and comes before the message that reopens", async () => {
    await say('first');
    await close();
    await close();
    await say('again');
    const byVisitor = { type: 'VISITOR', ...NOBODY };
    expect(await lines()).toEqual(['first', closed(byVisitor), reopened(byVisitor), 'again']);
    const messages = await read();
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(messages.slice(1, 3)).toMatchObject([
      { type: 'TEXT', content: 'The visitor closed the chat', sender: { type: 'SYSTEM', ...NOBODY } },
      { type: 'TEXT', content: 'The visitor reopened the chat', sender: { type: 'SYSTEM', ...NOBODY } },
    ]);
    expect(await chat()).toMatchObject({
      messageCount: 4,
      firstResponseAt: null,
      lastMessageAt: messages[3].createdAt,
    });
  });

  it("an agent's and a bot's line have their names", async () => {
    await claim();
    await ada.client.post(on('/close'), {}).expect(200);
    await ada.client.post(on('/close'), {}).expect(200);
    await ada.client.post(on('/reopen'), {}).expect(200);
    await ada.client.post(on('/close'), {}).expect(200);
    await ada.client.post(on('/messages'), { content: 'once more' }).expect(201);
    await ada.client.post(on('/close'), {}).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'a bot' }).expect(200);
    const byAda = { type: 'AGENT', id: ada.id, name: 'Ada' };
    const { body: bot } = await tenant.admin.get(`/bots/${tenant.botId}`).expect(200);
    expect((await lines()).slice(1)).toEqual([
      closed(byAda),
      reopened(byAda),
      closed(byAda),
      reopened(byAda),
      'once more',
      closed(byAda),
      reopened({ type: 'BOT', id: bot.id, name: bot.name }),
      'a bot',
    ]);
    expect((await read()).slice(1, 3).map(({ content }) => content)).toEqual([
      'Ada closed the chat',
      'Ada reopened the chat',
    ]);
  });

  it("an administrator's line has the type alone, with the token and with a session", async () => {
    await setStatus('CLOSED');
    await setStatus('CLOSED');
    await setStatus('ACTIVE');
    const boss = await parley.signInAgent(tenant, { name: 'Boss', role: 'ADMIN' });
    const admin = new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, boss.token);
    await setStatus('CLOSED', admin);
    await setStatus('QUEUED', admin);
    const byAdmin = { type: 'ADMIN', ...NOBODY };
    const pair = [closed(byAdmin), reopened(byAdmin)];
    expect(await lines()).toEqual([...pair, ...pair]);
    expect((await read())[0].content).toBe('An administrator closed the chat');
  });

  it('archiving a chat and closing it again write no line', async () => {
    await setStatus('ARCHIVED');
    await setStatus('CLOSED');
    expect(await lines()).toEqual([]);
  });

  it('simultaneous closings by visitor, agent, and administrator write one line, and so do two reopenings', async () => {
    await claim();
    await Promise.all([close(), ada.client.post(on('/close'), {}), setStatus('CLOSED'), close()]);
    expect((await lines()).slice(1)).toMatchObject([{ event: 'chat.closed' }]);
    await Promise.all([
      say('one'),
      say('two'),
      tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'three' }),
    ]);
    const after = (await lines()).slice(2);
    expect(after[0]).toMatchObject({ event: 'chat.reopened' });
    expect(new Set(after.slice(1))).toEqual(new Set(['one', 'two', 'three']));
    expect(after).toHaveLength(4);
  });

  it("a message that isn't stored, or is repeated, writes no line", async () => {
    await close();
    const body = { chatId: tenant.chatId, content: 'hello' };
    const send = () => tenant.bot.post('/messages', body).set('Idempotency-Key', 'one').expect(200);
    await tenant.bot.post('/messages', { ...body, ifOwner: 'BOT' }).expect(409);
    expect(await lines()).toHaveLength(1);
    await Promise.all([send(), send(), send()]);
    await send();
    expect((await lines()).slice(1)).toEqual([expect.objectContaining({ event: 'chat.reopened' }), 'hello']);
  });

  it('rows of ended chats keep the last message, and have nothing unread', async () => {
    await claim();
    await say('the last words');
    await ada.client.post(on('/read'), { seq: 2 }).expect(200);
    await ada.client.post(on('/close'), {}).expect(200);
    expect(await row()).toMatchObject({
      lastMessage: { seq: 2, content: 'the last words' },
      messageCount: 3,
      isUnread: false,
      waitingSince: null,
    });
    await setStatus('ARCHIVED');
    expect((await row()).lastMessage.seq).toBe(2);
    await ada.client.post(on('/reopen'), {}).expect(200);
    expect(await row()).toMatchObject({ lastMessage: { seq: 4, content: 'Ada reopened the chat' }, isUnread: false });
  });

  it('webhooks receive the line after the event, with the chat after the change', async () => {
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await close();
    await receiver.count(2);
    await say('again');
    const received = (await receiver.count(5)).map(({ event }) => event);
    const seen = received.map(({ type, data: { chat: of, message } }: any) => [
      type,
      message?.metadata.event ?? message?.content,
      of.status,
      of.messageCount,
    ]);
    expect(seen).toEqual([
      ['chat.closed', undefined, 'CLOSED', 1],
      ['message.created', 'chat.closed', 'CLOSED', 1],
      ['chat.reopened', undefined, 'ACTIVE', 3],
      ['message.created', 'chat.reopened', 'ACTIVE', 2],
      ['message.created', 'again', 'ACTIVE', 3],
    ]);
  });

  it('sockets of the visitor and of an agent who follows the chat receive the lines in order', async () => {
    await claim();
    const socket = await parley.connectVisitor(tenant.visitorToken);
    const desk = await parley.connectAgent(ada.token);
    await socket.ask('chat:open', { chatId: tenant.chatId });
    expect(await desk.ask('chat:follow', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    await ada.client.post(on('/close'), {}).expect(200);
    await say('again');
    for (const side of [socket, desk]) {
      await side.until(() => side.all('message').length >= 3);
      expect(side.all('message').map(({ seq, metadata }) => [seq, metadata.event])).toEqual([
        [2, 'chat.closed'],
        [3, 'chat.reopened'],
        [4, undefined],
      ]);
    }
  });
});
