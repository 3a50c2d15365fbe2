import { describe, expect, it } from '@jest/globals';
import { indexed } from '../search/support/searching.js';
import { eventually, until } from '../support/eventually.js';
import { anotherChat, Desk, deskWithChats } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('searching in the console', () => {
  const stage = Stage.set();

  const palette = ({ page }: Desk) => page.getByRole('dialog', { name: 'Find a chat or an action' });
  const option = (desk: Desk, words: string | RegExp) => palette(desk).getByRole('option').filter({ hasText: words });
  const type = (desk: Desk, words: string) => palette(desk).getByRole('combobox').fill(words);
  const openPalette = async (desk: Desk, key = 'Control+k') => {
    await indexed(stage.parley, stage.tenant.id);
    await desk.page.keyboard.press(key);
    await palette(desk).waitFor();
  };
  /** A chat with more messages than one page has. */
  const longChat = async (name: string, first: string) => {
    const chatId = await anotherChat(stage, name, first);
    for (let count = 0; count < 120; count++)
      await stage.tenant.bot.post('/messages', { chatId, content: `line ${count}` }).expect(200);
    return chatId;
  };

  it('finds words of a message that no list shows, and Enter opens the chat there', async () => {
    const ada = await Desk.open(stage);
    const chatId = await longChat('Zoe Quill', 'My parcel <b>INV-2026/0815</b> was crushed');
    await openPalette(ada);
    await type(ada, 'crush');
    const found = option(ada, 'Zoe Quill');
    await found.getByText('My parcel <b>INV-2026/0815</b> was crushed').waitFor();
    expect(await found.locator('mark').allInnerTexts()).toEqual(['crushed']);
    await ada.page.locator('.command[aria-selected=true]', { hasText: 'Zoe Quill' }).waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.page.waitForURL(`**/${chatId}`);
    const line = ada.page.locator('.transcript-line.found');
    await line.getByText('was crushed').waitFor();
    const [box, view] = [await line.boundingBox(), await ada.page.locator('.scroller').boundingBox()];
    expect(box!.y).toBeGreaterThanOrEqual(view!.y - 1);
    expect(box!.y + box!.height).toBeLessThanOrEqual(view!.y + view!.height + 1);
    // Opened by its name, it's at its end.
    await ada.page.keyboard.press('Escape');
    await openPalette(ada);
    await type(ada, 'quill');
    await option(ada, 'line 119').click();
    await ada.page.getByText('line 119').first().waitFor();
    expect(await ada.page.locator('.found').count()).toBe(0);
  });

  it('finds notes, and says who wrote them', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    const chatId = await anotherChat(stage, 'Bob', 'Hello');
    await sue.client.post(`/chats/${chatId}/notes`, { content: 'wants a quotation' }).expect(201);
    await openPalette(ada, '/');
    await type(ada, 'quotat');
    await option(ada, 'Note by Sue').click();
    await ada.page.locator('.transcript-line.found').getByText('wants a quotation').waitFor();
  });

  it('filters are words, and a wrong one is named', async () => {
    const ada = await Desk.open(stage);
    const closed = await anotherChat(stage, 'Lea', 'the blue bicycle');
    await anotherChat(stage, 'Max', 'another blue bicycle');
    await stage.tenant.admin.patch(`/chats/${closed}`, { status: 'CLOSED' }).expect(200);
    await openPalette(ada);
    await palette(ada).getByText('Filters: from: is: agent: group: tag: before: after: rating:').waitFor();
    await type(ada, 'bicycle');
    await option(ada, 'Lea').waitFor();
    await option(ada, 'Max').waitFor();
    await type(ada, 'bicycle is:closed');
    await option(ada, 'Max').waitFor({ state: 'detached' });
    await option(ada, 'Lea').waitFor();
    await type(ada, 'bicycle from:agent');
    await palette(ada).getByText('No results').waitFor();
    await type(ada, 'bicycle is:blue');
    await palette(ada).getByText('Not understood: is:blue').waitFor();
  });

  const owner = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.owner;
  /** An offer arrives while the palette is open, and its card takes keys and clicks. */
  const getOffer = async (desk: Desk) => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER', offerSeconds: 600 }).expect(200);
    const chatId = await anotherChat(stage, 'Olga', 'Help');
    await desk.page.locator('.offer').waitFor();
    await desk.isSteady('.offer');
    return chatId;
  };
  const highlighted = ({ page }: Desk) => page.locator('.command[aria-selected=true] .command-name').innerText();

  it('Enter runs the chosen command, though an offer has arrived since', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Lea']);
    await openPalette(ada);
    await ada.page.keyboard.press('ArrowDown');
    expect(await highlighted(ada)).toBe('End chat');
    const offered = await getOffer(ada);
    expect(await highlighted(ada)).toBe('End chat');
    await ada.page.keyboard.press('Enter');
    await eventually(
      () => owner(ids[0]!),
      (is) => is === 'NOBODY',
    );
    expect(await owner(offered)).toBe('QUEUE');
  });

  it.each(['', 'a'])('an offer that arrives takes no Enter from the first command that “%s” finds', async (typed) => {
    const { ada } = await deskWithChats(stage, ['Lea']);
    await openPalette(ada);
    await type(ada, typed);
    const first = await highlighted(ada);
    const offered = await getOffer(ada);
    expect(await highlighted(ada)).toBe(first);
    await ada.page.keyboard.press('Enter');
    await palette(ada).waitFor({ state: 'detached' });
    expect(await owner(offered)).toBe('QUEUE');
  });

  it('after a chosen command has left the list, Enter runs nothing', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Lea']);
    await openPalette(ada);
    await ada.page.keyboard.press('ArrowDown');
    await client.post(`/chats/${ids[0]}/close`).expect(200);
    await option(ada, 'End chat').waitFor({ state: 'detached' });
    expect(await ada.page.locator('.command[aria-selected=true]').count()).toBe(0);
    await ada.page.keyboard.press('Enter');
    expect(await palette(ada).isVisible()).toBe(true);
    await ada.page.keyboard.press('ArrowUp');
    expect(await ada.page.locator('.command').last().getAttribute('aria-selected')).toBe('true');
  });

  it('a click meant for a command that has moved away only chooses what took its place', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Lea']);
    await openPalette(ada);
    const { x, y } = (await option(ada, 'End chat').boundingBox())!;
    await ada.page.mouse.move(x + 20, y + 10);
    await client.post(`/chats/${ids[0]}/close`).expect(200);
    await option(ada, 'End chat').waitFor({ state: 'detached' });
    await ada.page.mouse.down();
    await ada.page.mouse.up();
    await ada.page.locator('.command[aria-selected=true]').waitFor();
    expect(await palette(ada).isVisible()).toBe(true);
  });

  it('commands of the open chat and of the own presence are disabled while their buttons are', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Lea']);
    await openPalette(ada);
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    for (const name of ['Pause', 'End chat']) {
      await type(ada, name);
      expect(await option(ada, name).first().getAttribute('aria-disabled')).toBe('true');
    }
    await ada.page.keyboard.press('Enter');
    expect(await palette(ada).isVisible()).toBe(true);
    stage.road.isCut = false;
    await ada.page.locator('.command:not([aria-disabled=true])').filter({ hasText: 'End chat' }).waitFor();
    await ada.page.keyboard.press('Enter');
    await eventually(
      () => owner(ids[0]!),
      (is) => is === 'NOBODY',
    );
  });

  it('letters that are typed while the palette is loaded are its first ones', async () => {
    const ada = await Desk.open(stage);
    await anotherChat(stage, 'Uma', 'an umbrella');
    await indexed(stage.parley, stage.tenant.id);
    let load: (() => Promise<void>) | undefined;
    await ada.page.route('**/dialogs-*.js', async (route) => void (load = () => route.continue()));
    await ada.page.reload();
    await ada.isLive();
    await ada.page.keyboard.press('Control+k');
    await until('the palette is asked for', () => load !== undefined);
    await ada.page.keyboard.type('umbr');
    await load!();
    await option(ada, 'Uma').waitFor();
    await ada.page.keyboard.type('ella');
    expect(await palette(ada).getByRole('combobox').inputValue()).toBe('umbrella');
  });

  it('an older answer never replaces a newer one', async () => {
    const ada = await Desk.open(stage);
    await anotherChat(stage, 'Kim', 'a purple kayak');
    await anotherChat(stage, 'Tom', 'a purple lamp');
    await openPalette(ada);
    const held: (() => Promise<void>)[] = [];
    await ada.page.route('**/api/agent/search', async (route) => {
      if (!(route.request().postData() ?? '').includes('kayak')) return route.continue();
      held.push(() => route.continue());
    });
    await type(ada, 'kayak');
    await until('the older one is asked', () => held.length > 0);
    await type(ada, 'lamp');
    await option(ada, 'Tom').waitFor();
    const answered = ada.page.waitForResponse((response) => (response.request().postData() ?? '').includes('kayak'));
    await held[0]!();
    await answered;
    await option(ada, 'Tom').waitFor();
    expect(await option(ada, 'Kim').count()).toBe(0);
  });

  it('what begins with the letters comes before what contains them, and pages are found by what they are about', async () => {
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' });
    const names = () => palette(ida).getByRole('option').locator('.command-name').allInnerTexts();
    const visitor = { name: 'Nora Field', email: 'nora@example.com' };
    const { body: chat } = await stage.tenant.admin.post('/chats', { visitor }).expect(201);
    await stage.tenant.bot.post('/messages', { chatId: chat.id, content: 'tick' }).expect(200);
    await openPalette(ida);
    await type(ida, 'no');
    await option(ida, 'Nora Field').getByText('nora@example.com · With the bot').waitFor();
    await until('Nora is before Snoozed', async () => {
      const shown = await names();
      return shown.some((name) => name.startsWith('Nora')) && !shown.some((name) => name.includes('Snoozed'));
    });
    for (const [typed, first] of [
      ['snoo', 'Go to Snoozed'],
      ['web', 'Go to Administration: Webhooks'],
      ['captcha', 'Go to Administration: Chat widget'],
      ['password', 'Sessions and password…'],
      ['dashboard', 'Go to Overview'],
    ] as const) {
      await type(ida, typed);
      await until(`${first} is the first for ${typed}`, async () => (await names())[0] === first);
    }
    await type(ida, 'retention');
    const found = option(ida, 'Go to Administration: Organization');
    await found.getByText('time zone').waitFor();
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await ida.page.screenshot({ path: `${folder}/palette-words.png` });
    await ida.page.keyboard.press('Enter');
    await ida.page.waitForURL('**/admin/organization');
  });

  it('a search is saved under a name, for oneself or for the team, found by it, and deleted', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const ada = await Desk.open(stage);
    await anotherChat(stage, 'Lena', 'the green bicycle');
    const save = async (desk: Desk, query: string, name: string, isShared: boolean) => {
      await openPalette(desk);
      await type(desk, query);
      await option(desk, 'Save this search as a view').click();
      const dialog = desk.page.getByRole('dialog', { name: 'Save this search as a view' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Enter a name.').waitFor();
      await dialog.getByLabel('Name').fill(name);
      if (isShared) await dialog.getByLabel('Share it with the team').check();
      else expect(await dialog.getByLabel('Share it with the team').count()).toBe(desk === sue ? 1 : 0);
      const folder = process.env.LAYOUT_PICTURES;
      if (folder) await dialog.screenshot({ path: `${folder}/save-view.png` });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await desk.isTold('Saved.');
    };
    await save(sue, 'green from:bot', 'Green ones', true);
    await save(ada, 'bicycle', 'My bicycles', false);
    await openPalette(ada);
    await option(ada, 'My bicycles').waitFor();
    await type(ada, 'green on');
    await option(ada, 'Green ones').click();
    expect(await palette(ada).getByRole('combobox').inputValue()).toBe('green from:bot');
    await option(ada, 'Lena').waitFor();
    // Only a supervisor deletes one of the team.
    expect(await option(ada, 'Delete the view').count()).toBe(0);
    await type(ada, 'bicycle');
    await option(ada, 'Delete the view My bicycles').click();
    await ada.page
      .getByRole('dialog', { name: 'Delete the view My bicycles?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
    await openPalette(ada);
    await option(ada, 'Green ones').waitFor();
    expect(await option(ada, 'My bicycles').count()).toBe(0);
  });
});
