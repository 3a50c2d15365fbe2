import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { Parley, type Tenant } from '../support/parley.js';

/** Objects in one another. */
function nested(depth: number): object {
  let state: object = {};
  for (let level = 1; level < depth; level++) state = { a: state };
  return state;
}

describe('what a bot keeps about a chat', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const makeChat = async () => (await tenant.admin.post('/chats', {}).expect(201)).body;
  const of = (chatId: string, bot = tenant.bot) => ({
    get: async () => (await bot.get(`/chats/${chatId}/state`).expect(200)).body,
    put: (body: object) => bot.put(`/chats/${chatId}/state`, body),
  });
  const addBot = async (): Promise<Client> => {
    const { body: bot } = await tenant.admin.post('/bots', { name: 'Other' }).expect(201);
    const { body } = await tenant.admin.post(`/bots/${bot.id}/tokens`, {}).expect(201);
    return parley.bot(body.token);
  };

  it('a state begins empty, is replaced as a whole, and each change raises its version', async () => {
    const state = of((await makeChat()).id);
    expect(await state.get()).toEqual({ state: {}, version: 0 });
    const first = { step: 'address', slots: { name: 'Vera', items: [1, 2.5, null] } };
    expect((await state.put({ state: first }).expect(200)).body).toEqual({ state: first, version: 1 });
    expect((await state.put({ state: { step: 'done' }, version: 1 }).expect(200)).body.version).toBe(2);
    expect(await state.get()).toEqual({ state: { step: 'done' }, version: 2 });
  });

  it('a change that names an earlier version changes nothing', async () => {
    const state = of((await makeChat()).id);
    expect((await state.put({ state: {}, version: 1 }).expect(412)).body).toMatchObject({
      code: 'precondition_failed',
      version: 0,
    });
    await state.put({ state: { n: 1 }, version: 0 }).expect(200);
    await state.put({ state: { n: 2 }, version: 0 }).expect(412);
    expect((await state.put({ state: { n: 2 }, version: 7 }).expect(412)).body.version).toBe(1);
    expect(await state.get()).toEqual({ state: { n: 1 }, version: 1 });
  });

  it('of simultaneous changes that name the same version one succeeds', async () => {
    const state = of((await makeChat()).id);
    for (const version of [0, 1]) {
      const changes = Array.from({ length: 8 }, (_, n) => state.put({ state: { n }, version }));
      const statuses = (await Promise.all(changes)).map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, ...Array<number>(7).fill(412)]);
      expect((await state.get()).version).toBe(version + 1);
    }
  });

  it('no one else sees a state: neither another bot, nor the visitor, nor agents, nor events', async () => {
    const chat = await makeChat();
    await tenant.bot.put('/subscription', {}).expect(200);
    await of(chat.id)
      .put({ state: { secret: 'needle' } })
      .expect(200);
    const other = await addBot();
    expect(await of(chat.id, other).get()).toEqual({ state: {}, version: 0 });
    await of(chat.id, other)
      .put({ state: { mine: true }, version: 0 })
      .expect(200);
    expect((await of(chat.id).get()).state).toEqual({ secret: 'needle' });
    const visitor = parley.visitor(chat.visitorToken);
    await visitor.post(`/chats/${chat.id}/messages`, { content: 'hello' }).expect(201);
    const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
    const answers = [
      await visitor.post('/chats', { chatId: chat.id }).expect(201),
      await visitor.get('/chats').expect(200),
      await agent.client.get(`/chats/${chat.id}`).expect(200),
      await tenant.bot.get(`/chats/${chat.id}`).expect(200),
      await tenant.bot.get('/events?wait=0').expect(200),
    ];
    for (const { text } of answers) expect(text).not.toContain('needle');
  });

  it.each([
    [{}, '/state'],
    [{ state: null }, '/state'],
    [{ state: [] }, '/state'],
    [{ state: 'text' }, '/state'],
    [{ state: { a: 'x'.repeat(10_240) } }, '/state'],
    [{ state: { a: 'é'.repeat(5_120) } }, '/state'],
    [{ state: { a: 'nul \u0000' } }, '/state'],
    [{ state: { ['\ud800']: 1 } }, '/state'],
    [{ state: {}, version: 2_147_483_648 }, '/version'],
    [{ state: {}, version: -1 }, '/version'],
    [{ state: {}, version: 1.5 }, '/version'],
    [{ state: {}, version: '1' }, '/version'],
  ])('an invalid request is answered 400: %j', async (body, pointer) => {
    const answer = await of(tenant.chatId).put(body).expect(400);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  it('a deeply nested state comes back as it was', async () => {
    const state = of((await makeChat()).id);
    await state.put({ state: nested(1_500) }).expect(200);
    expect(JSON.stringify((await state.get()).state)).toBe(JSON.stringify(nested(1_500)));
    await state.put({ state: nested(3_000) }).expect(400);
    expect((await state.get()).version).toBe(1);
  });

  it('a body that is far too large is rejected, and changes nothing', async () => {
    const state = of((await makeChat()).id);
    const { body } = await state.put({ state: { a: 'x'.repeat(200_000) } }).expect(400);
    expect(body.code).toBe('body_too_large');
    expect(await state.get()).toEqual({ state: {}, version: 0 });
  });

  it("erasing the visitor removes the states of the visitor's chats for good", async () => {
    const chat = await makeChat();
    const { put } = of(chat.id);
    await put({ state: { name: 'needle' } }).expect(200);
    const exported = await tenant.admin.get(`/visitors/${chat.visitor.id}/export`).expect(200);
    expect(exported.body.chats[0].botStates).toEqual([
      { botId: tenant.botId, state: { name: 'needle' }, updatedAt: expect.any(String) },
    ]);
    await tenant.admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
    expect(await parley.query('SELECT FROM bot_states WHERE chat_id = $1', [chat.id])).toEqual([]);
    await put({ state: { name: 'again' } }).expect(404);
    await tenant.bot.get(`/chats/${chat.id}/state`).expect(404);
  });
});
