import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('the list of chats', () => {
  const stage = Stage.set();
  let visit: Visit;

  afterEach(() => expect(visit.complaints).toEqual([]));

  const rows = () => visit.panel.locator('.chat');
  const close = async () =>
    stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
  /** Has one ended chat with an answer, and an open one. */
  const begin = async (options = {}) => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    visit = await stage.visit(options);
    await visit.open();
    await visit.say('About my order');
    await stage.say('It **comes** today');
    await visit.sees('About my order', 'It comes today');
    await close();
    await visit.button('Start a new chat').click();
    await visit.composer.waitFor();
    await visit.say('Something else');
  };

  it('the list has the open chat first, and keeps the older one', async () => {
    await begin();
    await visit.button('Your chats').click();
    await rows().nth(1).waitFor();
    expect(await rows().nth(0).innerText()).toContain('You: Something else');
    expect(await rows().nth(1).innerText()).toMatch(/^About my order\n[^]*Bot: It comes today[^]*This chat has ended/);
    expect(await rows().nth(0).getAttribute('aria-current')).toBe('true');
    const colors = await rows().evaluateAll((all) => all.map((row) => `${row.computedStyleMap().get('color')}`));
    expect(colors).toEqual([colors[0], colors[0]]);
    await rows().nth(1).click();
    await visit.sees('About my order', 'It comes today');
    await visit.button('Start a new chat').waitFor();
    await visit.button('Your chats').click();
    await rows().nth(0).click();
    await visit.sees('Something else');
    await visit.composer.waitFor();
  });

  it('an agent gives a chat a title, which the list shows in the place of the first words', async () => {
    visit = await stage.visit();
    await visit.open();
    await visit.say('About my order');
    await stage.say('It comes today');
    const desk = await Desk.open(stage, { role: 'SUPERVISOR' }, { viewport: { width: 1440, height: 900 } });
    await desk.goTo(await stage.chatId(), 'open');
    const title = desk.page.getByRole('textbox', { name: 'Title' });
    await title.fill(' Order 4711 ');
    await title.press('Enter');
    await eventually(
      async () => (await stage.tenant.bot.get(`/chats/${await stage.chatId()}`)).body.title,
      (stored) => stored === 'Order 4711',
    );
    await desk.page.reload();
    await eventually(
      () => title.inputValue(),
      (shown) => shown === 'Order 4711',
    );
    expect(desk.visit.complaints).toEqual([]);
    await visit.button('Your chats').click();
    expect(await rows().nth(0).locator('.title').innerText()).toBe('Order 4711');
  });

  it('a visitor starts a chat beside an open one, and goes back to it', async () => {
    visit = await stage.visit();
    await visit.open();
    await visit.say('About my order');
    await visit.button('Your chats').click();
    await visit.button('Start a new chat').click();
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    await visit.say('About returns');
    await visit.sees('About returns');
    await visit.button('Your chats').click();
    await rows().nth(1).waitFor();
    expect((await rows().allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'You: About returns',
      'You: About my order',
    ]);
    await rows().nth(1).click();
    await visit.sees('About my order');
    await visit.say('Still there?');
    await visit.sees('About my order', 'Still there?');
  });

  it('system messages in the list are in the visitor’s language', async () => {
    stage.site.page.root = 'lang="de"';
    visit = await stage.visit();
    const { body: chat } = await stage.tenant.admin.post('/chats', {}).expect(201);
    await stage.tenant.bot.post('/transfer', { chatId: chat.id }).expect(200);
    await visit.page.route(/api\/visitor\/chats\?/, async (route) => {
      const response = await route.fetch();
      const page = (await response.json()) as { chats: { messages: unknown[] }[] };
      const { messages } = (await stage.tenant.bot.get(`/chats/${chat.id}/messages`).expect(200)).body;
      page.chats[0]!.messages = messages;
      await route.fulfill({ response, json: page });
    });
    await visit.launcher.click();
    await visit.composer.fill('Hallo');
    await visit.composer.press('Enter');
    await visit.panel.getByText(/Gesendet/).waitFor();
    await visit.button('Ihre Chats').click();
    await rows().getByText('Sie warten auf').waitFor();
  });

  it('a circle is shown while the list is loading', async () => {
    visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await visit.page.route(/api\/visitor\/chats\?/, (route) => held.then(() => route.continue()));
    await visit.button('Your chats').click();
    const { width, height } = (await visit.panel.locator('.later .spinner').boundingBox())!;
    expect(width).toBe(height);
    answer();
    await rows().first().waitFor();
  });

  it('unread chats are marked in the list', async () => {
    await begin();
    const { body } = await stage.tenant.bot.get('/chats').expect(200);
    const older = (body.chats as { id: string; status: string }[]).find(({ status }) => status === 'CLOSED')!;
    await stage.tenant.bot.post('/messages', { chatId: older.id, content: 'One more thing' }).expect(200);
    await visit.button('Your chats').click();
    await visit.button(/One more thing.*1 new message/s).click();
    await visit.sees('About my order', 'It comes today', 'One more thing');
    await visit.button('Your chats').click();
    await visit.button(/Something else/).waitFor();
    expect(await visit.button(/new message/).count()).toBe(0);
  });

  it('the list is left with the keyboard, and by closing the panel', async () => {
    await begin();
    await visit.button('Your chats').press('Enter');
    await rows().first().waitFor();
    await visit.button('Back').press('Enter');
    await visit.composer.waitFor();
    expect(await visit.composer.evaluate((field) => field.matches(':focus'))).toBe(true);
    await visit.button('Your chats').click();
    await rows().first().waitFor();
    await visit.button('Close chat').click();
    await visit.panel.waitFor({ state: 'hidden' });
    await visit.launcher.click();
    await visit.composer.waitFor();
  });

  it("a list that can't be loaded says so, and loads later", async () => {
    await begin();
    await visit.page.route(/api\/visitor\/chats\?/, (route) => route.abort());
    await visit.button('Your chats').click();
    await visit.panel.getByText('Chat is unavailable right now').waitFor();
    await visit.page.unroute(/api\/visitor\/chats\?/);
    await visit.button('Try again').click();
    await rows().nth(1).waitFor();
    visit.complaints.splice(0);
  });

  it('the visitor ends a chat after a confirmation', async () => {
    await begin();
    await visit.button('Your chats').click();
    await visit.button('End chat').click();
    await visit.button('Cancel').click();
    await visit.button('End chat').click();
    await visit.panel.getByText('End this chat?').waitFor();
    await visit.button('End chat').click();
    // The list has an ended chat of its own.
    await visit.panel.locator('.chats').waitFor({ state: 'detached' });
    await visit.panel.getByText('This chat has ended').waitFor();
    const { body } = await stage.tenant.bot.get(`/chats/${await stage.chatId()}`).expect(200);
    expect(body.status).toBe('CLOSED');
  });

  it('the visitor saves the whole conversation as text', async () => {
    await begin();
    await stage.say('It **is** [here](https://acme.example), in ~2 * 3 * 4 days');
    await visit.sees('Something else', 'It is here, in ~2 * 3 * 4 days');
    await visit.button('Your chats').click();
    const [download] = await Promise.all([visit.page.waitForEvent('download'), visit.button('Save as text').click()]);
    expect(download.suggestedFilename()).toMatch(/^Acme \d{4}-\d\d-\d\d\.txt$/);
    expect(readFileSync(await download.path(), 'utf8')).toMatch(
      /^\[.+\] You: Something else\n\[.+\] Bot: It is here \(https:\/\/acme\.example\), in ~2 \* 3 \* 4 days$/,
    );
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    it(`axe finds no violation in the list of chats on ${look}`, async () => {
      await begin(options);
      await visit.button('Your chats').click();
      await rows().nth(1).waitFor();
      await visit.button('End chat').click();
      expect(await findViolations(visit)).toEqual([]);
    });
  }
});
