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

  it("a supervisor's repeated request doesn't take the chat from the colleague who has it now", async () => {
    const sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const ben = await parley.signInAgent(tenant, { name: 'Ben', groupIds: [sales] });
    for (const body of [{ action: 'TRANSFER', actionGroupId: sales }, { action: 'CLOSE' }]) {
      const message = { ...body, content: 'Goodbye!', clientMessageId: body.action };
      const send = () => sue.client.post(`/chats/${tenant.chatId}/messages`, message).expect(201);
      await sue.client.post(`/chats/${tenant.chatId}/assign`, { agentId: sue.id }).expect(200);
      const { body: first } = await send();
      const how = body.action === 'CLOSE' ? 'reopen' : 'claim';
      await ben.client.post(`/chats/${tenant.chatId}/${how}`, {}).expect(200);
      expect((await send()).body).toEqual(first);
      expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: ben.id } });
    }
  });

  it('a repeated request does not repeat the action that was undone', async () => {
    for (const body of [{ action: 'CLOSE' }, { action: 'TRANSFER', actionGroupId: await defaultGroupOf(tenant) }]) {
      const message = { ...body, clientMessageId: body.action };
      const { body: first } = await send(message).expect(201);
      const [path, undo] = body.action === 'CLOSE' ? ['reopen', { undo: true }] : ['claim', {}];
      await ada.client.post(`/chats/${tenant.chatId}/${path}`, undo).expect(200);
      expect((await send(message).expect(201)).body).toEqual(first);
      expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: ada.id } });
    }
  });

  it('a repeated transfer of a chat that has ended by now is the same message', async () => {
    const message = { clientMessageId: 'five', action: 'TRANSFER', actionGroupId: await defaultGroupOf(tenant) };
    const { body: first } = await send(message).expect(201);
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    expect((await send(message).expect(201)).body).toEqual(first);
  });

  it('a repeated request makes up for an action that did not follow its message', async () => {
    await send({ clientMessageId: 'six' }).expect(201);
    await send({ clientMessageId: 'six', action: 'CLOSE' }).expect(201);
    expect(await chat()).toMatchObject({ owner: 'NOBODY', status: 'CLOSED' });
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

  it('with the clientMessageId of a message in another chat, it answers that message and changes neither chat', async () => {
    await send({ clientMessageId: 'three' }).expect(201);
    const { body: first } = await send({ clientMessageId: 'four' }).expect(201);
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const { body: opened } = await parley.visitor(session.token).post('/chats', {}).expect(201);
    const other = opened.chat.id;
    await ada.client.post(`/chats/${other}/claim`, {}).expect(200);
    const body = { content: 'Goodbye!', clientMessageId: 'four', action: 'CLOSE' };
    expect((await ada.client.post(`/chats/${other}/messages`, body).expect(201)).body).toEqual(first);
    const { body: row } = await ada.client.get(`/chats/${other}`).expect(200);
    expect(row).toMatchObject({ owner: 'AGENT', read: { agents: 0, organization: 0 } });
    expect(await chat()).toMatchObject({ owner: 'AGENT' });
  });

  it('a rejected message has none', async () => {
    const sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post(`/chats/${tenant.chatId}/assign`, { agentId: sue.id }).expect(200);
    expect((await send({ action: 'CLOSE' }).expect(409)).body.code).toBe('not_assigned');
    expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: sue.id } });
  });
});
