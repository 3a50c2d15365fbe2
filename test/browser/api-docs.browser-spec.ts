import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Parley, type Tenant } from '../support/parley.js';
import { launchBrowser } from './support/browser.js';
import { Site } from './support/site.js';
import { Visit } from './support/visit.js';

describe('the API reference', () => {
  let browser: Browser;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    [browser, parley] = await Promise.all([launchBrowser(), Parley.start()]);
    tenant = await parley.createTenant();
  });
  afterAll(async () => {
    await browser.close();
    await parley.stop();
  });

  it('the API reference shows the operations and tries one, within its policy', async () => {
    const visit = await Visit.to(browser, `${parley.url}/api/bot/docs`, {});
    const { page } = visit;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.waitForURL('**/docs/api/bot/');
    await page.getByRole('heading', { level: 1, name: 'Parley bot API' }).waitFor();
    expect(tenant.token).toBeTruthy();
    expect(requests.filter((url) => !url.startsWith(`${parley.url}/`))).toEqual([]);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it("the API reference can't be framed by another site", async () => {
    const site = await Site.start(parley.url, { body: `<iframe src="${parley.url}/docs/api/bot/"></iframe>` });
    const visit = await Visit.to(browser, site.url, {});
    const { page } = visit;
    await expect(page.frameLocator('iframe').locator('#app').waitFor({ timeout: 3_000 })).rejects.toThrow();
    expect(visit.complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/i);
    await visit.close();
    site.stop();
  });
});
