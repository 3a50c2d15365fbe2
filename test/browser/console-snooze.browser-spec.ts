import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Alerted } from './support/alerted.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('snoozing a chat in the console', () => {
  const stage = Stage.set();

  const nav = ({ page }: Desk, name: string) =>
    page.locator('.nav').getByRole('link', { name: new RegExp(`^${name}`) });
  const inMine = async (desk: Desk) => {
    const chatId = await waitingChat(stage);
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    await desk.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    return chatId;
  };
  const dialog = ({ page }: Desk) => page.getByRole('dialog', { name: 'Snooze chat' });
  const snooze = async (desk: Desk, choice: RegExp) => {
    await desk.page.keyboard.press('s');
    await dialog(desk).getByRole('button', { name: choice }).click();
    await dialog(desk).waitFor({ state: 'detached' });
  };
  const snoozeOf = async (chatId: string) =>
    (await stage.parley.query('SELECT snoozed_by, snoozed_until FROM chats WHERE id = $1', [chatId]))[0]!;
  const visitorWrites = ({ chatId, visitorToken } = stage.tenant) =>
    stage.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: 'Here I am' }).expect(201);

  it('a snoozed chat moves to Snoozed with its time, and Undo brings it back', async () => {
    const ada = await Desk.open(stage);
    const chatId = await inMine(ada);
    await ada.rows.first().waitFor();
    await snooze(ada, /^Tomorrow morning/);
    await ada.isTold(/^Snoozed until .*9:00/);
    await ada.rows.first().waitFor({ state: 'detached' });
    expect((await snoozeOf(chatId)).snoozed_until.getMinutes()).toBe(0);
    await nav(ada, 'Snoozed').getByText('1 chat').waitFor({ state: 'attached' });
    await ada.button('Undo').click();
    await ada.rows.first().waitFor();
    expect(await snoozeOf(chatId)).toEqual({ snoozed_by: null, snoozed_until: null });
  });

  it('both tabs show it in Snoozed, where it can be woken', async () => {
    const ada = await Desk.open(stage);
    const chatId = await inMine(ada);
    const beside = ada.inTab(await ada.visit.newTab(`${stage.road.url}/console/snoozed`));
    await beside.page.getByText('No snoozed chats').waitFor();
    await snooze(ada, /^Until the visitor answers/);
    await beside.rows.getByText('Snoozed until the visitor answers').waitFor();
    await beside.rows.first().click();
    await beside.button('Wake now').last().click();
    await beside.rows.first().waitFor({ state: 'detached' });
    await ada.rows.first().waitFor();
    expect((await snoozeOf(chatId)).snoozed_by).toBeNull();
  });

  it("the visitor's message wakes the chat, with one alert", async () => {
    const ada = await Alerted.at(await Desk.open(stage));
    await inMine(ada.desk);
    await snooze(ada.desk, /^In one hour/);
    await ada.desk.rows.first().waitFor({ state: 'detached' });
    await ada.desk.page.keyboard.press('Escape');
    await ada.go(true);
    await visitorWrites();
    await ada.desk.rows.first().waitFor();
    const titles = async () => (await ada.told()).map(({ title }) => title);
    await eventually(titles, (all) => all.length > 0);
    expect(await titles()).toEqual([expect.stringMatching(/^New message from /)]);
  });

  it('a chat whose time is over comes back with an alert', async () => {
    const ada = await Alerted.at(await Desk.open(stage));
    const chatId = await inMine(ada.desk);
    await snooze(ada.desk, /^In one hour/);
    await ada.desk.rows.first().waitFor({ state: 'detached' });
    // After a reload, no change of the chat is expected.
    const isRead = ada.desk.page.waitForResponse((response) => response.url().includes('view=SNOOZED'));
    await ada.desk.page.reload();
    await isRead;
    await ada.desk.isLive();
    await ada.go(true);
    await stage.parley.query(`UPDATE chats SET snoozed_until = now() WHERE id = $1`, [chatId]);
    const titles = async () => (await ada.told()).map(({ title }) => title);
    expect(await eventually(titles, (all) => all.length > 0)).toEqual([
      expect.stringMatching(/^The chat with .* is back$/),
    ]);
  });

  it('a time of one’s own is in the browser’s time zone, even if its clock is wrong', async () => {
    const ada = await Desk.open(stage, {}, { timezoneId: 'Asia/Tokyo' });
    const chatId = await inMine(ada);
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await ada.page.keyboard.press('s');
    await dialog(ada).getByLabel('Another time').fill(`${day}T08:30`);
    await dialog(ada).getByRole('button', { name: 'Snooze', exact: true }).click();
    await ada.isTold(/^Snoozed until /);
    expect((await snoozeOf(chatId)).snoozed_until.toISOString()).toBe(new Date(`${day}T08:30:00+09:00`).toISOString());
  });

  it('a time that is missing or over is explained at its field, in the language of the console', async () => {
    const ada = await Desk.open(stage);
    const chatId = await inMine(ada);
    await ada.page.keyboard.press('s');
    const rule = dialog(ada).getByText('Enter a time in the future, at most a year from now.');
    await ada.button('Snooze').last().click();
    await rule.waitFor();
    await dialog(ada).locator('[aria-invalid=true]:focus').waitFor();
    await dialog(ada).getByLabel('Another time').fill('2020-01-01T09:00');
    await rule.waitFor({ state: 'detached' });
    await ada.page.keyboard.press('Enter');
    await rule.waitFor();
    expect((await snoozeOf(chatId)).snoozed_by).toBeNull();
  });

  it('undoing a snooze changes nothing once a colleague has the chat, and says who has it', async () => {
    const ada = await Desk.open(stage);
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const chatId = await inMine(ada);
    await snooze(ada, /^In one hour/);
    await ada.button('Undo').waitFor();
    await sue.client.post(`/chats/${chatId}/assign`, { agentId: sue.id }).expect(200);
    await sue.client.post(`/chats/${chatId}/snooze`, {}).expect(200);
    const chat = async () => (await sue.client.get(`/chats/${chatId}`).expect(200)).body;
    const before = await chat();
    await ada.button('Undo').click();
    await ada.isTold('Sue has this chat now');
    const after = await chat();
    expect(after).toEqual(before);
    expect(after).toMatchObject({ assignedTo: { id: sue.id }, snooze: { until: null } });
  });

  it('a chat that a supervisor took while it was snoozed leaves Snoozed', async () => {
    const ada = await Desk.open(stage);
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const chatId = await inMine(ada);
    await snooze(ada, /^Until the visitor answers/);
    await nav(ada, 'Snoozed').click();
    await ada.rows.first().waitFor();
    await sue.client.post(`/chats/${chatId}/assign`, { agentId: sue.id }).expect(200);
    await ada.rows.first().waitFor({ state: 'detached' });
  });

  it('a snoozed chat whose visitor wrote while its transfer or its end was being undone stays awake', async () => {
    const { body: refunds } = await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const { body: all } = await stage.tenant.admin.get('/groups').expect(200);
    const groupIds = all.groups.map(({ id }: { id: string }) => id);
    expect(groupIds).toContain(refunds.id);
    const ada = await Desk.open(stage, { groupIds });
    const chatId = await inMine(ada);
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const chat = async () => (await client.get(`/chats/${chatId}`).expect(200)).body;
    const isMineAgain = () => eventually(chat, ({ owner }) => owner === 'AGENT');
    const openSnoozed = async () => {
      await client.post(`/chats/${chatId}/snooze`, {}).expect(200);
      await ada.goTo(chatId, 'snoozed');
      await ada.button('Wake now').first().waitFor();
    };
    await openSnoozed();
    await ada.button('Transfer').first().click();
    await ada.page.getByRole('dialog').getByText('Refunds').first().click();
    await ada.button('Transfer to Refunds').click();
    await ada.isTold('Transferred to Refunds');
    await visitorWrites();
    await ada.button('Undo').click();
    await isMineAgain();
    await ada.page.getByLabel(/^Message to/).waitFor();
    expect(await chat()).toMatchObject({ snooze: null, group: { name: 'General' } });
    await openSnoozed();
    await ada.page.keyboard.press('e');
    await ada.button('Undo').waitFor();
    await visitorWrites();
    await ada.button('Undo').click();
    await isMineAgain();
    expect(await chat()).toMatchObject({ snooze: null });
  });

  it('an undo of the end brings the chat back, even if its visitor writes before the undo arrives', async () => {
    const ada = await Desk.open(stage);
    const chatId = await inMine(ada);
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    await ada.page.route('**/reopen', async (route) => {
      await visitorWrites();
      await route.continue();
    });
    await ada.goTo(chatId, 'mine');
    await ada.page.keyboard.press('e');
    await ada.button('Undo').click();
    await eventually(
      async () => (await client.get(`/chats/${chatId}`).expect(200)).body,
      ({ owner }) => owner === 'AGENT',
    );
  });
});
