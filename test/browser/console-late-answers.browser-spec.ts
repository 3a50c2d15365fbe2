import { describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { until } from '../support/eventually.js';
import { anotherChat, Desk, deskWithChats, makeAgent, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('answers that come late, and keys that are held', () => {
  const stage = Stage.set();

  /** Holds requests back after the service has answered them. Resolves when the page has got an answer and drawn it. */
  const hold = async (page: Page, url: RegExp) => {
    let go: () => void = () => undefined;
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await page.route(url, async (route: Route) => {
      const response = await route.fetch();
      isAsked();
      await mayGo;
      await route.fulfill({ response });
    });
    const release = async () => {
      const answered = page.waitForResponse(url);
      go();
      await (await answered).finished();
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    };
    return { asked, release };
  };
  const press = async ({ page }: Desk, key: string, times: number) => {
    for (let time = 0; time < times; time++) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  const stored = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body;

  it('an open chat that moves out of sight and comes back continues', async () => {
    const { body: group } = await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const ada = await Desk.open(stage);
    const { client } = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await client.post(`/chats/${chatId}/transfer`, { groupId: group.id }).expect(200);
    await ada.page.getByRole('heading', { name: 'You can no longer see this chat' }).waitFor();
    const { groups } = (await stage.tenant.admin.get('/groups').expect(200)).body;
    const { id: groupId } = groups.find(({ isDefault }: { isDefault: boolean }) => isDefault);
    await client.post(`/chats/${chatId}/transfer`, { groupId }).expect(200);
    await ada.button('Take chat').first().waitFor();
    const visitor = stage.parley.visitor(stage.tenant.visitorToken);
    await visitor.post(`/chats/${chatId}/messages`, { content: 'Are you there?' }).expect(201);
    await ada.sees('Are you there?');
  });

  it('selecting all chats of a list ends with the list, and at Escape', async () => {
    const { ada } = await deskWithChats(stage, ['Walter', 'Vera']);
    for (let place = 0; place < 51; place++) await anotherChat(stage, `Waiting ${place}`, 'Hello');
    const later = await hold(ada.page, /view=WAITING.*cursor=/);
    await ada.page.keyboard.press('2');
    await ada.rows.filter({ hasText: 'Waiting 0' }).waitFor();
    await ada.page.keyboard.press('A');
    await later.asked;
    await ada.page.keyboard.press('1');
    await ada.rows.filter({ hasText: 'Walter' }).waitFor();
    await later.release();
    expect(await ada.page.getByLabel('Select Walter').count()).toBe(0);
    await ada.page.unroute(/view=WAITING.*cursor=/);
    const again = await hold(ada.page, /view=WAITING.*cursor=/);
    await ada.page.reload();
    await ada.rows.filter({ hasText: 'Walter' }).waitFor();
    await ada.page.keyboard.press('2');
    await ada.rows.filter({ hasText: 'Waiting 0' }).waitFor();
    await ada.page.keyboard.press('A');
    await again.asked;
    await ada.page.keyboard.press('Escape');
    await again.release();
    expect(await ada.page.getByLabel('Select Waiting 0').count()).toBe(0);
  });

  it('a held Backspace clears what was typed, and removes no tags', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Walter'], {}, { viewport: { width: 1440, height: 900 } });
    await client.post(`/chats/${ids[0]}/tags`, { add: ['Refund', 'VIP'] }).expect(200);
    await ada.page.locator('.chat-tags .tag', { hasText: 'VIP' }).waitFor();
    const field = ada.page.getByRole('combobox', { name: 'Add a tag' });
    await field.fill('ab');
    await press(ada, 'Backspace', 8);
    expect(await field.inputValue()).toBe('');
    await field.fill('urgent');
    await field.press('Enter');
    await until('the chat has the three tags', async () => (await stored(ids[0]!)).tags.length === 3);
  });

  it('a held Enter opens a dialog, and does nothing in it', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter']);
    await ada.isSteady();
    await ada.page.keyboard.press('Control+k');
    await ada.page.getByRole('combobox', { name: 'Find a chat or an action' }).fill('snooze');
    await ada.page.keyboard.down('Enter');
    const dialog = ada.page.getByRole('dialog', { name: 'Snooze chat' });
    await dialog.waitFor();
    await press(ada, 'Enter', 3);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await ada.say('Still here');
    expect((await stored(ids[0]!)).status).toBe('ACTIVE');
    expect(await ada.page.getByText('Snoozed').count()).toBe(
      await ada.page.locator('nav').getByText('Snoozed').count(),
    );
  });

  it('a transfer that ends late leaves the next dialog open', async () => {
    await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const { ada } = await deskWithChats(stage, ['Walter', 'Vera']);
    const late = await hold(ada.page, /\/transfer$/);
    await ada.isSteady();
    await ada.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    await ada.page.keyboard.press('t');
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer' });
    await dialog.getByText('Refunds').click();
    await dialog.getByRole('button', { name: 'Transfer to Refunds' }).click();
    await late.asked;
    await ada.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await ada.button('Account').click();
    await ada.page.getByRole('menuitem', { name: 'Profile' }).click();
    const profile = ada.page.getByRole('dialog', { name: 'Profile' });
    await profile.waitFor();
    await late.release();
    await ada.rows.filter({ hasText: 'Walter' }).waitFor({ state: 'detached' });
    expect(await profile.isVisible()).toBe(true);
  });

  it('a snoozed chat that wakes while the list is being read stays in Mine', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Walter', 'Vera']);
    await client.post(`/chats/${ids[1]}/snooze`, { until: null }).expect(200);
    await ada.rows.filter({ hasText: 'Vera' }).waitFor({ state: 'detached' });
    const late = await hold(ada.page, /view=SNOOZED/);
    await ada.page.reload();
    await late.asked;
    await client.post(`/chats/${ids[1]}/wake`, {}).expect(200);
    await ada.rows.filter({ hasText: 'Vera' }).waitFor();
    await late.release();
    expect(await ada.rows.filter({ hasText: 'Vera' }).count()).toBe(1);
  });

  it('another agent who signs in with a link takes over all tabs', async () => {
    const { ada } = await deskWithChats(stage, ['Walter']);
    const bob = await makeAgent(stage, { name: 'Bob' });
    const link = `${stage.road.url}/console/link#${await stage.parley.mintLink(stage.tenant, bob.id)}`;
    const other = await Desk.enter(await ada.visit.newTab(link), bob);
    await ada.rows.filter({ hasText: 'Walter' }).waitFor({ state: 'detached' });
    await ada.button('Account').click();
    await ada.page.getByText('Bob').first().waitFor();
    await other.page.close();
  });

  it('a note whose answer comes after another agent has signed in stays with its author', async () => {
    const { ada } = await deskWithChats(stage, ['Walter']);
    const bob = await makeAgent(stage, { name: 'Bob' });
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await ada.page.route('**/notes', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await isReleased;
      await route.fulfill({ status: 404, json: { code: 'not_found' } });
    });
    await ada.button('Note').first().click();
    const field = ada.page.getByLabel('Note for colleagues');
    await field.fill('Only for Ada');
    const asked = ada.page.waitForRequest((request) => request.url().endsWith('/notes') && request.method() === 'POST');
    await field.press('Enter');
    await asked;
    const link = `${stage.road.url}/console/link#${await stage.parley.mintLink(stage.tenant, bob.id)}`;
    const other = await Desk.enter(await ada.visit.newTab(link), bob);
    await ada.button('Account').click();
    await ada.page.getByText('Bob').first().waitFor();
    const answered = ada.page.waitForResponse((response) => response.status() === 404);
    release();
    await (await answered).finished();
    await ada.page.reload();
    await ada.isLive();
    const kept = await ada.page.evaluate<[string, string][]>('Object.entries(localStorage)');
    const places = kept.filter(([, text]) => text.includes('Only for Ada')).map(([name]) => name);
    expect(places).toEqual([expect.stringContaining(`${ada.agentId}:notes`)]);
    await other.page.close();
  });

  it('a deleted note that can’t be added again comes back as a draft', async () => {
    const { ada } = await deskWithChats(stage, ['Walter']);
    await ada.button('Note').first().click();
    const field = ada.page.getByLabel('Note for colleagues');
    await field.fill('Be careful');
    await field.press('Enter');
    const note = ada.page.locator('.conversation .note-line:not(.saving)');
    await note.getByRole('button', { name: 'Delete' }).click();
    await ada.isTold('Note deleted');
    await ada.page.route('**/notes', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 429, json: { code: 'rate_limited' } })
        : route.continue(),
    );
    await field.fill('And another one');
    await ada.areNoticesSteady();
    await ada.page.locator('.notices').getByRole('button', { name: 'Undo' }).click();
    await until('the note is back', async () => (await field.inputValue()) === 'Be careful\nAnd another one');
  });
});
