import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const HOST = 'document.querySelector("parley-widget")';
const LAUNCHER = `${HOST}.shadowRoot.querySelector(".launcher")`;

describe('the widget on sites whose pages change', () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    visit = await stage.visit();
  });

  const run = (code: string) => visit.page.evaluate(code);

  it('the widget stays, open and with its draft, when the body is replaced and the script runs again', async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.composer.fill('Half a sen');
    await run(`
      const body = document.createElement('body');
      body.innerHTML = '<h1>Another page</h1>';
      document.body.replaceWith(body);
      const { src, dataset } = document.querySelector('script[data-widget-key]');
      const script = document.createElement('script');
      Object.assign(script, { src, async: true, onload: () => (window.hasRunAgain = true) });
      script.dataset.widgetKey = dataset.widgetKey;
      body.append(script);`);
    await visit.page.waitForFunction('window.hasRunAgain');
    await visit.page.getByRole('heading', { name: 'Another page' }).waitFor();
    expect(await visit.composer.inputValue()).toBe('Half a sen');
    await stage.say('Still here');
    await visit.sees('Hello', 'Still here');
    expect(await visit.page.locator('parley-widget').count()).toBe(1);
    expect(visit.complaints).toEqual([]);
  });

  it("the widget stays when the body's content is replaced", async () => {
    await visit.open();
    await visit.say('Hello');
    await run(`document.body.innerHTML = '<h1>Another page</h1>'`);
    await visit.say('Still here');
    await visit.sees('Hello', 'Still here');
  });

  it('the widget is open on the next page if it was, with the draft', async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.composer.fill('Half a sen');
    await visit.page.reload();
    await visit.sees('Hello');
    expect(await visit.composer.inputValue()).toBe('Half a sen');
    await visit.button('Close chat').click();
    await visit.page.reload();
    await visit.page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
  });

  it('the draft is kept when the chat is closed in between', async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.composer.fill('Half a sen');
    await stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
    await visit.button('Start a new chat').click();
    await visit.composer.waitFor();
    expect(await visit.composer.inputValue()).toBe('Half a sen');
  });

  it("the widget isn't open on a phone's next page, which it would cover", async () => {
    const phone = await stage.visit({ viewport: { width: 390, height: 844 } });
    await phone.open();
    await phone.page.reload();
    await phone.page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
  });

  it('shutdown removes the widget from the page, and boot restores it', async () => {
    await visit.open();
    await visit.say('Hello');
    const sockets = () => run(`performance.getEntriesByType('resource').length`);
    await run(`Parley('shutdown')`);
    expect(await visit.page.locator('parley-widget').count()).toBe(0);
    await stage.say('Meanwhile');
    const before = await sockets();
    await run(`Parley('boot', { title: 'Ask us' })`);
    await visit.launcher.click();
    await visit.panel.getByRole('heading', { name: 'Ask us' }).waitFor();
    await visit.sees('Hello', 'Meanwhile');
    await visit.say('Thanks');
    await visit.sees('Hello', 'Meanwhile', 'Thanks');
    expect(await sockets()).toBeGreaterThanOrEqual(before as number);
    await run(`Parley('boot'); Parley('shutdown'); Parley('shutdown'); Parley('boot')`);
    expect(await visit.page.locator('parley-widget').count()).toBe(1);
    expect(visit.complaints).toEqual([]);
  });

  it.each([
    ['is not there before its time', `Parley('shutdown')`, 0],
    ['is not there for a part that is left again', `Parley('boot'); Parley('shutdown')`, 0],
    ['is there for the part after it', `Parley('boot'); Parley('shutdown'); Parley('boot')`, 1],
  ])('the widget %s when the page says so before the script has loaded', async (_, calls, count) => {
    stage.site.page.head = `<script>
      window.Parley = function () { (Parley.q = Parley.q || []).push(arguments); };
      ${calls}
    </script>`;
    const other = await stage.visit();
    await other.page.waitForFunction('Parley.isLoaded && document.readyState === "complete"');
    expect(await other.page.locator('parley-widget').count()).toBe(count);
    await other.page.evaluate(`Parley('boot')`);
    await other.launcher.waitFor();
    expect(other.complaints).toEqual([]);
  });

  it.each(['zoom: 1.5', 'zoom: 0.5'])(
    'the panel is in the window, in its own size, on a page with %s',
    async (style) => {
      stage.site.page.root = `lang="en" style="${style}"`;
      const other = await stage.visit();
      await other.open();
      const { width, height } = other.page.viewportSize()!;
      await eventually(
        () => other.panel.boundingBox(),
        (box) => box!.y >= 0 && box!.x >= 0 && box!.x + box!.width <= width && box!.y + box!.height <= height,
      );
      expect(Math.round((await other.panel.boundingBox())!.width)).toBe(400);
      await other.button('Close chat').click();
    },
  );

  it('the widget stays in its place on a page that moves its body', async () => {
    stage.site.page.head = '<style>body { transform: scale(0.5); filter: blur(0); contain: layout; zoom: 0.5 }</style>';
    const other = await stage.visit();
    await other.launcher.waitFor();
    const { width, height } = other.page.viewportSize()!;
    expect(await other.launcher.boundingBox()).toMatchObject({
      x: width - 76,
      y: height - 76,
      width: 56,
      height: 56,
    });
  });

  it('the widget takes variables that are set above it', async () => {
    stage.site.page.head = '<style>:root { --parley-color: rgb(200, 0, 0); --parley-offset-x: 50px }</style>';
    const other = await stage.visit();
    await other.launcher.waitFor();
    const { x } = (await other.launcher.boundingBox())!;
    expect(x).toBe(other.page.viewportSize()!.width - 56 - 50);
    const color = await other.page.evaluate(`getComputedStyle(${LAUNCHER}).backgroundColor`);
    expect(color).toMatch(/^color\(srgb 0\.78\d* 0 0\)$/);
  });

  const TEXTS: [color: string, text: string][] = [
    ['white', 'rgb(6, 6, 6)'],
    ['#000', 'rgb(255, 255, 255)'],
    ['oklch(0.95 0.05 100)', 'rgb(6, 6, 6)'],
    ['oklch(0.3 0.1 260)', 'rgb(255, 255, 255)'],
    ['color(display-p3 0 1 0)', 'rgb(6, 6, 6)'],
    ['hsl(50 100% 50% / 0.9)', 'rgb(6, 6, 6)'],
    ['rebeccapurple', 'rgb(255, 255, 255)'],
  ];
  it.each(TEXTS)('text on %s is readable', async (color, text) => {
    await run(`Parley('set', { color: '${color}' })`);
    expect(await run(`getComputedStyle(${LAUNCHER}).color`)).toBe(text);
  });

  it("visitors read in plain words that the widget can't be used, and developers read why", async () => {
    const warnings: string[] = [];
    visit.page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await run(`Parley('on', 'error', ({ code }) => (window.failure = code))`);
    await visit.open();
    await stage.tenant.admin.patch('', { allowedOrigins: ['https://elsewhere.example'] }).expect(200);
    await visit.composer.fill('Hello');
    await visit.composer.press('Enter');
    await visit.panel.getByText('Chat is unavailable right now').waitFor();
    expect(await visit.panel.innerText()).not.toMatch(/origin/i);
    expect(await run('window.failure')).toBe('forbidden');
    expect(warnings.join()).toMatch(/^Parley: .*allowedOrigins/);
    await visit.button('Try again').click();
    await visit.panel.getByText('Chat is unavailable right now').waitFor();
  });

  it('the widget names no group and no agent before the first message, and marks bots', async () => {
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
    expect(await visit.panel.locator('.status').count()).toBe(0);
    await stage.tenant.admin.patch(`/bots/${stage.tenant.botId}`, { isAi: false }).expect(200);
    await stage.say('Hi');
    await visit.panel.getByText("You're chatting with").waitFor();
    await run(`Parley('set', { strings: { bot: 'Robot' } })`);
    await visit.panel.locator('.theirs .name').getByText(' · Robot').waitFor();
  });

  it('all of eight long buttons are fully visible', async () => {
    await visit.open();
    await visit.say('Hello');
    const options = Array.from({ length: 8 }, (_, place) => ({
      label: `${place} ${'a long label that wraps '.repeat(place % 3 === 0 ? 4 : 1)}`,
      value: `${place}`,
    }));
    await stage.say('Menu', { type: 'BUTTON', metadata: { options } });
    await visit.panel.locator('.choice').nth(7).waitFor();
    const clipped = await visit.panel
      .locator('.choice')
      .evaluateAll(
        (all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1 || one.clientHeight < 36).length,
      );
    expect(clipped).toBe(0);
  });

  it('addresses without a scheme and telephone numbers become links', async () => {
    await visit.open();
    await visit.say('Hello');
    await stage.say('See www.example.com/a, call tel:+4930123456 or write mailto:a@example.com');
    await visit.panel.getByRole('link').nth(2).waitFor();
    const links = await visit.panel
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['https://www.example.com/a', 'tel:+4930123456', 'mailto:a@example.com']);
  });
});
