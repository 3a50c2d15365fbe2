import { beforeEach, describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { type Visit } from './support/visit.js';

describe("the widget's JavaScript API", () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    stage.site.page.head = `<script>
      window.Parley = function () { (Parley.q = Parley.q || []).push(arguments); };
      window.heard = [];
      for (const event of ['ready', 'open', 'close', 'message', 'unread'])
        Parley('on', event, (value) => heard.push([event, value && value.content || value]));
    </script>`;
    visit = await stage.visit();
  });

  const call = (...args: unknown[]) => visit.page.evaluate<unknown>(`Parley(...${JSON.stringify(args)})`);
  const heard = () => visit.page.evaluate<[string, unknown][]>('heard');
  const hears = (...events: unknown[][]) =>
    eventually(heard, (all) =>
      events.every((event) => all.some((one) => JSON.stringify(one) === JSON.stringify(event))),
    );
  const sign = (claims: object) => signIdentity(stage.tenant, { ...claims });
  const visitorOf = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.visitor;

  it('the site opens, closes, and toggles the chat, and gets events, even with calls made before the script loaded', async () => {
    await hears(['ready', null]);
    await call('open');
    await visit.composer.waitFor();
    await hears(['open', null]);
    await call('close');
    await visit.panel.waitFor({ state: 'hidden' });
    await hears(['close', null]);
    await call('toggle');
    await visit.panel.waitFor();
    await call('toggle');
    await visit.panel.waitFor({ state: 'hidden' });
    const turns = (await heard()).map(([event]) => event).filter((event) => event === 'open' || event === 'close');
    expect(turns).toEqual(['open', 'close', 'open', 'close']);
    expect(visit.complaints).toEqual([]);
  });

  it('the site sends without opening, and counts unread messages while the chat is closed', async () => {
    await call('send', 'From the page');
    await hears(['message', 'From the page']);
    expect(await visit.panel.count()).toBe(0);
    await stage.say('one');
    await visit.page.getByRole('button', { name: 'Open chat (1 unread)' }).waitFor();
    await stage.say('two');
    await visit.page.getByRole('button', { name: 'Open chat (2 unread)' }).waitFor();
    expect(await visit.page.locator('parley-widget .badge').getAttribute('data-mark')).toBe('2');
    await hears(['message', 'one'], ['message', 'two'], ['unread', 1], ['unread', 2]);
    await call('open');
    await visit.sees('From the page', 'one', 'two');
    await eventually(heard, (all) => JSON.stringify(all.findLast(([event]) => event === 'unread')) === '["unread",0]');
    await call('close');
    await visit.page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
    const messages = (await heard()).filter(([event]) => event === 'message').map(([, content]) => content);
    expect(messages).toEqual(['From the page', 'one', 'two']);
  });

  it('a removed listener gets no events', async () => {
    await visit.page.evaluate(`
      window.late = [];
      const end = Parley('on', 'message', ({ content }) => { late.push(content); end(); });`);
    await call('send', 'one');
    await hears(['message', 'one']);
    await call('send', 'two');
    await hears(['message', 'two']);
    expect(await visit.page.evaluate('late')).toEqual(['one']);
  });

  it('an identified visitor keeps their open chat, even after a reload', async () => {
    await visit.open();
    await visit.say('Who am I?');
    await stage.say('We shall see');
    await visit.sees('Who am I?', 'We shall see');
    const chatId = await stage.chatId();
    expect((await visitorOf(chatId)).name).toBeNull();
    const ada = await sign({ sub: 'ada', name: 'Ada', email: 'ada@example.com' });
    await call('identify', ada);
    expect(await visitorOf(chatId)).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
    await visit.online();
    await visit.sees('Who am I?', 'We shall see');
    await visit.say('Ada');
    await stage.say('Hello, Ada');
    await visit.sees('Who am I?', 'We shall see', 'Ada', 'Hello, Ada');
    expect(await stage.chatId()).toBe(chatId);
    expect((await stage.stored()).at(2)).toMatchObject({ content: 'Ada', seq: 3, sender: { name: 'Ada' } });

    await visit.page.reload();
    await call('identify', ada);
    await visit.open();
    await visit.sees('Who am I?', 'We shall see', 'Ada', 'Hello, Ada');

    // Another device of the same person.
    const elsewhere = await stage.visit();
    await elsewhere.page.evaluate(`Parley('identify', () => Promise.resolve('${ada}'))`);
    await elsewhere.open();
    await elsewhere.sees('Who am I?', 'We shall see', 'Ada', 'Hello, Ada');
    expect(visit.complaints).toEqual([]);
  });

  it("two tabs with two identified people don't affect each other", async () => {
    let sessions = 0;
    visit.context.on('request', (request) => {
      sessions += Number(request.method() === 'POST' && request.url().endsWith('/sessions'));
    });
    await call('identify', await sign({ sub: 'ada', name: 'Ada' }));
    await visit.open();
    await visit.say('I am Ada');
    const tab = await visit.newTab(stage.site.url);
    await tab.page.evaluate(`Parley('identify', '${await sign({ sub: 'bob', name: 'Bob' })}')`);
    await tab.open();
    await tab.say('I am Bob');
    await visit.say('Still Ada');
    await tab.say('Still Bob');
    await visit.sees('I am Ada', 'Still Ada');
    await tab.sees('I am Bob', 'Still Bob');
    expect(sessions).toBeLessThanOrEqual(4);
  });

  it('the site changes the profile during a chat', async () => {
    await call('set', { visitor: { name: 'Ada' } });
    await visit.open();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    await call('set', { visitor: { name: 'Ada Lovelace', email: 'ada@example.com' } });
    await eventually(
      () => visitorOf(chatId),
      ({ name, email }) => name === 'Ada Lovelace' && email === 'ada@example.com',
    );
    await visit.say('Still here');
    await visit.sees('Hello', 'Still here');
    expect(await stage.chatId()).toBe(chatId);
    expect(visit.complaints).toEqual([]);
  });

  it('a profile that the page sets before the panel loads is sent once for the chat of an earlier page', async () => {
    await visit.open();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    stage.site.page.head += `<script>Parley('set', { visitor: { name: 'Ada' } })</script>`;
    let sessions = 0;
    visit.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sessions')) sessions += 1;
    });
    await visit.page.reload();
    await eventually(
      () => visitorOf(chatId),
      ({ name }) => name === 'Ada',
    );
    await visit.open();
    await visit.say('Again');
    await visit.page.reload();
    await visit.open();
    await visit.say('And again');
    expect(sessions).toBe(1);
  });

  it('a profile that could not be sent is sent with the next call', async () => {
    await visit.open();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    await visit.page.route('**/visitor/sessions', (route) => route.abort());
    const failed = visit.page.waitForEvent('requestfailed');
    await call('set', { visitor: { name: 'Ada' } });
    await failed;
    await visit.page.unroute('**/visitor/sessions');
    await call('set', { visitor: { name: 'Ada' } });
    await eventually(
      () => visitorOf(chatId),
      ({ name }) => name === 'Ada',
    );
  });

  it('the next person on a shared computer sees nothing of the last chat, even if identified late', async () => {
    await visit.open();
    await visit.say('The secret of the first');
    const first = await stage.chatId();
    await visit.page.reload();
    await visit.open();
    await visit.sees('The secret of the first');
    await call('identify', await sign({ sub: 'bob', name: 'Bob' }));
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    expect(await visit.messages.count()).toBe(0);
    await visit.say('I am Bob');
    await visit.sees('I am Bob');
    const second = await eventually(
      () => stage.chatId(),
      (id) => id !== first,
    );
    expect((await visitorOf(second)).name).toBe('Bob');
    expect((await visitorOf(first)).name).toBeNull();
    expect(await visit.page.evaluate('JSON.stringify(localStorage)')).not.toContain(first);
    expect(visit.complaints).toEqual([]);
  });

  it('logging out ends the session on the service too', async () => {
    await call('identify', await sign({ sub: 'ada', name: 'Ada' }));
    await visit.open();
    await visit.say('Hello');
    const kept = await visit.page.evaluate<string>(
      `Object.values(localStorage).find((text) => text.includes('token'))`,
    );
    const { token } = JSON.parse(kept) as { token: string };
    const ask = () => stage.parley.visitor(token).get('/chats');
    expect((await ask()).status).toBe(200);
    await call('identify', null);
    await eventually(ask, ({ status }) => status === 401);
  });

  for (const state of ['open', 'closed', 'not loaded']) {
    it(`logging out forgets the visitor while the chat is ${state}`, async () => {
      const ada = await sign({ sub: 'ada', name: 'Ada' });
      await call('identify', ada);
      await visit.open();
      await visit.say('My secret');
      const chatId = await stage.chatId();
      if (state !== 'open') await visit.button('Close chat').click();
      if (state === 'not loaded') await visit.page.reload();
      await call('identify', null);
      if (state !== 'open') await visit.launcher.click();
      await visit.online();
      expect(await visit.messages.count()).toBe(0);
      await visit.say('Somebody else');
      await visit.sees('Somebody else');
      const next = await eventually(
        () => stage.chatId(),
        (id) => id !== chatId,
      );
      expect((await visitorOf(next)).name).toBeNull();
      expect(await visit.page.evaluate('JSON.stringify(localStorage)')).not.toContain(chatId);
      await visit.page.reload();
      await visit.open();
      await visit.sees('Somebody else');
    });
  }

  it("a rejected identity doesn't discard the page's chat", async () => {
    await visit.open();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    await call('identify', 'no.jwt.atall');
    await visit.page.reload();
    await visit.open();
    await visit.sees('Hello');
    expect(await stage.chatId()).toBe(chatId);
  });

  it('looks and words change immediately', async () => {
    await visit.open();
    await call('set', { title: 'Ask us', theme: 'dark', position: 'left', strings: { write: 'Say it' }, zIndex: 7 });
    await visit.panel.getByRole('heading', { name: 'Ask us' }).waitFor();
    expect(await visit.composer.getAttribute('placeholder')).toBe('Say it');
    expect((await visit.panel.boundingBox())!.x).toBe(20);
    const styleOf = (selector: string, property: string) =>
      visit.page.evaluate(`getComputedStyle(${selector}).${property}`);
    const host = 'document.querySelector("parley-widget")';
    expect(await styleOf(host, 'zIndex')).toBe('7');
    expect(await styleOf(`${host}.shadowRoot.querySelector(".panel")`, 'colorScheme')).toBe('dark');
  });
});
