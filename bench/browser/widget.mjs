import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium } from '../setup/chromium.mjs';
import { limit } from '../figures/limits.mjs';
import { startParley } from '../setup/parley.mjs';

/** The slowdown of the processor. */
const SLOWDOWN = 4;
/** Milliseconds between the pointer reaching the button and the click. */
const POINTING = 200;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const WAYS = {
  'a click with the mouse': { options: {}, click: clickWithMouse },
  'a tap': { options: PHONE, click: tap },
  'a click out of nowhere': { options: {}, click: clickByScript },
};

/** The widget on a customer's page, in a real browser on a slow processor. */
export async function measureWidget(bench) {
  const browser = await launchChromium();
  const parley = await startParley(bench, 'widget');
  const [{ widgetKey }] = bench.tenants;
  const site = await startSite(`<script async src="${parley.url}/widget.js" data-widget-key="${widgetKey}"></script>`);
  const ways = Object.values(WAYS).map((way) => ({ ...way, opened: [], tasks: [] }));
  for (let time = 0; time < bench.widget.opens; time++) {
    for (const way of ways) {
      const { opened, task } = await open(browser, site.url, way);
      way.opened.push(opened);
      way.tasks.push(task);
    }
  }
  site.server.close();
  site.server.closeAllConnections();
  await browser.close();
  await parley.stop();
  return Object.keys(WAYS).flatMap((name, index) => [
    limit({ measure: `from ${name} to the open chat`, unit: 'ms', values: ways[index].opened, below: 300 }),
    limit({ measure: `longest task, with ${name}`, unit: 'ms', values: ways[index].tasks, atMost: 100 }),
  ]);
}

async function startSite(head) {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>A site</title>${head}<h1>A site</h1></html>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

/** Times a first visit until the visitor can type, and finds the page's longest task until then, in milliseconds. */
async function open(browser, url, { options, click }) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('parley-widget .launcher').waitFor();
  await click(page);
  await page.waitForFunction(() => window.usableAt);
  // The browser reports a task after it has ended.
  await sleep(100);
  const seen = await page.evaluate(() => ({
    opened: window.usableAt - window.clickedAt,
    task: Math.max(0, ...window.tasks),
  }));
  await context.close();
  return seen;
}

/** Runs in the page. The chat is usable in the frame after its text field is enabled. */
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  });
  const look = () => {
    const { shadowRoot } = document.querySelector('parley-widget');
    const field = shadowRoot.querySelector('[role=dialog] textarea');
    if (!field?.checkVisibility() || field.disabled) return requestAnimationFrame(look);
    setTimeout(() => (window.usableAt = performance.now()));
  };
  const begin = (event) => {
    window.clickedAt = event.timeStamp;
    requestAnimationFrame(look);
  };
  addEventListener('click', begin, { capture: true, once: true });
}

async function clickWithMouse(page) {
  const { x, y } = await page.locator('parley-widget .launcher').boundingBox();
  await page.mouse.move(x + 10, y + 10, { steps: 5 });
  await sleep(POINTING);
  await page.mouse.down();
  await page.mouse.up();
}

async function tap(page) {
  const { x, y } = await page.locator('parley-widget .launcher').boundingBox();
  await page.touchscreen.tap(x + 10, y + 10);
}

async function clickByScript(page) {
  await page.evaluate(() => document.querySelector('parley-widget').shadowRoot.querySelector('.launcher').click());
}
