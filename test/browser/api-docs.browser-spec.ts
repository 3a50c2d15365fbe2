import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Parley, type Tenant } from '../support/parley.js';
import { launchBrowser } from './support/browser.js';
import { Site } from './support/site.js';
import { Visit } from './support/visit.js';

describe('the page of the bot API', () => {
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

  it('the page of the bot API shows the operations and tries one, within its policy', async () => {
    const visit = await Visit.to(browser, `${parley.url}/docs`, {});
    const { page } = visit;
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill(tenant.token);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    await page.locator('.opblock-summary-control').filter({ hasText: 'List the agent groups' }).click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"General"').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it("the page of the bot API can't be framed by another site", async () => {
    const site = await Site.start(parley.url, { body: `<iframe src="${parley.url}/docs"></iframe>` });
    const visit = await Visit.to(browser, site.url, {});
    const { page } = visit;
    await expect(page.frameLocator('iframe').locator('#swagger-ui').waitFor({ timeout: 3_000 })).rejects.toThrow();
    expect(visit.complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/i);
    await visit.close();
    site.stop();
  });
});
