import { describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { Alerted } from './support/alerted.js';
import { anotherChat, Desk, givePassword, makeAgent, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe("agents' alerts", () => {
  const stage = Stage.set();

  const write = (content: string) =>
    stage.parley
      .visitor(stage.tenant.visitorToken)
      .post(`/chats/${stage.tenant.chatId}/messages`, { content })
      .expect(201);
  const route = async (routing: string, more: object = {}) => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing, ...more }).expect(200);
  };
  const open = async () => Alerted.at(await Desk.open(stage));
  const choose = async ({ desk }: Alerted, name: string) => {
    await desk.button(/^Your presence/).click();
    await desk.page.getByLabel(name).click();
    await desk.page.keyboard.press('Escape');
  };

  it("an assigned chat and its visitor's messages cause alerts, and a click opens the chat", async () => {
    const ada = await open();
    await ada.go(true);
    await route('AUTOMATIC');
    await waitingChat(stage);
    await ada.isTold('Vera was assigned to you');
    await ada.hears(2);
    await write('Are you there?');
    await ada.isTold('New message from Vera');
    expect((await ada.told()).at(-1)!.body).toBe('Are you there?');
    await eventually(
      () => ada.desk.page.title(),
      (title) => title.startsWith('(1) '),
    );
    expect(await ada.desk.page.locator('link[rel=icon]').getAttribute('href')).toMatch(/\/1-[^/]*\.svg$/);
    await ada.clickLast();
    await ada.desk.page.getByRole('heading', { name: 'Vera', level: 1 }).waitFor();
  });

  it('a chat assigned while the connection was lost causes an alert when it returns', async () => {
    const ada = await open();
    const { client } = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await ada.go(true);
    stage.road.refusesSockets = true;
    stage.road.end();
    await ada.desk.page.locator('.connection').getByText('Reconnecting').waitFor();
    const chatId = await waitingChat(stage);
    await client.post(`/chats/${chatId}/assign`, { agentId: ada.desk.agentId }).expect(200);
    stage.road.refusesSockets = false;
    await ada.isTold('Vera was assigned to you');
  });

  it('a chat that the agent is viewing causes no alert, only a sound while they view another one', async () => {
    const ada = await open();
    const chatId = await waitingChat(stage);
    await ada.desk.goTo(chatId);
    await ada.desk.page.keyboard.press('Shift');
    await ada.desk.page.keyboard.press('c');
    await ada.desk.composer.waitFor();
    await write('Seen at once');
    await ada.desk.sees('Seen at once');
    expect([await ada.tones(), await ada.told()]).toEqual([0, []]);
    await ada.desk.leaveField();
    await ada.desk.page.keyboard.press('2');
    await ada.desk.page.getByText('No one is waiting').waitFor();
    await write('Not seen');
    await ada.hears(2);
    expect(await ada.told()).toEqual([]);
  });

  it('a waiting chat causes an alert if the agent wants that, and nothing unwanted does', async () => {
    const ada = await open();
    await ada.go(true);
    await anotherChat(stage, 'Walter', 'Hello');
    await ada.desk.page.getByRole('link', { name: /^Waiting.*1 waiting/ }).waitFor();
    expect(await ada.told()).toEqual([]);
    await choose(ada, 'A new chat is waiting');
    await anotherChat(stage, 'Wilma', 'Hello');
    await ada.isTold('Wilma is waiting for a person');
    await ada.desk.page.reload();
    await ada.desk.isLive();
    await choose(ada, 'A new chat is waiting');
    await choose(ada, 'A chat is assigned to me');
    await ada.go(true);
    await route('AUTOMATIC');
    await ada.desk.rows.filter({ hasText: 'Walter' }).first().waitFor();
    expect(await ada.told()).toEqual([]);
  });

  it('an alert appears once across tabs, and not on the desktop while a tab is focused', async () => {
    const ada = await open();
    const page = await ada.desk.visit.newTab(`${stage.road.url}/console`);
    const beside = await ada.beside(ada.desk.inTab(page));
    await ada.go(true);
    await beside.go(true);
    await route('AUTOMATIC');
    await waitingChat(stage);
    const both = async () => [...(await ada.told()), ...(await beside.told())].map(({ title }) => title);
    await eventually(both, (told) => told.length > 0);
    for (const { desk } of [ada, beside]) await desk.rows.filter({ hasText: 'Vera' }).waitFor();
    expect(await both()).toEqual(['Vera was assigned to you']);
    await eventually(
      async () => (await ada.tones()) + (await beside.tones()),
      (count) => count === 2,
    );
    await beside.go(false);
    await write('Here');
    for (const { desk } of [ada, beside]) await desk.rows.filter({ hasText: 'Here' }).waitFor();
    expect(await both()).toEqual(['Vera was assigned to you']);
  });

  it('alerts can be tried', async () => {
    const ada = await open();
    await ada.desk.button(/^Your presence/).click();
    await ada.desk.button('Send a test alert').click();
    await ada.isTold('Test alert');
    await ada.hears(2);
    await ada.desk.page.getByText(/^Sent\. If you don't see it/).waitFor();
  });

  it('a test alert says that notifications are blocked, how to allow them, and that they are allowed now', async () => {
    const ada = await Desk.open(stage);
    await ada.button(/^Your presence/).click();
    await ada.button('Send a test alert').click();
    const told = ada.page.locator('.alerts').getByRole('status');
    await told.getByText(/^Not sent\. Your browser blocks .* beside the address/).waitFor();
    await ada.visit.context.grantPermissions(['notifications']);
    await ada.button('Send a test alert').click();
    await told.getByText(/^Sent\./).waitFor();
  });

  it('many offers are one card and one sound, and each missed one is reported', async () => {
    await route('OFFER', { offerSeconds: 10, maxPendingOffers: 10 });
    const ada = await open();
    await Promise.all(['One', 'Two', 'Three'].map((name) => anotherChat(stage, name, 'Hello')));
    await ada.desk.page.getByText('2 more offers').waitFor();
    expect(await ada.desk.page.getByRole('alertdialog').count()).toBe(1);
    await ada.hears(2);
    await ada.desk.page
      .locator('.notices')
      .getByText(/^Missed offer: /)
      .first()
      .waitFor();
  });

  it('the notice of a missed offer goes away once the chat is taken, and is never over the canned replies', async () => {
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    for (let number = 1; number <= 12; number++)
      await sue.client.post('/replies', { shortcut: `reply-${number}`, content: 'Hello' }).expect(201);
    const ada = await Desk.open(stage, {}, { viewport: { width: 1024, height: 600 } });
    const own = await anotherChat(stage, 'Olga', 'Hello');
    await sue.client.post(`/chats/${own}/assign`, { agentId: ada.agentId }).expect(200);
    await ada.goTo(own, 'mine');
    await route('OFFER');
    const chatId = await waitingChat(stage);
    await ada.page.getByRole('alertdialog').waitFor();
    await stage.parley.query(`UPDATE chat_offers SET expires_at = now() - interval '1 second' WHERE ended_at IS NULL`);
    await ada.isTold('Missed offer: Vera');
    await ada.composer.fill('/rep');
    await ada.page.getByRole('option').first().waitFor();
    const list = ada.page.locator('.suggestions');
    const covered = await list.evaluate((element: any) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const heights = Array.from({ length: 20 }, (_, index) => top + (height * (index + 0.5)) / 20);
      return heights.filter((y) => !element.contains(element.ownerDocument.elementFromPoint(left + width / 2, y)));
    });
    expect(covered).toEqual([]);
    await sue.client.post(`/chats/${chatId}/claim`).expect(200);
    await ada.page.locator('.notices').getByText('Missed offer: Vera').waitFor({ state: 'detached' });
  });

  it('a missed offer is reported even if the list of offers is read before its end arrives', async () => {
    await route('OFFER');
    const { desk } = await open();
    await waitingChat(stage);
    const card = desk.page.getByRole('alertdialog');
    await card.waitFor();
    // As the service answers between the end of the offer and the event.
    await desk.page.route('**/api/agent/offers', (asked) => asked.fulfill({ json: { offers: [] } }));
    await desk.page.evaluate(`new BroadcastChannel('parley:profile').postMessage(0)`);
    await card.waitFor({ state: 'detached' });
    await stage.parley.query(`UPDATE chat_offers SET expires_at = now() - interval '1 second' WHERE ended_at IS NULL`);
    await desk.isTold('Missed offer: Vera');
  });

  it('the card after missed offers ignores clicks until it has been shown for a moment', async () => {
    const { desk } = await open();
    const { client } = await stage.parley.signInAgain(stage.tenant, desk.agentId);
    await desk.page.evaluate(`new MutationObserver((_changes, observer) => {
      const button = document.querySelector('.offer.missed button');
      if (!button) return;
      observer.disconnect();
      button.click();
    }).observe(document.body, { subtree: true, childList: true })`);
    await route('OFFER');
    for (const name of ['One', 'Two', 'Three']) await anotherChat(stage, name, 'Hello');
    const missed = desk.page.locator('.offer.missed');
    // The third missed offer in a row pauses the agent.
    await until('the agent is paused', async () => {
      await stage.parley.query(
        `UPDATE chat_offers SET expires_at = now() - interval '1 second' WHERE ended_at IS NULL`,
      );
      return missed.isVisible();
    });
    await desk.isSteady('.offer');
    expect((await client.get('/session').expect(200)).body.agent.pauseReason).toBe('MISSED_OFFERS');
    await missed.getByRole('button').click();
    await missed.waitFor({ state: 'detached' });
  });

  it("the card after missed offers leaves the visitor's details free", async () => {
    const { desk } = await open();
    const { body: chat } = await stage.tenant.admin
      .post('/chats', { visitor: { name: 'Walter', email: 'walter@example.com' } })
      .expect(201);
    await desk.page.setViewportSize({ width: 1440, height: 900 });
    await desk.goTo(chat.id, 'bot');
    await stage.parley.query(`UPDATE agents SET is_accepting = false, pause_reason = 'MISSED_OFFERS' WHERE id = $1`, [
      desk.agentId,
    ]);
    await desk.page.reload();
    await desk.page.locator('.offer.missed').waitFor();
    await desk.page.getByText('walter@example.com').click({ trial: true });
  });

  it("offers missed by the previous agent of this tab aren't reported", async () => {
    await route('OFFER', { offerSeconds: 10 });
    const { desk } = await open();
    const bob = await makeAgent(stage, { name: 'Bob', groupIds: [] });
    const password = await givePassword(stage, bob.id);
    await waitingChat(stage);
    await desk.isTold('Missed offer: Vera');
    await desk.button('Account').click();
    await desk.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await desk.page.getByLabel('Email').fill(bob.email);
    await desk.page.getByLabel('Password').fill(password);
    await desk.button('Sign in').click();
    await desk.isLive();
    expect(await desk.page.locator('.notices').innerText()).toBe('');
  });
});
