import { describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('unlucky timing in the console', () => {
  const stage = Stage.set();

  const claimed = async (words?: string) => {
    const ada = await Desk.open(stage);
    const chatId = await waitingChat(stage, words);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.page.getByLabel('Message to Vera').waitFor();
    return { ada, chatId };
  };

  it("a pause and a new group that were set during a lost connection are known after it's restored", async () => {
    const ada = await Desk.open(stage);
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const { body: group } = await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await client.put('/presence', { isAccepting: false }).expect(200);
    await stage.tenant.admin.patch(`/agents/${ada.agentId}`, { groupIds: [group.id] }).expect(200);
    stage.road.isCut = false;
    await ada.button(/^Your presence:.*Paused$/).waitFor();
    await ada.page.getByRole('link', { name: /^Refunds/ }).waitFor();
  });

  it('a group that the agent may not see leaves the rest of the page working', async () => {
    const { body: group } = await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const ada = await Desk.open(stage);
    await ada.page.goto('about:blank');
    const asked: string[] = [];
    ada.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    let beats = 0;
    ada.page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => (beats += Number(payload === '2'))),
    );
    await ada.page.goto(`${stage.road.url}/console/groups/${group.id}`);
    await eventually(
      () => beats,
      (count) => count > 0,
    );
    expect(await ada.page.locator('.connection p').count()).toBe(0);
    expect(asked.filter((path) => path.endsWith('/offers'))).toHaveLength(1);
  });

  it('a dialog that loads late takes nothing of what is typed until then, and opens when asked again', async () => {
    const chatId = await waitingChat(stage);
    const ada = await Desk.open(stage);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await ada.page.route(/\/dialogs-[^/]*\.js$/, (route) => held.then(() => route.continue()));
    const asked = ada.page.waitForRequest(/\/dialogs-/);
    await ada.page.reload();
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    const field = ada.page.getByLabel('Message to Vera');
    await field.waitFor();
    await ada.page.locator('.chat-head h1').click();
    await ada.page.keyboard.press('t');
    await asked;
    await field.click();
    await ada.page.keyboard.type('A moment, ');
    const loaded = ada.page.waitForResponse(/\/dialogs-/);
    release();
    await (await loaded).finished();
    await ada.page.keyboard.type('please');
    expect([await field.inputValue(), await ada.page.locator('dialog').count()]).toEqual(['A moment, please', 0]);
    await ada.page.locator('.chat-head h1').click();
    await ada.page.keyboard.press('t');
    await ada.page.getByRole('dialog').waitFor();
    expect(await field.inputValue()).toBe('A moment, please');
  });

  it("an offer that couldn't be accepted once can be accepted a moment later", async () => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    const ada = await Desk.open(stage);
    await waitingChat(stage);
    const accept = ada.button(/^Accept/);
    await accept.waitFor();
    await ada.page.route('**/accept', (route) => route.abort(), { times: 1 });
    await accept.click();
    await ada.isTold(/Can't reach the service/i);
    await accept.click();
    await ada.page.getByLabel('Message to Vera').waitFor();
  });

  it('a message that waited for hours while the computer slept is sent after its author confirms', async () => {
    const { ada, chatId } = await claimed();
    const { page } = ada;
    stage.road.cut();
    await page.getByText('Reconnecting…').waitFor();
    await ada.composer.fill('Are you there?');
    await ada.composer.press('Enter');
    await page.getByText('Waiting for connection').waitFor();
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 3 * 3600_000; }`);
    stage.road.isCut = false;
    await page.getByText('a few minutes old').waitFor();
    const said = async () => {
      const { messages } = (await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body;
      return (messages as { content: string }[]).filter(({ content }) => content === 'Are you there?');
    };
    expect(await said()).toEqual([]);
    await ada.button('Send again').click();
    await page.locator('.message.pending').waitFor({ state: 'detached' });
    expect(await said()).toHaveLength(1);
  });

  it('a row words a system message like the transcript, in German too', async () => {
    const ada = await Desk.open(stage);
    // Its visitor has written nothing, so the row has the system message.
    const chatId = (await stage.tenant.admin.post('/chats', { visitor: { name: 'Zoe' } }).expect(201)).body.id;
    await stage.tenant.bot.post('/transfer', { chatId, reason: 'Rückzahlung' }).expect(200);
    await ada.goTo(chatId);
    await ada.button(/^Account/).click();
    await ada.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await ada.page
      .locator('.conversation')
      .getByText(/^An .* übergeben: Rückzahlung$/)
      .waitFor();
    await ada.rows.getByText(/^An .* übergeben: Rückzahlung$/).waitFor();
  });

  it("a language whose words can't be loaded changes nothing, and the agent sees an error", async () => {
    const ada = await Desk.open(stage);
    await ada.page.route('**/assets/de-*.js', (route) => route.abort());
    await ada.button(/^Account/).click();
    await ada.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await ada.isTold(/Can't reach the service/i);
    await ada.page.getByRole('link', { name: /^Waiting/ }).waitFor();
  });

  it('a note that is being written stays a note when the chat is assigned to its author', async () => {
    const ada = await Desk.open(stage);
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('n');
    const field = ada.page.getByLabel('Note for colleagues');
    await field.fill('She is');
    await ada.page.reload();
    await field.click();
    await field.press('End');
    await client.post(`/chats/${chatId}/claim`, {}).expect(200);
    await ada.button('Reply').waitFor();
    await ada.page.keyboard.type(' angry');
    await ada.page.keyboard.press('Enter');
    await ada.page.locator('.note-line').getByText('She is angry').waitFor();
    const { messages } = (await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body;
    expect(JSON.stringify(messages)).not.toContain('angry');
  });

  it('letters typed after the field has disappeared do nothing', async () => {
    const { ada, chatId } = await claimed();
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    const changes: string[] = [];
    ada.page.on('request', (request) => request.method() === 'PUT' && changes.push(request.url()));
    await ada.composer.focus();
    await ada.page.keyboard.type('x');
    const { body: groups } = await stage.tenant.bot.get('/groups').expect(200);
    await ada.pressOnceGone('.composer textarea', 'p7?');
    await bob.client.post(`/chats/${chatId}/transfer`, { groupId: groups[0].id }).expect(200);
    await ada.composer.waitFor({ state: 'detached' });
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
    expect(changes).toEqual([]);
  });

  it("text written while a note is being saved stays, and so does a note that couldn't be saved", async () => {
    const { ada } = await claimed();
    await ada.leaveField();
    await ada.page.keyboard.press('n');
    const field = ada.page.getByLabel('Note for colleagues');
    const held: Route[] = [];
    await ada.page.route('**/notes', (route) =>
      route.request().method() === 'POST' ? void held.push(route) : route.fallback(),
    );
    const isHeld = (count: number) =>
      eventually(
        () => held.length,
        (length) => length === count,
      );
    await field.fill('First');
    await field.press('Enter');
    await isHeld(1);
    await field.pressSequentially('Second');
    await held[0]!.continue();
    await ada.page.locator('.note-line').getByText('First').waitFor();
    expect(await field.inputValue()).toBe('Second');
    await field.press('Enter');
    await isHeld(2);
    await field.pressSequentially('Third');
    await held[1]!.abort();
    await eventually(
      () => field.inputValue(),
      (value) => value === 'Second\nThird',
    );
  });

  it('a failed transfer keeps its note, and an open transfer dialog closes with its chat', async () => {
    const { ada } = await claimed();
    const other = await anotherChat(stage, 'Walter', 'Hello');
    await ada.leaveField();
    await ada.page.keyboard.press('t');
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer chat' });
    await dialog.getByText('General').click();
    await dialog.getByLabel(/^Note for/).fill('Long story');
    await ada.page.route('**/transfer', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: /^Transfer to/ }).click();
    await ada.isTold(/Can't reach the service/i);
    expect(await dialog.getByLabel(/^Note for/).inputValue()).toBe('Long story');
    await ada.page.evaluate(
      `history.pushState(null, '', '/console/waiting/${other}'); history.pushState(null, '', '/console'); history.back()`,
    );
    await ada.page.getByRole('heading', { name: 'Walter' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
  });
});
