import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { DemoService } from '../../src/api/public/demo/demo.service.js';
import { Parley } from '../support/parley.js';
import { findViolations } from './support/axe.js';
import { launchBrowser } from './support/browser.js';
import { PHONE } from './support/looks.js';
import { eventually } from '../support/eventually.js';
import { Visit } from './support/visit.js';

const run = promisify(execFile);

describe('the demo', () => {
  let browser: Browser;
  let parley: Parley;
  let visit: Visit;
  let key: string;

  beforeAll(async () => {
    [browser, parley] = await Promise.all([launchBrowser(), Parley.start({ DEMO: '1' })]);
    ({ key } = (await parley.app.get(DemoService).prepare())!);
  });
  afterAll(async () => {
    await browser.close();
    await parley.stop();
  });
  afterEach(async () => {
    await visit.close();
    expect(visit.complaints).toEqual([]);
  });

  const enter = async (options: BrowserContextOptions = {}) => {
    visit = await Visit.to(browser, `${parley.url}/demo#key=${key}`, options);
    await visit.launcher.waitFor();
  };
  /** Runs a line that the page shows in a shell. */
  const runLine = async (tab: string) => {
    await visit.page.getByRole('tab', { name: tab }).click();
    const line = await visit.page.locator('#line').textContent();
    return JSON.parse((await run('sh', ['-c', `${line} --silent --fail`])).stdout) as { id: string };
  };

  it('each line that the demo shows has its effect in the chat', async () => {
    await enter();
    await visit.page.getByRole('button', { name: 'Ask us anything' }).click();
    await visit.online();
    await visit.say('Hello');
    await runLine('Text');
    await visit.sees('Hello', 'Hello from the bot!\nRead more: https://example.com');
    await runLine('Typing');
    await visit.panel.getByText('Demo bot is typing').waitFor({ state: 'attached' });
    await runLine('Quick replies');
    await visit.button('Espresso').click();
    await runLine('Buttons');
    await visit.button('Put a bag aside').click();
    expect(await visit.panel.getByRole('link', { name: 'Read about it' }).getAttribute('href')).toContain('sidamo');
    await runLine('Image');
    await visit.panel.getByRole('img', { name: 'A green bag of coffee' }).waitFor();
    await runLine('Hand over');
    await visit.panel.getByRole('listitem').filter({ hasText: "You're waiting for" }).waitFor();
    const events = visit.page.getByRole('list', { name: 'Events' });
    await events.getByText('Demo visitor: Espresso').waitFor();
    await events.getByText('Demo bot: How do you brew?').waitFor();
  });

  it('an agent in a second window answers after a hand-over and an offer, and the visitor reads it', async () => {
    await enter();
    await visit.page.getByRole('button', { name: 'Ask us anything' }).click();
    await visit.online();
    await visit.say('Is anyone there?');
    const opened = visit.context.waitForEvent('page');
    await visit.page.getByRole('link', { name: 'Answer as a person' }).click();
    await visit.page.getByRole('button', { name: 'Open the console' }).click();
    const desk = await opened;
    await desk.getByRole('button', { name: 'Skip for now' }).click();
    await desk.locator('.rows[aria-busy=false]').waitFor();
    await runLine('Hand over');
    await desk.getByRole('button', { name: /^Accept/ }).click();
    await desk.getByRole('textbox', { name: 'Message to Demo visitor' }).fill('A person is here');
    await desk.keyboard.press('Enter');
    await visit.messages.filter({ hasText: 'A person is here' }).waitFor();
  });

  it('the demo continues when its links are followed, and can start again', async () => {
    await enter();
    await visit.page.getByRole('link', { name: 'Be the bot' }).click();
    await visit.page.reload();
    await visit.launcher.waitFor();
    await visit.page.getByRole('link', { name: 'Fernweh Coffee' }).click();
    await visit.launcher.waitFor();
  });

  it('the demo says how to open it without a key', async () => {
    visit = await Visit.to(browser, `${parley.url}/demo`, {});
    await visit.page.getByText('Open the address that npm start printed').waitFor();
    expect(await visit.page.locator('parley-widget').count()).toBe(0);
    expect(await findViolations(visit)).toEqual([]);
    await visit.page.goto(`${parley.url}/demo#key=${key}`);
    await visit.launcher.waitFor();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`the demo follows a ${colorScheme} system, and can be switched`, async () => {
      await enter({ colorScheme });
      await visit.open();
      const isDark = (color: string) => Number(/\d+/.exec(color)) < 128;
      const colorsOf = (element: string) => `getComputedStyle(${element}).backgroundColor`;
      const look = async () => {
        const page = await visit.page.evaluate<string>(colorsOf('document.body'));
        const card = await visit.page.evaluate<string>(colorsOf('document.querySelector(".panel")'));
        const scheme = await visit.page.evaluate<string>(
          'getComputedStyle(document.querySelector("input")).colorScheme',
        );
        const theme = await visit.page.locator('parley-widget .frame').getAttribute('data-theme');
        return [
          isDark(page),
          isDark(card),
          scheme.includes('light') && scheme.includes('dark') ? 'system' : scheme,
          theme,
        ];
      };
      const isSystemDark = colorScheme === 'dark';
      const shows = (...wanted: unknown[]) =>
        eventually(look, (seen) => JSON.stringify(seen) === JSON.stringify(wanted));
      const choose = (theme: string) => visit.page.getByRole('radio', { name: theme }).check();
      await shows(isSystemDark, isSystemDark, 'system', colorScheme);
      await choose('Dark');
      await shows(true, true, 'dark', 'dark');
      await choose('Light');
      await shows(false, false, 'light', 'light');
      await choose('System');
      await shows(isSystemDark, isSystemDark, 'system', colorScheme);
      const other = isSystemDark ? 'light' : 'dark';
      await visit.page.emulateMedia({ colorScheme: other });
      await shows(!isSystemDark, !isSystemDark, 'system', other);
    });
  }

  it('the demo changes the side and the color by the call that it shows', async () => {
    await enter();
    await visit.page.getByRole('radio', { name: 'Left' }).check();
    await visit.page.getByRole('radio', { name: 'Yellow' }).check();
    const call = { theme: 'auto', position: 'left', color: '#f2b632' };
    expect(await visit.page.locator('#look-code').textContent()).toBe(`Parley('set', ${JSON.stringify(call)})`);
    expect((await visit.launcher.boundingBox())!.x).toBe(20);
  });

  for (const [look, options] of Object.entries({ 'a desktop': {}, 'a phone': PHONE })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`axe finds no violation in the demo on ${look}, ${colorScheme}`, async () => {
        await enter({ ...options, colorScheme });
        expect(await findViolations(visit)).toEqual([]);
        const overflow = await visit.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow).toBeLessThanOrEqual(0);
      });
    }
  }
});
