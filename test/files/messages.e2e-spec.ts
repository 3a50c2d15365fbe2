import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { awayFromEnd, HOUR_MS } from '../support/day.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { allowVisitors, begin, PNG, TEXT, upload } from './support/files.js';

describe('messages with files', () => {
  let parley: Parley;
  let tenant: Tenant;
  let visitor: Client;
  let agent: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    await allowVisitors(tenant);
    visitor = parley.visitor(tenant.visitorToken);
    agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it("shows a bot's files: visitors and agents read the bytes by signed addresses, bots with their token", async () => {
    await awayFromEnd(HOUR_MS); // The addresses of files change with the hour.
    const { chatId, bot } = tenant;
    const socket = await parley.connectVisitor(tenant.visitorToken);
    await socket.ask('chat:open', { chatId });
    const files = [await upload(bot, chatId, 'a.png', PNG), await upload(bot, chatId, 'b.txt', TEXT)];
    const ids = files.map(({ id }) => id);
    await bot.post('/messages', { chatId, files: ids, metadata: { files: 'mine' } }).expect(200);
    const received = (await socket.next('message')) as { content: string; metadata: object; files: typeof files };
    expect(received).toMatchObject({ content: '', metadata: { files: 'mine' } });
    expect(received.files.map(({ id, name, type }) => [id, name, type])).toEqual([
      [ids[0], 'a.png', 'image/png'],
      [ids[1], 'b.txt', 'text/plain'],
    ]);
    expect(await read(received.files[0]!.url)).toEqual(PNG);
    expect(await read(received.files[1]!.url)).toEqual(TEXT);
    const ofVisitor = (await visitor.get(`/chats/${chatId}/messages`).expect(200)).body.messages.at(-1);
    expect(ofVisitor.files).toEqual(received.files);
    const ofAgent = (await agent.client.get(`/chats/${chatId}/messages`).expect(200)).body.messages.at(-1);
    expect(ofAgent.files).toEqual(received.files);
    for (const path of [`/chats/${chatId}/messages`, `/chats/${chatId}`]) {
      const message = (await bot.get(path).expect(200)).body.messages.at(-1);
      expect(message.files[1].url).toBe(`${parley.url}/api/bot/files/${ids[1]}`);
      const response = await fetch(message.files[1].url, { headers: { Authorization: `Bearer ${tenant.token}` } });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(TEXT);
    }
    for (const api of [visitor, agent.client])
      expect((await api.get(`/files/${ids[0]}`).expect(200)).body.file).toEqual(received.files[0]);
    const { chats } = (await agent.client.get('/chats?view=BOT').expect(200)).body;
    const row = chats.find((chat: { id: string }) => chat.id === chatId);
    expect(row.lastMessage.files).toEqual([
      { name: 'a.png', type: 'image/png' },
      { name: 'b.txt', type: 'text/plain' },
    ]);
  });

  it('takes files that are sent by visitors and agents over REST and sockets', async () => {
    const { chatId } = tenant;
    const one = await upload(visitor, chatId, 'v1.txt', TEXT);
    const { message } = (await visitor.post(`/chats/${chatId}/messages`, { files: [one.id] }).expect(201)).body;
    expect(message).toMatchObject({ content: '', files: [{ id: one.id }] });
    const socket = await parley.connectVisitor(tenant.visitorToken);
    const two = await upload(visitor, chatId, 'v2.txt', TEXT);
    const acknowledged = await socket.ask('message:send', { chatId, content: 'here', files: [two.id] });
    expect(acknowledged).toMatchObject({ ok: true, message: { content: 'here', files: [{ id: two.id }] } });
    await agent.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    const three = await upload(agent.client, chatId, 'a1.txt', TEXT);
    const sent = await agent.client.post(`/chats/${chatId}/messages`, { files: [three.id] }).expect(201);
    expect(sent.body.message.files).toMatchObject([{ id: three.id }]);
    const ofAgent = await parley.connectAgent(agent.token);
    const four = await upload(agent.client, chatId, 'a2.txt', TEXT);
    expect(await ofAgent.ask('message:send', { chatId, files: [four.id] })).toMatchObject({
      ok: true,
      message: { files: [{ id: four.id }] },
    });
    await agent.client.post(`/chats/${chatId}/return`, {}).expect(200);
  });

  it('sends files to polling bots with the address for bots', async () => {
    const { chatId, bot } = tenant;
    await bot.put('/subscription', { senderTypes: ['VISITOR'] }).expect(200);
    const file = await upload(visitor, chatId, 'p.txt', TEXT);
    await visitor.post(`/chats/${chatId}/messages`, { content: '"data":{"message":{', files: [file.id] }).expect(201);
    const { body } = await bot.get('/events?wait=0&limit=50').expect(200);
    const event = body.events.at(-1);
    expect(event).toMatchObject({
      data: { message: { files: [{ id: file.id, name: 'p.txt', url: `${parley.url}/api/bot/files/${file.id}` }] } },
    });
  });

  it('takes a file once: of two messages at the same time, one is stored', async () => {
    const { chatId, bot } = tenant;
    const { id } = await upload(bot, chatId, 'a.txt', TEXT);
    const answers = await Promise.all([1, 2, 3].map(() => bot.post('/messages', { chatId, files: [id] })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.body.errors).toMatchObject([{ pointer: '/files/0' }]);
    expect((await bot.delete(`/uploads/${id}`).expect(409)).body.code).toBe('conflict');
    await bot.post(`/uploads/${id}/complete`, {}).expect(200);
  });

  it('recognizes a retry before it checks the files', async () => {
    const { chatId, bot } = tenant;
    const { id } = await upload(bot, chatId, 'a.txt', TEXT);
    const send = () =>
      bot.post('/messages', { chatId, files: [id] }).set('Idempotency-Key', 'with a file'.replaceAll(' ', '-'));
    const answers = await Promise.all([1, 2, 3].map(() => send().expect(200)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const mine = await upload(visitor, chatId, 'v.txt', TEXT);
    const say = () => visitor.post(`/chats/${chatId}/messages`, { files: [mine.id], clientMessageId: 'c-1' });
    const said = await Promise.all([1, 2, 3].map(() => say().expect(201)));
    expect(new Set(said.map(({ body }) => body.message.seq)).size).toBe(1);
    expect(said[0]!.body.message.files).toMatchObject([{ id: mine.id }]);
  });

  it('refuses files that are not complete, not the sender’s, or of another chat, and takes none', async () => {
    const { chatId, bot } = tenant;
    const good = await upload(bot, chatId, 'a.txt', TEXT);
    const foreign = await upload(visitor, chatId, 'a.txt', TEXT);
    const unfinished = await begin(bot, chatId, 'a.txt', 1);
    for (const id of [foreign.id, unfinished.id, 'upl_unknown']) {
      const { body } = await bot.post('/messages', { chatId, files: [good.id, id] }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/files/1' }]);
    }
    const wrong: [object, string][] = [
      [{ files: [good.id, good.id] }, '/files/1'],
      [{ files: 'a', content: 'a' }, '/files'],
      [{ files: Array.from({ length: 11 }, (_, index) => `upl_${index}`) }, '/files'],
      [{ files: [good.id], type: 'IMAGE' }, '/files'],
      [{ files: [good.id], type: 'BUTTON' }, '/content'],
      [{ files: [] }, '/content'],
    ];
    for (const [body, pointer] of wrong)
      expect((await bot.post('/messages', { chatId, ...body }).expect(400)).body.errors).toMatchObject([{ pointer }]);
    // Null and an empty list count as omitted, over every way.
    const socket = await parley.connectVisitor(tenant.visitorToken);
    for (const none of [null, []]) {
      await bot.post('/messages', { chatId, content: 'none', files: none }).expect(200);
      await visitor.post(`/chats/${chatId}/messages`, { content: 'none', files: none }).expect(201);
      const sent = await socket.ask('message:send', { chatId, content: 'none', files: none });
      expect([sent.ok, sent.message]).toEqual([true, expect.not.objectContaining({ files: expect.anything() })]);
      const notes = `/chats/${chatId}/notes`;
      const note = await agent.client.post(notes, { content: 'none', files: none }).expect(201);
      expect(note.body).not.toHaveProperty('files');
    }
    await bot.post('/messages', { chatId, files: [good.id] }).expect(200);
  });
});
