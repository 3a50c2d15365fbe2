import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const DAY = 24 * 60 * 60 * 1_000;
const TALL = '<main><h1>A site</h1><div style="height: 4000px"></div></main>';

describe('proactive messages', () => {
  const stage = Stage.set();
  beforeEach(() => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    stage.site.page.paths = { '/shop/shoes': {}, '/shop/cart': {}, '/blog': {} } as never;
  });
  const choose = (...proactiveMessages: object[]) =>
    stage.tenant.admin.patch('/widget', { proactiveMessages }).expect(200);
  const bubble = ({ page }: Visit): Locator => page.locator('parley-widget .hello .words');
  const at = (path: string) => new URL(path, stage.site.url).href;
  const says = (visit: Visit, text: string) =>
    bubble(visit)
      .and(visit.page.getByText(text, { exact: true }))
      .waitFor();
  const memory = async ({ page }: Visit) =>
    JSON.parse(await page.evaluate<string>(`localStorage['parley:${stage.tenant.widgetKey}:proactive'] ?? '{}'`)) as {
      seen?: string[];
      pages?: number;
      isReturning?: boolean;
    };
  /** Goes to a page whose clock stands still, and waits until the widget checks the rules there. */
  const arrive = async ({ page }: Visit, go: () => Promise<unknown>) => {
    let isLoaded = false;
    page.on('response', (response) => (isLoaded ||= /proactive\./.test(response.url())));
    await go();
    await eventually(
      async () => (await page.clock.runFor(200), isLoaded),
      (seen) => seen,
    );
  };
  /** Comes after the others, and always fits. */
  const ELSE = { id: 'else', text: 'Something else' };

  it('the first message whose rules hold opens the chat as its greeting, and the chat says which it was', async () => {
    await choose(
      { id: 'blog', text: 'Nice article?', paths: ['/blog'] },
      { id: 'not-shop', text: 'Elsewhere', excludedPaths: ['/shop/'] },
      { id: 'shop', text: 'Need a size?', paths: ['/shop/'] },
      ELSE,
    );
    const visit = await stage.visit({}, 'about:blank');
    await visit.page.addInitScript(`
      window.facts = [];
      window.Parley = function () { (Parley.q ??= []).push(arguments); };
      for (const fact of ['proactive.shown', 'proactive.opened']) Parley('on', fact, ({ id }) => facts.push(fact + ' ' + id));
    `);
    await visit.page.goto(at('/shop/shoes'));
    await says(visit, 'Need a size?');
    expect(await findViolations(visit)).toEqual([]);
    await bubble(visit).click();
    await visit.panel.getByText('Need a size?').waitFor();
    await bubble(visit).waitFor({ state: 'detached' });
    await visit.online();
    await visit.say('Yes, 42');
    const { metadata } = (await stage.tenant.bot.get(`/chats/${await stage.chatId()}`).expect(200)).body;
    expect(metadata).toEqual({ proactiveMessage: 'shop' });
    const [first] = (await stage.stored()) as { metadata?: unknown }[];
    expect(first!.metadata).toEqual({});
    expect(await visit.page.evaluate('facts')).toEqual(['proactive.shown shop', 'proactive.opened shop']);
    expect(visit.complaints).toEqual([]);
  });

  it('each message is shown once in a browser, and after one was dismissed, none in this visit', async () => {
    await choose({ id: 'one', text: 'First' }, { id: 'two', text: 'Second' }, { id: 'three', text: 'Third' });
    const visit = await stage.visit();
    await says(visit, 'First');
    await visit.page.reload();
    await says(visit, 'Second');
    expect((await memory(visit)).seen).toEqual(['one', 'two']);
    await visit.page.getByRole('button', { name: 'Dismiss' }).click();
    await bubble(visit).waitFor({ state: 'detached' });
    await visit.page.clock.install();
    await arrive(visit, () => visit.page.reload());
    await visit.page.clock.runFor(5_000);
    expect(await bubble(visit).count()).toBe(0);
    const tab = await visit.newTab(stage.site.url);
    await says(tab, 'Third');
  });

  it('a message waits for its time and for the scrolled part of the page', async () => {
    stage.site.page.body = TALL;
    await choose({ id: 'read', text: 'Questions?', afterSeconds: 30, afterScrollPercent: 50 });
    const visit = await stage.visit({}, 'about:blank');
    await visit.page.clock.install();
    await arrive(visit, () => visit.page.goto(stage.site.url));
    await visit.page.clock.runFor(60_000);
    expect(await bubble(visit).count()).toBe(0);
    await visit.page.evaluate('scrollTo(0, 2500)');
    await visit.page.clock.runFor(1_000);
    await says(visit, 'Questions?');
  });

  it('a page that changes its address by itself has the message of the new address, and not the one before', async () => {
    await choose(
      { id: 'shop', text: 'In the shop', paths: ['/shop'] },
      { id: 'blog', text: 'In the blog', paths: ['/blog'] },
    );
    const visit = await stage.visit({}, at('/shop/shoes'));
    await says(visit, 'In the shop');
    await visit.page.evaluate(`history.pushState(null, '', '/shop/cart')`);
    await visit.page.evaluate(`history.pushState(null, '', '/blog')`);
    await says(visit, 'In the blog');
    await visit.page.evaluate(`history.pushState(null, '', '/')`);
    await bubble(visit).waitFor({ state: 'detached' });
  });

  it('pages of a visit and earlier visits count, only in the browser and only if a rule needs them', async () => {
    await choose(
      { id: 'back', text: 'Welcome back', visitor: 'returning' },
      { id: 'third', text: 'Third page', minPages: 3 },
      { ...ELSE, visitor: 'new' },
    );
    const visit = await stage.visit();
    await says(visit, 'Something else');
    await visit.page.goto(at('/blog'));
    await eventually(
      () => memory(visit),
      ({ pages }) => pages === 2,
    );
    await visit.page.goto(at('/shop/cart'));
    await says(visit, 'Third page');
    await visit.page.clock.install({ time: Date.now() + DAY });
    await arrive(visit, () => visit.page.goto(at('/blog')));
    await visit.page.clock.runFor(2_000);
    await says(visit, 'Welcome back');
    expect(await memory(visit)).toMatchObject({ pages: 1, isReturning: true });
    await choose({ id: 'plain', text: 'Hello' });
    const other = await stage.visit();
    await says(other, 'Hello');
    expect(await memory(other)).toEqual({ seen: ['plain'] });
  });

  it('a browser that keeps nothing has no message with a rule that counts', async () => {
    await choose({ id: 'new', text: 'Welcome', visitor: 'new' }, { id: 'page', text: 'First page', minPages: 1 }, ELSE);
    const visit = await stage.visit({}, 'about:blank');
    await visit.page.addInitScript(`
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
    `);
    await visit.page.goto(stage.site.url);
    await says(visit, 'Something else');
    await visit.page.getByRole('button', { name: 'Dismiss' }).click();
    await bubble(visit).waitFor({ state: 'detached' });
  });

  it('no message is beside an open panel or for a visitor who has a chat', async () => {
    await choose({ id: 'help', text: 'Can we help?' }, { id: 'new', text: 'Anything else?' });
    const visit = await stage.visit();
    await says(visit, 'Can we help?');
    await visit.open();
    await visit.panel.getByText('Can we help?').waitFor();
    await visit.say('Hello');
    await visit.page.clock.install();
    await arrive(visit, () => visit.page.goto(at('/blog')));
    await visit.page.clock.runFor(5_000);
    await visit.button('Close chat').click();
    await visit.page.clock.runFor(5_000);
    expect(await bubble(visit).count()).toBe(0);
  });

  it('the message is in the language of the page, on a phone, from right to left, and in the dark', async () => {
    const translations = {
      de: { proactiveMessages: { help: 'Können wir helfen?' } },
      ar: { proactiveMessages: { help: 'هل نستطيع المساعدة؟' } },
    };
    await stage.tenant.admin.patch('/widget', { translations }).expect(200);
    await choose({ id: 'help', text: 'Can we help?' });
    stage.site.page.root = 'lang="de"';
    const german = await stage.visit({ ...PHONE, colorScheme: 'dark' });
    await says(german, 'Können wir helfen?');
    expect(await findViolations(german)).toEqual([]);
    stage.site.page.root = 'lang="ar" dir="rtl"';
    const arabic = await stage.visit({ viewport: { width: 320, height: 568 } });
    await says(arabic, 'هل نستطيع المساعدة؟');
    await arabic.page.evaluate(`Parley('set', { locale: 'de' })`);
    await says(arabic, 'Können wir helfen?');
  });

  it('no message appears, or counts as shown, beside a button that the visitor has hidden', async () => {
    await choose({ ...ELSE, afterSeconds: 5 });
    stage.site.page.attributes += ' data-hideable';
    const visit = await stage.visit({}, 'about:blank');
    await visit.page.clock.install();
    await arrive(visit, () => visit.page.goto(at('/blog')));
    await visit.page.getByRole('button', { name: 'Hide the chat until the next page' }).click();
    await visit.page.clock.runFor(6_000);
    expect((await memory(visit)).seen ?? []).toEqual([]);
    await visit.page.goto(at('/shop/shoes'));
    await visit.launcher.waitFor();
    await eventually(
      async () => (await visit.page.clock.runFor(6_000), (await memory(visit)).seen),
      (seen) => seen?.[0] === 'else',
    );
  });
});
