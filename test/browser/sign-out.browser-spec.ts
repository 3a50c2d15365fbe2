import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('signing out', () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    visit = await stage.visit();
  });

  const identify = (where: Visit, identity: string | null) =>
    where.page.evaluate(`Parley('identify', ${JSON.stringify(identity)})`);
  const sign = (sub: string) => signIdentity(stage.tenant, { sub });
  const draftIn = (where: Visit) =>
    eventually(
      async () => [
        await where.composer.inputValue(),
        await where.page.evaluate(`sessionStorage.getItem('parley:draft')`),
      ],
      ([field, kept]) => field === '' && !kept,
    );
  const messages = async () => (await stage.tenant.bot.get('/chats').expect(200)).body.chats.length as number;

  it('signing out in one tab removes the draft and the chat from every tab', async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    const tab = await visit.newTab(stage.site.url);
    await identify(tab, await sign('zoe'));
    await tab.open();
    await tab.sees('My order');
    await tab.composer.fill('my card is 4111');
    await identify(visit, null);
    await draftIn(tab);
    await tab.panel.getByText('Hi there! How can we help?').waitFor();
    expect(await tab.messages.count()).toBe(0);
    await tab.composer.press('Enter');
    await tab.say('Somebody else');
    const { body } = await stage.tenant.bot.get('/chats').expect(200);
    // The tenant has a chat of its own.
    expect(body.chats).toHaveLength(3);
    expect(body.chats[0].visitor.isVerified).toBe(false);
    expect((await stage.stored()).map(({ content }) => content)).toEqual(['Somebody else']);
  });

  it('a page that names its visitor on the script shows the chat only where it does', async () => {
    const { page } = stage.site;
    const attributes = `data-widget-key="${stage.tenant.widgetKey}"`;
    const goOn = async (more: string) => {
      page.attributes = `${attributes} ${more}`;
      await visit.page.goto(stage.site.url);
      await visit.open();
    };
    await goOn(`data-identity="${await sign('zoe')}"`);
    await visit.say('My order');
    await goOn('');
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    await visit.say('Anonymous');
    await visit.sees('Anonymous');
    expect((await stage.stored()).map(({ content }) => content)).toEqual(['Anonymous']);
    await goOn(`data-identity="${await sign('zoe')}"`);
    await visit.sees('My order');
    await identify(visit, null);
    await visit.say('Nobody');
    await goOn('');
    await visit.sees('Nobody');
  });

  describe('on a page that names no one, after another page has', () => {
    const plain = () => `data-widget-key="${stage.tenant.widgetKey}"`;
    /** Zoe's chat in one tab, as far as a later page with these attributes lets it. */
    const beginAsZoe = async () => {
      stage.site.page.attributes = `${plain()} data-identity="${await sign('zoe')}"`;
      await visit.page.goto(stage.site.url);
      await visit.open();
      await visit.say('My order');
      stage.site.page.attributes = plain();
      const kept = await visit.page.evaluate<string>(`localStorage.getItem('parley:${stage.tenant.widgetKey}')`);
      return (JSON.parse(kept) as { token: string }).token;
    };
    const isEnded = async (token: string) => {
      await visit.panel.getByText('Hi there! How can we help?').waitFor();
      await eventually(
        () => stage.parley.visitor(token).get('/chats'),
        ({ status }) => status === 401,
      );
      expect(await visit.page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('token');
    };

    it("signing out ends that person's session in every tab", async () => {
      const token = await beginAsZoe();
      const tab = await visit.newTab(stage.site.url);
      await tab.open();
      await tab.say('Anonymous');
      const own = await tab.page.evaluate<string>(`sessionStorage.getItem('parley:${stage.tenant.widgetKey}')`);
      await identify(tab, null);
      await isEnded(token);
      await tab.panel.getByText('Hi there! How can we help?').waitFor();
      await eventually(
        () => stage.parley.visitor((JSON.parse(own) as { token: string }).token).get('/chats'),
        ({ status }) => status === 401,
      );
      await tab.say('Somebody else');
      await tab.page.reload();
      await tab.sees('Somebody else');
    });

    it("signing out while the page loads ends that person's session in every tab", async () => {
      const token = await beginAsZoe();
      stage.site.page.head = `<script>
        window.Parley = function () { (Parley.q = Parley.q || []).push(arguments); };
        Parley('identify', null);
      </script>`;
      const tab = await visit.newTab(stage.site.url);
      await isEnded(token);
      await tab.open();
      expect(await tab.messages.count()).toBe(0);
    });

    it("its own visitor's draft stays while that person's chat goes on in another tab", async () => {
      await beginAsZoe();
      const tab = await visit.newTab(stage.site.url);
      await tab.open();
      await tab.composer.fill('my own words');
      const heard = tab.page.evaluate(
        `new Promise((resolve) => addEventListener('storage', () => setTimeout(resolve, 500)))`,
      );
      await visit.say('And another thing');
      await heard;
      expect(await tab.composer.inputValue()).toBe('my own words');
    });

    it("it shows no draft of that person, and keeps its own visitor's draft", async () => {
      await beginAsZoe();
      await visit.composer.fill('my card is 4111');
      await visit.page.goto(stage.site.url);
      await visit.open();
      expect(await visit.composer.inputValue()).toBe('');
      expect(await visit.page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('4111');
      await visit.composer.fill('my own words');
      await visit.page.reload();
      await visit.open();
      expect(await visit.composer.inputValue()).toBe('my own words');
    });
  });

  it('signing out removes a draft that was written before there was a chat', async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    const tab = await visit.newTab(stage.site.url);
    await identify(tab, await sign('zoe'));
    await tab.open();
    await tab.composer.fill('my card is 4111');
    await visit.page.waitForFunction(`localStorage.length > 0`);
    await identify(visit, null);
    await draftIn(tab);
    expect(await messages()).toBe(1);
  });

  it('a session is ended after a sign-out without a connection, once it is back', async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    const { token } = JSON.parse(
      (await visit.page.evaluate(`localStorage.getItem('parley:${stage.tenant.widgetKey}')`)) as string,
    ) as { token: string };
    stage.road.cut();
    await identify(visit, null);
    await visit.page.waitForFunction(`localStorage.length === 0`);
    await visit.page.evaluate(`Parley('shutdown')`);
    stage.road.isCut = false;
    await eventually(
      () => stage.parley.visitor(token).get('/chats'),
      ({ status }) => status === 401,
    );
  });

  it("signing in as another person removes the first one's draft and chat", async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    await visit.composer.fill('my card is 4111');
    await identify(visit, await sign('bob'));
    await draftIn(visit);
  });

  it("a page change without a load doesn't undo a sign-out in another tab", async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    const tab = await visit.newTab(stage.site.url);
    await identify(tab, await sign('zoe'));
    await tab.open();
    await tab.sees('My order');
    await identify(visit, null);
    await tab.panel.getByText('Hi there! How can we help?').waitFor();
    await tab.page.evaluate(`Parley('shutdown'); Parley('boot', {})`);
    await tab.open();
    await tab.say('Somebody else');
    const { body } = await stage.tenant.bot.get('/chats').expect(200);
    expect(body.chats[0].visitor.isVerified).toBe(false);
  });

  it("signing out while the panel doesn't load keeps the chat from the next person", async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    await visit.button('Close chat').click();
    await visit.page.route('**/widget/panel.*.js*', (route) => route.abort());
    await visit.page.reload();
    await visit.launcher.waitFor();
    await identify(visit, null);
    await visit.page.unroute('**/widget/panel.*.js*');
    await visit.open();
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    expect(await visit.messages.count()).toBe(0);
    await visit.say('Somebody else');
    await visit.sees('Somebody else');
  });

  it('a page that clears its session storage signs no one out', async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    await visit.page.evaluate(`new Promise((resolve) => {
      addEventListener('storage', () => setTimeout(resolve, 500));
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.contentWindow.sessionStorage.setItem('x', 'x');
      frame.contentWindow.sessionStorage.clear();
    })`);
    await visit.sees('My order');
  });

  it('what a person has not sent in another tab is neither kept for the next person nor shown to them', async () => {
    await identify(visit, await sign('zoe'));
    await visit.open();
    await visit.say('My order');
    const tab = await visit.newTab(stage.site.url);
    await tab.open();
    await tab.sees('My order');
    // A message waits for its answer there.
    await tab.page.evaluate(`window.send = WebSocket.prototype.send; WebSocket.prototype.send = () => undefined`);
    await tab.write('my card is 4111');
    await tab.sees('My order', 'my card is 4111');
    await identify(visit, await sign('bob'));
    await tab.page.evaluate(`WebSocket.prototype.send = send`);
    await visit.say('I am Bob');
    await tab.sees('I am Bob');
    await tab.say('Still Bob');
    await visit.sees('I am Bob', 'Still Bob');
    await tab.sees('I am Bob', 'Still Bob');
    expect(await visit.page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('4111');
    await tab.page.reload();
    await tab.open();
    await tab.sees('I am Bob', 'Still Bob');
  });
});
