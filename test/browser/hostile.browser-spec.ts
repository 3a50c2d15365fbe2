import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { Parley, type Tenant } from '../support/parley.js';
import { launchBrowser } from './support/browser.js';
import { Site } from './support/site.js';
import { Visit } from './support/visit.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STRICT =
  "default-src 'none'; script-src {service}; connect-src {service} ws://127.0.0.1:*; img-src http: https:; " +
  "require-trusted-types-for 'script'";

describe('on a page that does it no favours', () => {
  let browser: Browser;
  let parley: Parley;
  let tenant: Tenant;
  let site: Site;
  let visit: Visit;

  beforeAll(async () => {
    [browser, parley] = await Promise.all([launchBrowser(), Parley.start()]);
  });
  afterAll(async () => {
    await browser.close();
    await parley.stop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    site = await Site.start(parley.url, { attributes: `data-widget-key="${tenant.widgetKey}"` });
  });
  afterEach(async () => {
    await visit.close();
    site.stop();
  });

  const say = async (content: string, more: object = {}) => {
    const { chats } = (await tenant.bot.get('/chats').expect(200)).body;
    await tenant.bot.post('/messages', { chatId: chats[0].id, content, ...more }).expect(200);
  };
  const findViolations = async () => {
    await visit.page.evaluate(AXE);
    const run = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))';
    return visit.page.evaluate(run);
  };

  it('works under a strict Content-Security-Policy, and complains of nothing', async () => {
    site.page.policy = STRICT;
    visit = await Visit.to(browser, site.url);
    await visit.open();
    await visit.say('Hello');
    await say('Hi');
    await visit.sees('Hello', 'Hi');
    expect(visit.complaints).toEqual([]);
  });

  it('keeps its looks under a style sheet that unsets everything', async () => {
    site.page.head = '<style>* { all: unset !important; }</style>';
    visit = await Visit.to(browser, site.url);
    await visit.open();
    const { width, height, x, y } = (await visit.panel.boundingBox())!;
    const { width: pageWidth, height: pageHeight } = visit.page.viewportSize()!;
    expect([width > 300, height > 400, x > pageWidth / 2, y + height < pageHeight]).toEqual([true, true, true, true]);
    await visit.say('Hello');
    await visit.sees('Hello');
  });

  it('takes nothing that is said for markup, and lets nothing out of its place', async () => {
    visit = await Visit.to(browser, site.url);
    await visit.open();
    const texts = [
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
      'javascript:alert(1) data:text/html,x https://example.com/a?b=c.',
      'x'.repeat(5000),
      '\u202ereversed',
    ];
    for (const text of texts) await say(text);
    const options = Array.from({ length: 200 }, (_, place) => ({ label: `Choice ${place}`, value: `${place}` }));
    await say('Many', { type: 'QUICK_REPLY', metadata: { options } });
    await visit.sees(...texts, 'Many');
    const links = await visit.panel
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['https://example.com/a?b=c']);
    expect(await visit.page.evaluate('window.hacked')).toBeUndefined();
    const view = visit.panel.getByRole('region', { name: 'Messages' });
    expect(await view.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await visit.button('Choice 199').click();
    await visit.sees(...texts, 'Many', 'Choice 199');
    expect(visit.complaints).toEqual([]);
  });

  for (const [name, options] of [
    ['on a desktop', {}],
    ['in the dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ] as const) {
    it(`has nothing that axe finds, ${name}`, async () => {
      site.page.body = '<main><h1>A site</h1></main>';
      visit = await Visit.to(browser, site.url, options);
      await visit.launcher.waitFor();
      expect(await findViolations()).toEqual([]);
      await visit.open();
      expect(await findViolations()).toEqual([]);
      await visit.say('Hello');
      await say('Menu', { type: 'BUTTON', metadata: { options: [{ label: 'A', value: 'a' }] } });
      await say('Well?', { type: 'QUICK_REPLY', metadata: { options: [{ label: 'B', value: 'b' }] } });
      await visit.sees('Hello', 'Menu', 'Well?');
      expect(await findViolations()).toEqual([]);
    });
  }

  it('can be used by the keyboard alone', async () => {
    visit = await Visit.to(browser, site.url);
    await visit.launcher.waitFor();
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    await visit.online();
    await visit.page.keyboard.type('Hello');
    await visit.page.keyboard.press('Enter');
    await visit.sees('Hello');
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
    expect(await visit.launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  });
});
