import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, makeAgent, waitingChat } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('console details', () => {
  const stage = Stage.set();

  it("a chat with the bot isn't unread, but is marked when the bot leaves its visitor without an answer", async () => {
    const ada = await Desk.open(stage);
    await stage.parley
      .visitor(stage.tenant.visitorToken)
      .post(`/chats/${stage.tenant.chatId}/messages`, { content: 'Hello?' })
      .expect(201);
    await ada.page.keyboard.press('3');
    const row = ada.rows.filter({ hasText: 'Vera' });
    await row.getByText('Hello?').waitFor();
    expect(await row.locator('.unread-dot, .wait').count()).toBe(0);
    await stage.parley.query(`UPDATE chats SET waiting_since = now() - interval '5 minutes' WHERE id = $1`, [
      stage.tenant.chatId,
    ]);
    await ada.page.reload();
    await row.getByText(/The bot hasn't answered for 5:\d\d/).waitFor();
  });

  it('a group lists waiting chats first, and its other chats after a click', async () => {
    const ada = await Desk.open(stage);
    await waitingChat(stage);
    await anotherChat(stage, 'Walter', 'Hello');
    const { body: other } = await stage.tenant.admin.post('/chats', { visitor: { name: 'Botty' } }).expect(201);
    await stage.tenant.bot.post('/messages', { chatId: other.id, content: 'Hi' }).expect(200);
    await ada.page.getByRole('link', { name: /^General.*2 waiting/ }).click();
    await eventually(
      () => ada.rows.locator('.row-name').allInnerTexts(),
      (names) => names.join() === 'Vera,Walter',
    );
    await ada.button('All open').click();
    await ada.rows.filter({ hasText: 'Botty' }).waitFor();
    await ada.page.locator('.nav-item[aria-current=page]').getByText('General').waitFor();
    await ada.page.reload();
    await ada.rows.filter({ hasText: 'Botty' }).waitFor();
    await ada.page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Mine' }).click();
    await ada.page.getByText('No chats yet').waitFor();
  });

  it('the console says when the agent may not see a group, and a deleted chat leaves no column behind', async () => {
    const { body: group } = await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const ada = await Desk.open(stage, {}, { viewport: { width: 1440, height: 900 } });
    await ada.page.goto(`${stage.road.url}/console/groups/${group.id}`);
    await ada.page.getByText("You can't see this group").waitFor();
    await ada.page.goto(`${stage.road.url}/console/open/cht_01h00000000000000000000000`);
    await ada.page.getByRole('heading', { name: 'You can no longer see this chat' }).waitFor();
    expect(await ada.page.locator('.side').count()).toBe(0);
  });

  it('a dialog asks before typed text is lost, and a secret is closed only by its button', async () => {
    const ida = await Office.open(stage, 'replies');
    await ida.button('New reply').click();
    await ida.page.keyboard.press('Escape');
    await ida.dialog.waitFor({ state: 'detached' });
    await ida.button('New reply').click();
    const field = ida.page.getByLabel('Reply', { exact: true });
    await field.fill('Long words');
    for (let times = 0; times < 3; times++) await ida.page.keyboard.press('Escape');
    await ida.button('Keep editing').click();
    expect(await field.inputValue()).toBe('Long words');
    await ida.page.mouse.click(5, 5);
    await ida.button('Discard').click();
    await field.waitFor({ state: 'detached' });

    await ida.goTo('people');
    await ida.button('Invite').click();
    await ida.page.getByLabel('Name').fill('Bob');
    await ida.page.getByLabel('Email').fill('bob@example.com');
    await ida.button('Create invitation').click();
    const secret = ida.dialog.locator('.copy-field input');
    await secret.waitFor();
    for (let times = 0; times < 3; times++) await ida.page.keyboard.press('Escape');
    await ida.page.mouse.click(5, 5);
    await ida.page.evaluate(`document.querySelector('dialog').close()`);
    await secret.waitFor();
    expect(await secret.inputValue()).toContain('/console/link#');
    expect(await ida.dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
    await ida.takeSecret();
  });

  it('a dialog closed by the browser is closed for the page too, unless something in it would be lost', async () => {
    const ida = await Office.open(stage, 'replies');
    const closeNatively = () => ida.page.evaluate(`document.querySelector('dialog').close()`);
    await ida.button('New reply').click();
    await ida.dialog.waitFor();
    await closeNatively();
    await ida.page.locator('dialog').waitFor({ state: 'detached' });
    await ida.button('New reply').click();
    const field = ida.page.getByLabel('Reply', { exact: true });
    await field.fill('Long words');
    await closeNatively();
    await ida.button('Keep editing').click();
    expect(await field.inputValue()).toBe('Long words');
    await closeNatively();
    await ida.button('Discard').click();
    await ida.page.locator('dialog').waitFor({ state: 'detached' });
  });

  it('a transfer asks about its note, Enter takes the first match, and offline colleagues are marked', async () => {
    const ada = await Desk.open(stage);
    await makeAgent(stage, { name: 'Samuel' });
    await ada.goTo(await waitingChat(stage));
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await ada.page.locator('.chat-head h1').click();
    await ada.page.keyboard.press('t');
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer chat' });
    const note = dialog.getByLabel(/^Note for/);
    await note.fill('Long story');
    await ada.page.keyboard.press('Escape');
    await ada.button('Keep editing').click();
    expect(await note.inputValue()).toBe('Long story');
    await dialog.getByText('Samuel').waitFor();
    await dialog.getByRole('searchbox').fill('sam');
    await ada.page.keyboard.press('Enter');
    await dialog.getByText('Samuel is offline. The chat will wait.').waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.isTold('Transferred to Samuel');
  });

  it('canned replies are found by any words in any script, and all of them can be reached', async () => {
    const { client } = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    for (let index = 1; index <= 10; index++) {
      await client.post('/replies', { shortcut: `invoice${index}`, content: `Rechnung ${index}` }).expect(201);
    }
    await client.post('/replies', { shortcut: 'back', content: 'Die Rückgabe dauert zwei Wochen' }).expect(201);
    await client.post('/replies', { shortcut: 'welcome', content: 'مرحبا بكم' }).expect(201);
    const ada = await Desk.open(stage);
    await ada.goTo(await waitingChat(stage));
    await ada.page.keyboard.press('c');
    await ada.composer.fill('/invoice');
    await eventually(
      () => ada.page.getByRole('option').count(),
      (count) => count === 10,
    );
    for (let index = 1; index < 10; index++) await ada.composer.press('ArrowDown');
    const last = ada.page.getByRole('option').last();
    expect(await last.getAttribute('aria-selected')).toBe('true');
    for (const [typed, shortcut] of [
      ['/rückgabe', 'back'],
      ['/wochen zwei', 'back'],
      ['/مرحبا', 'welcome'],
    ] as const) {
      await ada.composer.fill(typed);
      await ada.page.getByRole('option', { name: `/${shortcut}` }).waitFor();
    }
    await ada.composer.fill('He / she zwei');
    expect(await ada.page.getByRole('option').count()).toBe(0);
  });

  it('a canned reply replaces the text after the slash, and nothing before it', async () => {
    const { client } = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await client.post('/replies', { shortcut: 'back', content: 'İade iki hafta sürer' }).expect(201);
    const ada = await Desk.open(stage);
    await ada.goTo(await waitingChat(stage));
    await ada.page.keyboard.press('c');
    await ada.composer.fill('Merhaba /İade');
    await ada.page.getByRole('option', { name: '/back' }).waitFor();
    await ada.composer.press('Enter');
    expect(await ada.composer.inputValue()).toBe('Merhaba İade iki hafta sürer');
  });

  it("a canned reply's variables are replaced when it's inserted, and a misspelled one is reported", async () => {
    const ida = await Office.open(stage, 'replies');
    await ida.button('New reply').click();
    await ida.dialog.getByLabel('Shortcut').fill('hi');
    const content = ida.dialog.getByLabel('Reply', { exact: true });
    await content.fill('Hello {{vistor.name}}');
    await ida.dialog.getByText('Not a variable, and sent as it is: {{vistor.name}}').waitFor();
    await ida.button('Save anyway').waitFor();
    await content.fill('Hello {{visitor.name|there}}, {{agent.name}} here. I write to {{visitor.email}}.');
    await ida.button('Save').click();
    await ida.line('/hi').waitFor();
    const ada = await Desk.open(stage, { name: 'Ada' });
    await ada.goTo(await waitingChat(stage));
    await ada.page.keyboard.press('c');
    await ada.composer.fill('/hi');
    await ada.page.getByRole('option', { name: '/hi' }).waitFor();
    await ada.composer.press('Enter');
    expect(await ada.composer.inputValue()).toBe('Hello Vera, Ada here. I write to vera@example.com.');
  });

  it("an unexpected error is shown in the page’s own words, with the request's id", async () => {
    const ada = await Desk.open(stage);
    await ada.goTo(await waitingChat(stage));
    const body = JSON.stringify({ code: 'internal_error', detail: 'Internal server error', requestId: 'req-1' });
    await ada.page.route('**/claim', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body }),
    );
    await ada.page.keyboard.press('c');
    await ada.isTold(/Something went wrong.*req-1/);
  });

  it('the console loads by itself when the service is back', async () => {
    const ada = await Desk.open(stage);
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.page.route('**/api/agent/session', (route) => route.abort());
    stage.road.isCut = false;
    await ada.page.reload();
    await ada.page.getByText("Can't reach the service. Check").waitFor();
    await ada.page.unroute('**/api/agent/session');
    await ada.isLive();
  });

  it("the overview recovers from a lost connection, and says once that it's lost", async () => {
    await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.page.route('**/api/agent/reports**', (route) => route.abort());
    await sue.page.keyboard.press('6');
    const failure = sue.page.getByRole('alert').getByText("Can't reach the service");
    await failure.waitFor();
    expect(await failure.count()).toBe(1);
    await sue.page.unroute('**/api/agent/reports**');
    stage.road.cut();
    await sue.page.getByText('Reconnecting…').waitFor();
    stage.road.isCut = false;
    await sue.page.getByRole('rowheader', { name: 'Refunds' }).waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  it.each([
    ['en-GB', /^\d{1,2}:\d\d$/],
    ['en-US', /^\d{1,2}:\d\d [AP]M$/u],
  ])('times have the format of %s', async (locale, form) => {
    const ada = await Desk.open(stage, {}, { locale });
    await waitingChat(stage);
    await ada.page.keyboard.press('2');
    const time = ada.rows.locator('time').first();
    await time.waitFor();
    expect((await time.innerText()).trim()).toMatch(form);
  });

  it('a name written right to left begins beside its avatar', async () => {
    const ada = await Desk.open(stage);
    await anotherChat(stage, 'نور الهدى', 'Hello');
    await ada.page.keyboard.press('2');
    const row = ada.rows.filter({ hasText: 'نور الهدى' });
    await row.waitFor();
    const starts = `(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('.row-name'));
      return range.getBoundingClientRect().left - document.querySelector('.row-name').getBoundingClientRect().left;
    })()`;
    expect(Math.abs(Number(await ada.page.evaluate(starts)))).toBeLessThan(2);
  });

  it("the widget's preview is the widget with the unsaved settings, starts no chat, and stays visible", async () => {
    const chats = async () => (await stage.tenant.admin.get('/chats').expect(200)).body.chats.length;
    const before = await chats();
    const ida = await Office.open(stage, 'widget', { viewport: { width: 1440, height: 900 } });
    await ida.page.getByLabel('Suggested questions, one per line').fill('One?\nTwo?');
    const preview = ida.page.locator('.preview');
    const open = ida.page.frameLocator('.preview iframe >> nth=0');
    await open.getByRole('button', { name: 'Two?', includeHidden: true }).waitFor();
    await ida.page.getByLabel('Consent text').fill('We store what you write.');
    await open.getByText('We store what you write.').waitFor();
    await ida.page.getByLabel("In the chat's menu, while the bot has the chat").check();
    await open.getByRole('button', { name: 'Talk to a person', includeHidden: true }).waitFor();
    await ida.page.getByLabel('Ask for a rating when a chat ends').scrollIntoViewIfNeeded();
    const box = (await preview.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(900);
    await ida.page.getByLabel('Next to the closed chat, too').check();
    await ida.page.getByLabel('Greeting', { exact: true }).fill('Good morning');
    const closed = ida.page.frameLocator('.preview iframe >> nth=-1');
    await closed.locator('.hello').getByText('Good morning').waitFor();
    expect(await chats()).toBe(before);
    expect(await ida.page.evaluate(`Object.keys(localStorage).filter((key) => key.includes('prl_wk_'))`)).toEqual([]);
  });
});
