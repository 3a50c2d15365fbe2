import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe("the widget's languages", () => {
  const stage = Stage.set();
  const attributes = (more: string) => `data-widget-key="${stage.tenant.widgetKey}" ${more}`;

  /** The word files that a page has loaded. */
  const watch = (visit: Visit): string[] => {
    const languages: string[] = [];
    visit.page.on('request', (request) => {
      const [, language] = /\/widget\/words\.(\w+)\./.exec(request.url()) ?? [];
      if (language) languages.push(language);
    });
    return languages;
  };

  it("the widget has the page's language, and loads no other", async () => {
    stage.site.page.root = 'lang="de-AT"';
    const visit = await stage.visit({ locale: 'fr-FR' }, 'about:blank');
    const languages = watch(visit);
    await visit.page.goto(stage.site.url);
    await visit.page.getByRole('button', { name: 'Chat öffnen' }).click();
    await visit.panel.getByText('Hallo! Wie können wir helfen?').waitFor();
    await visit.composer.fill('Hallo');
    await visit.button('Nachricht senden').click();
    await visit.panel.getByText(/Gesendet/).waitFor();
    await visit.page.keyboard.press('Escape');
    await stage.say('Guten Tag');
    await visit.page.getByRole('button', { name: 'Chat öffnen (1 ungelesen)' }).waitFor();
    expect(languages).toEqual(['de']);
  });

  it.each([
    ['the one that the script names', 'data-locale="pl"', 'lang="de"', 'Dzień dobry! Jak możemy pomóc?'],
    ["the browser's on a page that names none", '', '', 'Bonjour ! Comment pouvons-nous vous aider ?'],
    ['traditional Chinese in Taiwan', '', 'lang="zh-TW"', '您好！有什麼可以為您服務的嗎？'],
    ['traditional Chinese in Hong Kong', 'data-locale="zh-Hant-HK"', '', '您好！有什麼可以為您服務的嗎？'],
    ['simplified Chinese in Singapore', 'data-locale="zh-SG"', '', '您好！有什么可以帮您？'],
    ['English in a language that it does not speak', 'data-locale="fi"', 'lang="fi"', 'Hi there! How can we help?'],
  ])("the widget's language is %s", async (_, more, root, greeting) => {
    stage.site.page.attributes = attributes(more);
    stage.site.page.root = root;
    const visit = await stage.visit({ locale: 'fr-FR' });
    await visit.launcher.click();
    await visit.panel.getByText(greeting).waitFor();
  });

  it("the language changes while the chat is open, except for the site's own texts", async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.page.evaluate(`Parley('set', { locale: 'nl', strings: { write: 'Type away' } })`);
    await visit.panel.getByText('Hallo! Hoe kunnen we helpen?').waitFor();
    expect(await visit.composer.getAttribute('placeholder')).toBe('Type away');
    await visit.page.getByRole('button', { name: 'Chat sluiten' }).first().waitFor();
  });

  it("the widget is English when its words can't be loaded, and closed when none can", async () => {
    stage.site.page.root = 'lang="it"';
    const visit = await stage.visit({}, 'about:blank');
    await visit.page.route(/words\.it\./, (route) => route.abort());
    await visit.page.goto(stage.site.url);
    await visit.launcher.click();
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    const other = await stage.visit({}, 'about:blank');
    await other.page.route(/words\./, (route) => route.abort());
    await other.page.goto(stage.site.url);
    await other.launcher.click();
    await other.page.getByRole('button', { name: "Chat couldn't load. Try again" }).waitFor();
    await other.page.unroute(/words\./);
    await other.launcher.click();
    await other.panel.getByText('Ciao! Come possiamo aiutarti?').waitFor();
  });

  it.each('ar de en es fr it ja nl pl pt tr zh zh-Hant'.split(' '))(
    'the whole place in the queue is visible in %s, on the smallest phone',
    async (language) => {
      stage.site.page.attributes = attributes(`data-locale="${language}"`);
      const visit = await stage.visit({ viewport: { width: 320, height: 568 } });
      await visit.page.route(/api\/visitor\/chats$/, async (route) => {
        const response = await route.fetch();
        const opened = (await response.json()) as { chat?: object };
        if (opened.chat)
          Object.assign(opened.chat, {
            queue: { position: 12, estimatedWaitSeconds: 900, isOpen: true, nextOpening: null },
          });
        await route.fulfill({ response, json: opened });
      });
      // The answer of REST counts, not what a socket says.
      stage.road.refusesSockets = true;
      await visit.page.route(/\/socket\.io\//, (route) => route.abort());
      await visit.launcher.click();
      await visit.composer.fill('Hello');
      await visit.composer.press('Enter');
      await visit.panel.locator('.row.mine:not(.queued, .sending)').waitFor();
      await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId() }).expect(200);
      const status = visit.panel.locator('.status').getByText(/12.*15/);
      await status.waitFor();
      const isWhole = await visit.panel
        .locator('.status')
        .evaluate((box) => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth);
      await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(isWhole).toBe(true);
    },
  );

  it.each([
    ['en-GB', /^\d{1,2}:\d\d$/],
    ['en-US', /^\d{1,2}:\d\d\s[AP]M$/],
    ['zh-TW', /^(凌晨|清晨|早上|上午|中午|下午|晚上)\d{1,2}:\d\d$/],
  ])('times follow the region of a browser in %s', async (locale, time) => {
    stage.site.page.root = `lang="${locale.startsWith('en') ? 'en' : locale}"`;
    const visit = await stage.visit({ locale });
    await visit.open();
    await visit.say('Hello');
    await visit.panel.locator('.receipt time').getByText(time).waitFor();
  });

  it.each([
    ['a desktop', {}],
    ['a phone', PHONE],
  ])('right-to-left languages are written right to left, on %s', async (_, options) => {
    stage.site.page = { attributes: attributes('data-locale="ar"'), body: '<main><h1>A site</h1></main>' };
    const visit = await stage.visit(options);
    await visit.launcher.click();
    await visit.composer.waitFor();
    expect(await visit.page.locator('parley-widget .frame').getAttribute('dir')).toBe('rtl');
    expect(await findViolations(visit)).toEqual([]);
  });
});
