import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';

const WATCH = `
  window.seen = { shift: 0, blocking: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.seen.blocking += duration - 50;
  }).observe({ type: 'longtask', buffered: true });`;

describe("the widget's cost before it's opened", () => {
  const stage = Stage.set();

  it('the widget is one script of at most 5.2 kB, and shifts no layout', async () => {
    const { site, road } = stage;
    const visit = await stage.visit({}, 'about:blank');
    const asked: string[] = [];
    visit.page.on('request', (request) => {
      if (request.url().startsWith(road.url)) asked.push(new URL(request.url()).pathname);
    });
    await visit.page.addInitScript(WATCH);
    await visit.page.goto(site.url);
    await visit.launcher.waitFor();
    // The page may be idle late.
    await eventually(
      () => asked.length,
      (count) => count >= 3,
    );
    await visit.page.waitForLoadState('networkidle');
    const took = await visit.page.evaluate(
      'performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/widget.js")).duration',
    );
    const { shift, blocking } = await visit.page.evaluate<{ shift: number; blocking: number }>('window.seen');
    console.log(`widget.js took ${String(took)} ms; layout shift ${shift}; blocking ${blocking} ms`);
    // When the page is idle, the organization's settings follow, with the words of one language.
    const words = expect.stringMatching(/^\/widget\/words\.en\.[\w-]{8}\.js$/);
    expect(asked).toEqual(['/widget.js', words, '/api/visitor/widget']);
    expect(shift).toBe(0);
    const response = await fetch(`${road.url}/widget.js`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(Number(response.headers.get('content-length'))).toBeLessThanOrEqual(5200);
    const etag = response.headers.get('etag')!;
    const again = await fetch(`${road.url}/widget.js`, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('pointing at the button loads the panel, and sends no word about the visitor', async () => {
    const { page, launcher, panel } = await stage.visit({}, 'about:blank');
    const read = page.waitForResponse(/api\/visitor\/widget/);
    await page.goto(stage.site.url);
    await (await read).finished();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await launcher.hover();
    await page.locator('.panel').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    expect(await panel.isVisible()).toBe(false);
    expect(asked).toEqual([expect.stringMatching(/^\/widget\/panel\.[\w-]{8}\.js$/)]);
    await launcher.click();
    await panel.waitFor();
  });
});
