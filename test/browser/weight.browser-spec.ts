import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Parley } from '../support/parley.js';
import { launchBrowser } from './support/browser.js';
import { Site } from './support/site.js';
import { Visit } from './support/visit.js';

const WATCH = `
  window.seen = { shift: 0, blocking: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.seen.blocking += duration - 50;
  }).observe({ type: 'longtask', buffered: true });`;

describe('what the widget costs a page before it is opened', () => {
  let browser: Browser;
  let parley: Parley;

  beforeAll(async () => {
    [browser, parley] = await Promise.all([launchBrowser(), Parley.start()]);
  });
  afterAll(async () => {
    await browser.close();
    await parley.stop();
  });

  it('is one script of at most 4 kB, and no shift of the layout', async () => {
    const { widgetKey } = await parley.createTenant();
    const site = await Site.start(parley.url, { attributes: `data-widget-key="${widgetKey}"` });
    const visit = await Visit.to(browser, 'about:blank');
    const asked: string[] = [];
    visit.page.on('request', (request) => {
      if (request.url().startsWith(parley.url)) asked.push(new URL(request.url()).pathname);
    });
    await visit.page.addInitScript(WATCH);
    await visit.page.goto(site.url);
    await visit.launcher.waitFor();
    await visit.page.waitForLoadState('networkidle');
    const took = await visit.page.evaluate(
      'performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/widget.js")).duration',
    );
    const { shift, blocking } = await visit.page.evaluate<{ shift: number; blocking: number }>('window.seen');
    console.log(`widget.js took ${String(took)} ms; layout shift ${shift}; blocking ${blocking} ms`);
    expect(asked).toEqual(['/widget.js']);
    expect(shift).toBe(0);
    const response = await fetch(`${parley.url}/widget.js`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(Number(response.headers.get('content-length'))).toBeLessThanOrEqual(4096);
    const etag = response.headers.get('etag')!;
    const again = await fetch(`${parley.url}/widget.js`, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await visit.close();
    site.stop();
  });
});
