import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { followFifty } from './support/followed.js';

describe('following a colleague’s chat', () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;
  let ben: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    other = await Parley.start({}, parley.databaseUrl);
  });
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { groupIds: [group] });
    ben = await parley.signInAgent(tenant, { name: 'Ben', groupIds: [group] });
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: group }).expect(200);
    await ben.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
  });

  const follow = (agent = ada) => agent.client.put(`/chats/${tenant.chatId}/followed`, {}).expect(204);
  const unfollow = () => ada.client.delete(`/chats/${tenant.chatId}/followed`).expect(204);
  const followed = async (agent = ada) =>
    ((await agent.client.get('/followed').expect(200)).body.chats as { id: string }[]).map(({ id }) => id);
  const write = (content: string) =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);

  it("the follower gets the chat's messages and rows on every node, and is no viewer", async () => {
    const here = await parley.connectAgent(ada.token);
    const there = await other.connectAgent(ada.token);
    const watcher = await parley.connectAgent(ben.token);
    await follow();
    await follow();
    expect(await followed()).toEqual([tenant.chatId]);
    await here.until(() => here.all('followed').some(({ isFollowed }) => isFollowed));
    await there.until(() => there.all('followed').some(({ isFollowed }) => isFollowed));
    await write('Anyone?');
    for (const socket of [here, there]) {
      await socket.until(() => socket.all('message').some(({ content }) => content === 'Anyone?'));
      await socket.until(() => socket.all('chat').some(({ lastMessage }) => lastMessage?.content === 'Anyone?'));
    }
    expect(watcher.all('viewers')).toEqual([]);
    const { body } = await ben.client.get(`/chats/${tenant.chatId}`).expect(200);
    expect(body.viewers).toEqual([]);
  });

  it('a socket that connects later gets them too, until the agent unfollows the chat', async () => {
    await follow();
    const socket = await other.connectAgent(ada.token);
    await write('First');
    await socket.until(() => socket.all('message').some(({ content }) => content === 'First'));
    await unfollow();
    await socket.until(() => socket.all('followed').some(({ isFollowed }) => !isFollowed));
    await write('Second');
    const watcher = await other.connectAgent(ben.token);
    await write('Third');
    await watcher.until(() => watcher.all('message').some(({ content }) => content === 'Third'));
    expect(socket.all('message').map(({ content }) => content)).toEqual(['First']);
    expect(await followed()).toEqual([]);
    await unfollow();
  });

  it('an agent who leaves the group no longer gets, lists, or follows its chats', async () => {
    await follow();
    const socket = await parley.connectAgent(ada.token);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [] }).expect(200);
    await until('the chat is gone', async () => socket.all('chat').some(({ isGone }) => isGone));
    await write('Secret');
    const watcher = await parley.connectAgent(ben.token);
    await write('Also secret');
    await watcher.until(() => watcher.all('message').some(({ content }) => content === 'Also secret'));
    expect(socket.all('message')).toEqual([]);
    expect(await followed()).toEqual([]);
    await ada.client.put(`/chats/${tenant.chatId}/followed`, {}).expect(404);
    await parley.connectAgent(ada.token);
  });

  it('an agent follows at most 50 chats, and each agent their own', async () => {
    await followFifty(parley, tenant, ada.id);
    const { body } = await ada.client.put(`/chats/${tenant.chatId}/followed`, {}).expect(409);
    expect(body.code).toBe('too_many');
    expect(await followed()).toHaveLength(50);
    await follow(ben);
    expect(await followed(ben)).toEqual([tenant.chatId]);
  });

  it('chats that the agent may no longer see make room for others', async () => {
    const { body: other } = await tenant.admin.post('/groups', { name: 'Billing' }).expect(201);
    await followFifty(parley, tenant, ada.id);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [other.id] }).expect(200);
    expect(await followed()).toEqual([]);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: other.id }).expect(200);
    await follow();
    expect(await followed()).toEqual([tenant.chatId]);
  });
});
