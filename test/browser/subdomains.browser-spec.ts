import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const GREETING = 'Hi there! How can we help?';

describe('one visitor on several subdomains', () => {
  const stage = Stage.set();
  /** Chromium resolves every name below `localhost` to this machine. */
  const on = (name: string) => stage.site.url.replace('127.0.0.1', `${name}.localhost`);
  const go = async (visit: Visit, name: string) => void (await visit.page.goto(on(name)));
  const chats = async () => (await stage.tenant.bot.get('/chats').expect(200)).body.chats.length as number;
  const share = () => stage.tenant.admin.patch('/widget', { cookieDomain: 'acme.localhost' }).expect(200);
  const signOut = (visit: Visit) => visit.page.evaluate(`Parley('identify', null)`);
  const hasNoChat = async (visit: Visit) => {
    await visit.panel.getByText(GREETING).waitFor();
    expect(await visit.messages.count()).toBe(0);
  };

  describe('with the domain in the settings', () => {
    beforeEach(() => share());

    it('the chat goes on, and unread messages are counted, on every subdomain and on the domain itself', async () => {
      const visit = await stage.visit({}, on('www.acme'));
      await visit.open();
      expect(await visit.context.cookies()).toEqual([]);
      await visit.say('Hello');
      await visit.page.keyboard.press('Escape');
      await stage.say('Hi there');
      await go(visit, 'help.acme');
      await visit.page.getByRole('button', { name: 'Open chat (1 unread)' }).waitFor();
      await visit.open();
      await visit.sees('Hello', 'Hi there');
      await visit.say('From the help');
      await go(visit, 'acme');
      await visit.open();
      await visit.sees('Hello', 'Hi there', 'From the help');
      // The tenant has a chat of its own.
      expect(await chats()).toBe(2);
      const [cookie] = await visit.context.cookies();
      expect(cookie).toMatchObject({ domain: '.acme.localhost', sameSite: 'Lax', path: '/' });
      expect(visit.complaints).toEqual([]);
    });

    it('a page of another domain keeps its own session, without a cookie', async () => {
      const visit = await stage.visit({}, on('evilacme'));
      await visit.open();
      await visit.say('Hello');
      expect(await visit.context.cookies()).toEqual([]);
    });

    it('two tabs on a subdomain and on the domain show the same chat', async () => {
      const visit = await stage.visit({}, on('www.acme'));
      await visit.open();
      const tab = await visit.newTab(on('acme'));
      await tab.open();
      await visit.say('Hello');
      await tab.sees('Hello');
      await tab.say('From the other tab');
      await visit.sees('Hello', 'From the other tab');
      expect(await chats()).toBe(2);
    });

    it("a sign-out on one subdomain removes the person's chat and draft from the open tabs of all others", async () => {
      const identity = await signIdentity(stage.tenant, { sub: 'zoe' });
      const visit = await stage.visit({}, on('www.acme'));
      const tab = await visit.newTab(on('help.acme'));
      for (const one of [visit, tab]) await one.page.evaluate(`Parley('identify', '${identity}')`);
      await visit.open();
      await visit.say('My order');
      await tab.open();
      await tab.sees('My order');
      await tab.composer.fill('my card is 4111');
      await signOut(visit);
      await hasNoChat(tab);
      expect(await tab.composer.inputValue()).toBe('');
      await tab.say('Somebody else');
      const { body } = await stage.tenant.bot.get('/chats').expect(200);
      expect(body.chats[0].visitor.isVerified).toBe(false);
    });

    it('a subdomain that names no one shows nothing of a person whom another subdomain names', async () => {
      const { page } = stage.site;
      const plain = page.attributes!;
      page.attributes = `${plain} data-identity="${await signIdentity(stage.tenant, { sub: 'zoe' })}"`;
      const visit = await stage.visit({}, on('www.acme'));
      await visit.open();
      await visit.say('My order');
      page.attributes = plain;
      await go(visit, 'help.acme');
      await visit.open();
      await hasNoChat(visit);
      await visit.say('Anonymous');
      await visit.sees('Anonymous');
    });

    it('a subdomain that was visited before a sign-out elsewhere does not bring the person back', async () => {
      const visit = await stage.visit({}, on('help.acme'));
      await visit.open();
      await visit.say('My order');
      await visit.composer.fill('my card is 4111');
      await go(visit, 'www.acme');
      await visit.open();
      await visit.sees('My order');
      await signOut(visit);
      await eventually(
        () => visit.context.cookies(),
        ([cookie]) => cookie?.value === '-',
      );
      await go(visit, 'help.acme');
      await visit.composer.waitFor();
      await hasNoChat(visit);
      await visit.say('Somebody else');
      expect(await chats()).toBe(3);
    });

    it('a page that says from the start that the visitor is signed out ends the session of all subdomains', async () => {
      const visit = await stage.visit({}, on('www.acme'));
      await visit.open();
      await visit.say('My order');
      stage.site.page.head = `<script>
        window.Parley = function () { (Parley.q = Parley.q || []).push(arguments); };
        Parley('identify', null);
      </script>`;
      await go(visit, 'help.acme');
      await eventually(
        () => visit.context.cookies(),
        ([cookie]) => cookie?.value === '-',
      );
      await visit.open();
      await hasNoChat(visit);
    });
  });

  it('a domain whose cookie the browser refuses leaves each subdomain its own session', async () => {
    await stage.tenant.admin.patch('/widget', { cookieDomain: 'acme.localhost' }).expect(200);
    const visit = await stage.visit({}, 'about:blank');
    const refusal = `Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} })`;
    await visit.context.addInitScript(refusal);
    await go(visit, 'www.acme');
    await visit.open();
    await visit.say('Hello');
    await visit.page.reload();
    await visit.sees('Hello');
    await go(visit, 'help.acme');
    await visit.open();
    await hasNoChat(visit);
  });

  it('a visitor who had a chat before the domain was set keeps it', async () => {
    const visit = await stage.visit({}, on('www.acme'));
    await visit.open();
    await visit.say('Hello');
    expect(await visit.context.cookies()).toEqual([]);
    await go(visit, 'help.acme');
    await visit.open();
    await hasNoChat(visit);
    await share();
    // The browser has the settings from before for five minutes.
    const session = await visit.context.newCDPSession(visit.page);
    await session.send('Network.clearBrowserCache');
    await go(visit, 'www.acme');
    await visit.sees('Hello');
    await go(visit, 'help.acme');
    await visit.sees('Hello');
  });
});
