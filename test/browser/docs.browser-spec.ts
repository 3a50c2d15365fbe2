import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Parley } from '../support/parley.js';
import { findViolations } from './support/axe.js';
import { launchBrowser } from './support/browser.js';
import { LOOKS } from './support/looks.js';
import { Visit } from './support/visit.js';

describe('the documentation in a browser', () => {
  let browser: Browser;
  let parley: Parley;

  beforeAll(async () => {
    [browser, parley] = await Promise.all([launchBrowser(), Parley.start()]);
  });
  afterAll(async () => {
    await browser.close();
    await parley.stop();
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    it(`the pages of the documentation are accessible and complete on ${look}`, async () => {
      const visit = await Visit.to(browser, `${parley.url}/docs/`, options);
      const { page, complaints } = visit;
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      for (const path of ['', 'bots/sdk', 'reference/environment']) {
        await page.goto(`${parley.url}/docs/${path}`);
        await page.locator('.vp-doc h1').waitFor();
        expect([path, await findViolations(visit)]).toEqual([path, []]);
        const width = page.viewportSize()!.width;
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      expect(requests.filter((url) => !url.startsWith(`${parley.url}/`) && !url.startsWith('data:'))).toEqual([]);
      expect(complaints).toEqual([]);
      await visit.close();
    });
  }

  it('the search of the documentation finds a page by a word in its text, and opens it', async () => {
    const visit = await Visit.to(browser, `${parley.url}/docs/`);
    const { page } = visit;
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('searchbox').fill('Idempotency-Key');
    await page.locator('.VPLocalSearchBox .result').filter({ hasText: 'Retry safely' }).first().click();
    await page.waitForURL('**/docs/bots/http#retry-safely');
    await page.locator('#retry-safely').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('a link of the sidebar opens its page, and the theme that a reader chooses stays', async () => {
    const visit = await Visit.to(browser, `${parley.url}/docs/bots/sdk`, { colorScheme: 'light' });
    const { page } = visit;
    await page.locator('.VPSidebar').getByRole('link', { name: 'Receive webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Receive webhooks' }).waitFor();
    await page.getByRole('switch', { name: /dark/i }).first().click();
    await page.locator('html.dark').waitFor();
    await page.goto(`${parley.url}/docs/api/bot/`);
    await page.locator('html.dark').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('a page that does not exist offers the way to the first page', async () => {
    const visit = await Visit.to(browser, `${parley.url}/docs/nowhere`);
    await visit.page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await visit.page.getByRole('link', { name: 'Go to the first page' }).click();
    await visit.page.waitForURL('**/docs/');
    await visit.close();
  });
});
