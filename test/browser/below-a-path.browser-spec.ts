import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { upload } from '../files/support/files.js';
import { INSTALLED_PROXIES, type InstalledProxy } from '../support/installed-proxies.js';
import { Parley, type Tenant } from '../support/parley.js';
import { type PathHandling, PathProxy } from '../support/path-proxy.js';
import { freePort } from '../support/ports.mjs';
import { launchBrowser } from './support/browser.js';
import { Desk, makeAgent } from './support/desk.js';
import { Site } from './support/site.js';
import { Visit } from './support/visit.js';

type Start = (parley: string, handling: PathHandling, port: string) => Promise<InstalledProxy>;

const startOwn: Start = (parley, handling, port) => PathProxy.start({ '/chat': parley }, handling, Number(port));
const PROXIES: [string, Start][] = [['a proxy', startOwn], ...INSTALLED_PROXIES];
const HANDLINGS: PathHandling[] = ['keeps', 'removes'];
const CASES = PROXIES.flatMap(([name, start]) => HANDLINGS.map((handling) => ({ name, handling, start })));

describe.each(CASES)('below a path that $name $handling', ({ start, handling }) => {
  let browser: Browser;
  let parley: Parley;
  let proxy: InstalledProxy;
  let tenant: Tenant;
  let service: string;
  const visits: Visit[] = [];
  const strays: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    service = `http://127.0.0.1:${port}/chat`;
    [browser, parley] = await Promise.all([launchBrowser(), Parley.start({ PUBLIC_URL: service })]);
    proxy = await start(parley.url, handling, port);
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await browser.close();
    await proxy.stop();
    await parley.stop();
  });
  afterEach(async () => {
    const complaints = visits.flatMap((visit) => visit.complaints);
    for (const visit of visits.splice(0)) await visit.close();
    expect(complaints).toEqual([]);
    expect(strays.splice(0)).toEqual([]);
  });

  /** Collects what a page asks of the host outside of the path. */
  const watch = (page: Page) => {
    const note = (url: string) => {
      const { host, pathname } = new URL(url);
      if (host === new URL(service).host && !pathname.startsWith('/chat/')) strays.push(url);
    };
    page.on('request', (request) => note(request.url()));
    page.on('websocket', (socket) => note(socket.url()));
  };
  const open = async (url: string) => {
    const visit = await Visit.to(browser, 'about:blank');
    visits.push(visit);
    watch(visit.page);
    await visit.page.goto(url);
    return visit;
  };
  const enter = async () => {
    const agent = await makeAgent({ tenant }, { role: 'ADMIN' });
    const visit = await open(`${service}/console/link#${await parley.mintLink(tenant, agent.id)}`);
    return Desk.enter(visit, agent);
  };
  const latestChat = async () => (await tenant.bot.get('/chats').expect(200)).body.chats[0].id as string;

  it('a file of 3 MB passes the proxy', async () => {
    const bytes = Buffer.alloc(3_000_000, 'a');
    expect(await upload(tenant.bot, tenant.chatId, 'a.txt', bytes)).toMatchObject({ size: bytes.length });
  });

  it('a visitor on another site and an agent write to each other, and do so after a reload too', async () => {
    const site = await Site.start(service, { attributes: `data-widget-key="${tenant.widgetKey}"` });
    const visitor = await open(site.url);
    await visitor.open();
    await visitor.say('Hello below');
    await visitor.panel.locator('header.online').waitFor();
    const chatId = await latestChat();
    await tenant.bot.post('/transfer', { chatId }).expect(200);

    const desk = await enter();
    await desk.goTo(chatId);
    await desk.button('Take chat').first().click();
    await desk.say('Hello from above');
    await visitor.sees('Hello below', 'Hello from above');
    for (const page of [desk.page, visitor.page]) await page.reload();
    await desk.sees('Hello from above');
    await desk.say('Still here');
    await visitor.open();
    await visitor.say('So am I');
    await desk.sees('So am I');
    expect(desk.page.url()).toMatch(new RegExp(`^${service}/console/mine/${chatId}$`));
    site.stop();
  });

  it('the administration opens, with the code to embed, the test chat, and the preview of the widget', async () => {
    const { page } = await enter();
    await page.goto(`${service}/console/admin/widget`);
    const snippet = page.locator('.copy-field input, .copy-field textarea').first();
    expect(await snippet.inputValue()).toContain(`src="${service}/widget.js"`);
    await page.frameLocator('iframe >> nth=0').locator('parley-widget .launcher').waitFor();
    const test = await page.getByRole('link', { name: 'test chat' }).first().getAttribute('href');
    const visitor = await open(new URL(test!, page.url()).href);
    await visitor.composer.waitFor();
    await visitor.say('A test');
  });

  it('the documentation has its styles, opens its pages, and searches', async () => {
    const { page } = await open(`${service}/docs`);
    await page.waitForURL(`${service}/docs/`);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.VPNav')).position`)).not.toBe('static');
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('searchbox').fill('Idempotency-Key');
    await page.locator('.VPLocalSearchBox .result').filter({ hasText: 'Retry safely' }).first().click();
    await page.waitForURL(`${service}/docs/bots/http#retry-safely`);
    await page.locator('#retry-safely').waitFor();
    await page.locator('.VPSidebar').getByRole('link', { name: 'Receive webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Receive webhooks' }).waitFor();
    await page.goto(`${service}/api/bot/docs`);
    await page.waitForURL(`${service}/docs/api/bot/`);
    await page.getByRole('heading', { level: 1, name: 'Parley bot API' }).waitFor();
  });

  // The other proxy is ours.
  if (start !== startOwn)
    it('the proxy refuses the private addresses, with the path once and twice', async () => {
      for (const path of ['/metrics', '/METRICS/', '//metrics'])
        for (const address of [service + path, `${service}/chat${path}`])
          expect([address, (await fetch(address)).status]).toEqual([address, 404]);
    });
});

describe('two Parleys below paths of one host', () => {
  let browser: Browser;
  let proxy: PathProxy;
  const parleys: Parley[] = [];
  const PATHS = ['/a', '/a/b'];

  beforeAll(async () => {
    const port = await freePort();
    browser = await launchBrowser();
    for (const path of PATHS) parleys.push(await Parley.start({ PUBLIC_URL: `http://127.0.0.1:${port}${path}` }));
    // The longer path first.
    proxy = await PathProxy.start({ '/a/b': parleys[1]!.url, '/a': parleys[0]!.url }, 'removes', Number(port));
  });
  afterAll(async () => {
    await browser.close();
    await proxy.stop();
    for (const parley of parleys) await parley.stop();
  });

  it('an agent stays signed in to both, and each console has its own storage', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const pages: Page[] = [];
    for (const [at, parley] of parleys.entries()) {
      const tenant = await parley.createTenant();
      const { id } = await makeAgent({ tenant }, { name: `Ada ${at}` });
      const page = await context.newPage();
      await page.goto(`${proxy.url}${PATHS[at]}/console/link#${await parley.mintLink(tenant, id)}`);
      await page.getByRole('button', { name: 'Skip for now' }).click();
      await page.locator('.desk').waitFor();
      pages.push(page);
    }
    for (const page of pages) {
      await page.reload();
      await page.locator('.desk').waitFor();
    }
    const cookies = await context.cookies([`${proxy.url}/a/b/console`]);
    expect(Object.fromEntries(cookies.map(({ name, path }) => [name, path]))).toEqual({
      'parley+a': '/a/',
      'parley+a+b': '/a/b/',
    });
    const [outer, inner] = pages as [Page, Page];
    await outer.getByRole('button', { name: 'Account' }).click();
    await outer.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await outer.locator('html[lang=de]').waitFor();
    expect(await outer.evaluate(`Object.keys(localStorage).filter((key) => key.endsWith('language'))`)).toEqual([
      'parley/a:console:language',
    ]);
    await outer.reload();
    await outer.getByRole('button', { name: 'Konto' }).click();
    await outer.getByRole('menuitem', { name: 'Abmelden' }).click();
    await outer.getByLabel('E-Mail').waitFor();
    await inner.reload();
    await inner.locator('html[lang=en] .desk').waitFor();
    await context.close();
  });
});
