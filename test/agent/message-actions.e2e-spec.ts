import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('the action of an agent’s message', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let sales: string;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [await defaultGroupOf(tenant)] });
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
  });

  const send = (body: object) => ada.client.post(`/chats/${tenant.chatId}/messages`, { content: 'Goodbye!', ...body });
  const chat = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body;
  const said = async () =>
    (await tenant.bot.get(`/chats/${tenant.chatId}/messages`).expect(200)).body.messages
      .filter(({ sender }: any) => sender.type === 'AGENT')
      .map(({ content }: any) => content);

  it('closes the chat after the message, and a repeated request changes nothing', async () => {
    const body = { clientMessageId: 'one', action: 'CLOSE' };
    const { body: first } = await send(body).expect(201);
    expect(first.message).toMatchObject({ content: 'Goodbye!' });
    expect(await chat()).toMatchObject({ owner: 'NOBODY', status: 'CLOSED' });
    const { body: again } = await send(body).expect(201);
    expect(again).toEqual(first);
    expect(await chat()).toMatchObject({ owner: 'NOBODY', status: 'CLOSED' });
    expect(await said()).toEqual(['Goodbye!']);
  });

  it('transfers the chat to a group, over the socket too', async () => {
    const socket = await parley.connectAgent(ada.token);
    const body = { chatId: tenant.chatId, content: 'Sales will help you', action: 'TRANSFER', actionGroupId: sales };
    expect(await socket.ask('message:send', body)).toMatchObject({ ok: true });
    expect(await chat()).toMatchObject({ owner: 'QUEUE', group: { id: sales } });
    expect(await said()).toEqual(['Sales will help you']);
  });

  it('a repeated transfer is the same message, and changes nothing', async () => {
    const body = { clientMessageId: 'two', action: 'TRANSFER', actionGroupId: sales };
    const { body: first } = await send(body).expect(201);
    const sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post(`/chats/${tenant.chatId}/claim`).expect(200);
    expect((await send(body).expect(201)).body).toEqual(first);
    expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: sue.id } });
    expect(await said()).toEqual(['Goodbye!']);
  });

  it('names the group if, and only if, it is a transfer', async () => {
    for (const body of [{ action: 'TRANSFER' }, { action: 'CLOSE', actionGroupId: sales }, { actionGroupId: sales }]) {
      const { body: problem } = await send(body).expect(400);
      expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/actionGroupId' }] });
    }
    expect((await send({ action: 'ARCHIVE' }).expect(400)).body.errors).toMatchObject([{ pointer: '/action' }]);
    expect(await said()).toEqual([]);
  });

  it('if it is rejected, the message is stored anyway', async () => {
    await send({ action: 'TRANSFER', actionGroupId: 'grp_unknown' }).expect(404);
    expect(await said()).toEqual(['Goodbye!']);
    expect(await chat()).toMatchObject({ owner: 'AGENT' });
  });

  it('a rejected message has none', async () => {
    const sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post(`/chats/${tenant.chatId}/assign`, { agentId: sue.id }).expect(200);
    expect((await send({ action: 'CLOSE' }).expect(409)).body.code).toBe('not_assigned');
    expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: sue.id } });
  });
});
