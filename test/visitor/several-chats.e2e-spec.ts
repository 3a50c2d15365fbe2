import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

describe('several open chats of one visitor', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const visitor = () => parley.visitor(tenant.visitorToken);
  const open = async (body: object) => (await visitor().post('/chats', body).expect(201)).body.chat.id as string;
  const say = (chatId: string) => visitor().post(`/chats/${chatId}/messages`, { content: 'Hello' }).expect(201);

  it('a visitor opens a chat beside an open one, and both go on', async () => {
    await say(tenant.chatId);
    expect(await open({})).toBe(tenant.chatId);
    const second = await open({ isNew: true, metadata: { topic: 'returns' } });
    expect(second).not.toBe(tenant.chatId);
    for (const chatId of [tenant.chatId, second]) await say(chatId);
    expect(await open({})).toBe(second);
    expect(await open({ chatId: tenant.chatId, isNew: true })).toBe(tenant.chatId);
    const { body } = await tenant.bot.get(`/chats?visitorId=${tenant.visitorId}`).expect(200);
    expect(body.chats).toMatchObject([
      { id: second, owner: 'BOT', metadata: { topic: 'returns' } },
      { id: tenant.chatId, owner: 'BOT' },
    ]);
  });

  it('each chat in the list has the first words of its visitor as its title', async () => {
    const said = `Where is my order?\n${'x'.repeat(100)}`;
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Welcome' }).expect(200);
    for (const content of [said, 'Hello?'])
      await visitor().post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
    const second = await open({ isNew: true });
    const titles = async () => {
      const { body } = await visitor().get('/chats').expect(200);
      return Object.fromEntries(body.chats.map(({ id, title }: { id: string; title: string | null }) => [id, title]));
    };
    expect(await titles()).toEqual({ [second]: null, [tenant.chatId]: said.slice(0, 80) });
    await say(second);
    expect(await titles()).toMatchObject({ [second]: 'Hello' });
  });

  it('repeated and simultaneous requests for a new chat open one, until it has a message', async () => {
    await say(tenant.chatId);
    const opened = await Promise.all(Array.from({ length: 5 }, () => open({ isNew: true })));
    expect(new Set(opened).size).toBe(1);
    await say(opened[0]!);
    expect(opened).not.toContain(await open({ isNew: true }));
  });

  it('a visitor has at most 20 open chats', async () => {
    for (let count = 1; count < 20; count++) await say(await open({ isNew: true }));
    await say(await open({ isNew: true }));
    expect((await visitor().post('/chats', { isNew: true }).expect(409)).body.code).toBe('conflict');
    await visitor().post(`/chats/${tenant.chatId}/close`, {}).expect(200);
    await open({ isNew: true });
    expect((await visitor().post('/chats', { isNew: 'yes' }).expect(400)).body.errors).toMatchObject([
      { pointer: '/isNew' },
    ]);
  });
});
