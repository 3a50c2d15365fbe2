import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const BAR = (
  more = '',
) => `<div class="buy" style="position: fixed; inset: auto 0 0 0; height: 72px; background: #fff; ${more}">
  <button style="width: 100%; height: 100%">Buy now</button></div>`;

describe("the button's place on the page", () => {
  const stage = Stage.set();
  const add = (attributes: string, body: string) => {
    stage.site.page.attributes += ` ${attributes}`;
    stage.site.page.body = `<main><h1>A site</h1>${body}</main>`;
  };
  beforeEach(() => void (stage.site.page.paths = { '/next': {} } as never));
  const spaceBelow = async ({ launcher, page }: Visit) => {
    const { y, height } = (await launcher.boundingBox())!;
    return page.viewportSize()!.height - y - height;
  };
  const stands = (visit: Visit, space: number) =>
    eventually(
      () => spaceBelow(visit),
      (seen) => seen === space,
    );

  it.each(['right', 'left'])(
    'on a phone, the button moves above a bar that it should avoid, at the %s',
    async (position) => {
      add(`data-avoid=".buy" data-position="${position}"`, BAR());
      const visit = await stage.visit(PHONE);
      await stands(visit, 80);
      await visit.page.getByRole('button', { name: 'Buy now' }).tap();
      await visit.page.evaluate(`document.querySelector('.buy').style.display = 'none'`);
      await stands(visit, 20);
      await visit.page.evaluate(`document.querySelector('.buy').style.display = ''`);
      await stands(visit, 80);
      await visit.launcher.tap();
      await visit.composer.waitFor();
      expect(visit.complaints).toEqual([]);
    },
  );

  it('the button avoids elements that appear later or scroll there, and not those beside it', async () => {
    add('data-avoid=".buy, .late"', `${BAR('inset-inline-end: 50%;')}<div style="height: 3000px"></div>`);
    const visit = await stage.visit({ viewport: { width: 800, height: 600 } });
    await visit.launcher.waitFor();
    await visit.page.evaluate(`{
      const late = document.createElement('p');
      late.className = 'late';
      late.textContent = 'Late';
      late.style = 'position: absolute; top: 1000px; height: 40px; width: 100%; margin: 0';
      document.body.append(late);
    }`);
    await stands(visit, 20);
    // The element's lower edge is 30 pixels above the window's.
    await visit.page.evaluate('scrollTo(0, 470)');
    await stands(visit, 78);
    await visit.page.evaluate('scrollTo(0, 0)');
    await stands(visit, 20);
  });

  it('a selector that is none is named in the console, and the chat works', async () => {
    add('data-avoid="!"', '');
    const visit = await stage.visit({}, 'about:blank');
    const warned = visit.page.waitForEvent('console', (message) => message.text().includes('data-avoid'));
    await visit.page.goto(stage.site.url);
    await warned;
    await visit.open();
  });

  it('the visitor hides the button until the next page, and a page brings it back by opening the chat', async () => {
    add('data-hideable data-position="left"', '');
    stage.site.page.root = 'lang="de"';
    const visit = await stage.visit(PHONE);
    const hide = visit.page.getByRole('button', { name: 'Chat bis zur nächsten Seite ausblenden' });
    await hide.waitFor();
    expect(await findViolations(visit)).toEqual([]);
    await hide.press('Enter');
    await visit.launcher.waitFor({ state: 'hidden' });
    expect(await hide.isVisible()).toBe(false);
    await visit.page.evaluate(`Parley('open')`);
    await visit.composer.waitFor();
    await visit.page.keyboard.press('Escape');
    await visit.launcher.waitFor();
    await hide.tap();
    await visit.launcher.waitFor({ state: 'hidden' });
    await visit.page.goto(new URL('/next', stage.site.url).href);
    await visit.launcher.waitFor();
  });

  it('a hidden button takes the greeting and new messages with it', async () => {
    add('data-hideable data-open="true" data-greeting="Hello there"', '');
    const visit = await stage.visit(PHONE);
    const hide = visit.page.getByRole('button', { name: 'Hide the chat until the next page' });
    const greeting = visit.page.locator('parley-widget .hello');
    await greeting.waitFor();
    await hide.press('Enter');
    await greeting.waitFor({ state: 'hidden' });
    await visit.page.evaluate(`Parley('open')`);
    await visit.composer.waitFor();
    await visit.say('Hello');
    await visit.page.keyboard.press('Escape');
    await hide.press('Enter');
    await visit.launcher.waitFor({ state: 'hidden' });
    await stage.say('Hi');
    const news = visit.page.locator('parley-widget .news');
    await news.waitFor({ state: 'attached' });
    expect(await news.isVisible()).toBe(false);
  });
});
