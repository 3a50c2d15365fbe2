import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Alerted } from './support/alerted.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('following a colleague’s chat', () => {
  const stage = Stage.set();

  const write = (content: string) => {
    const { chatId, visitorToken } = stage.tenant;
    return stage.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content }).expect(201);
  };
  /** A chat that Bob has. */
  const ofBob = async () => {
    const chatId = await waitingChat(stage);
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    await bob.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    return chatId;
  };

  it('the visitor’s messages alert in all tabs, a mark shows it, and Unfollow ends it', async () => {
    const chatId = await ofBob();
    const ada = await Alerted.at(await Desk.open(stage, { name: 'Ada' }));
    await ada.desk.goTo(chatId, 'open');
    await ada.desk.button('Follow').click();
    await ada.desk.button('Unfollow').waitFor();
    await ada.desk.rows.getByText('You follow it').waitFor({ state: 'attached' });
    const beside = await ada.beside(ada.desk.inTab(await ada.desk.visit.newTab(`${stage.road.url}/console/mine`)));
    await ada.desk.page.goto(`${stage.road.url}/console/mine`);
    await ada.desk.isLive();
    for (const tab of [ada, beside]) await tab.go(true);
    await write('Is anyone there?');
    const told = async () => (await Promise.all([ada.told(), beside.told()])).flat().map(({ title }) => title);
    await eventually(told, (titles) => titles.length === 1);
    expect(await told()).toEqual(['Vera wrote in a chat that you follow']);
    for (const tab of [ada, beside]) await tab.go(false);
    await ada.desk.page.getByRole('link', { name: /^Mentions/ }).click();
    await ada.desk.page.getByRole('region', { name: 'Chats that you follow' }).getByRole('link').click();
    await ada.desk.sees('Is anyone there?');
    await ada.desk.button('Unfollow').click();
    await ada.desk.button('Follow').waitFor();
    await ada.desk.rows.getByText('You follow it').waitFor({ state: 'detached' });
  });

  it('a second click on Follow is the same one, and a refused one is taken back', async () => {
    const chatId = await ofBob();
    const ada = await Desk.open(stage, { name: 'Ada' });
    await ada.goTo(chatId, 'open');
    await ada.isSteady();
    await ada.page.evaluate(`new MutationObserver((_changes, observer) => {
      const button = document.querySelector('button[aria-label=Unfollow]');
      if (!button) return;
      observer.disconnect();
      button.click();
    }).observe(document.querySelector('.chat-head'), { subtree: true, childList: true, attributes: true })`);
    await ada.button('Follow').click();
    await ada.page.locator('button[aria-label=Unfollow][aria-disabled=false]').waitFor();
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    expect((await client.get('/followed').expect(200)).body.chats).toMatchObject([{ id: chatId }]);
    await ada.page.route('**/followed', (route) => route.abort());
    await ada.button('Unfollow').click();
    await ada.isTold("Can't reach the service");
    await ada.page.locator('button[aria-label=Unfollow]').waitFor();
  });

  it('a tab knows which chats are followed, even when its connection was lost', async () => {
    const chatId = await ofBob();
    const ada = await Desk.open(stage, { name: 'Ada' });
    await ada.goTo(chatId, 'open');
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    await client.put(`/chats/${chatId}/followed`, {}).expect(204);
    stage.road.isCut = false;
    await ada.button('Unfollow').waitFor();
    await client.delete(`/chats/${chatId}/followed`).expect(204);
    await ada.button('Follow').waitFor();
  });
});
