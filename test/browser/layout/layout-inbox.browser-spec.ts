import { describe } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { type At, consoleScreens } from './support/console.js';

/** At the usual text size: a zoom of 200 % has doubled it already. */
const LOW = { widths: [720], looks: ['light', 'dark', 'forced colors'] } as const;

describe('layout of the inbox', () => {
  const stage = Stage.set();
  const screen = consoleScreens(stage);
  const showOpen = async ({ desk, furnished }: At) => {
    await furnished.rows();
    await desk.page.goto(`${stage.road.url}/console/open`);
    await desk.rows.nth(5).waitFor();
  };

  screen('the list of open chats', showOpen);
  screen('the chats of a group', async ({ desk, furnished }) => {
    await furnished.waiting();
    await desk.page.goto(`${stage.road.url}/console/groups/${furnished.groupId}/waiting`);
    await desk.rows.first().waitFor();
  });
  screen('a list without chats', ({ desk }) => desk.page.locator('.empty-title').first().waitFor());
  screen("a person's unanswered chats, of which there are none", async ({ desk, furnished }) => {
    await furnished.rows();
    await desk.page.goto(`${stage.road.url}/console/open?agent=${furnished.colleague.id}&unanswered`);
    await desk.page.locator('.empty .button').waitFor();
  });
  screen('selected chats', async (at) => {
    await showOpen(at);
    await at.desk.page.locator('.list [aria-pressed=false]').first().click();
    await at.desk.page.locator('.row-check').nth(1).check();
    await at.desk.page.locator('.selection-bar').waitFor();
  });
  screen('what several chats became, and why one did not', async (at) => {
    // So many that the list scrolls away from the notice.
    for (let count = 0; count < 6; count += 1) await at.furnished.waiting();
    await showOpen(at);
    const { page } = at.desk;
    await page.locator('.list [aria-pressed=false]').first().click();
    await page.locator('.selection-bar .button').first().click();
    await page.route('**/close', (route) => route.fulfill({ status: 409, json: { code: 'not_assigned' } }), {
      times: 1,
    });
    // The notice stays.
    await page.evaluate(`{
      const start = setTimeout;
      window.setTimeout = (work, ms) => (ms === 10_000 ? 0 : start(work, ms));
    }`);
    await page.locator('.selection-bar .button:not(.quiet)').last().click();
    await page.getByRole('dialog').locator('.primary').click();
    await page.locator('.notice .button').first().waitFor();
  });
  screen('a row that is chosen', async (at) => {
    await showOpen(at);
    const chatId = await at.furnished.waiting();
    await at.desk.goTo(chatId, 'open');
    await at.desk.page.locator('.row[aria-current=true]').waitFor({ state: 'attached' });
  });
  screen('a snoozed chat', async ({ desk, furnished }) => {
    const chatId = await furnished.waiting();
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    await desk.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    await desk.page.keyboard.press('s');
    await desk.page.locator('.snooze-choices button').last().click();
    await desk.goTo(chatId, 'snoozed');
    await desk.page.locator('.belonging').waitFor();
  });
  const getEightOffers = async ({ desk, furnished }: At) => {
    const chatId = await furnished.waiting();
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    await stage.tenant.admin.patch(`/groups/${furnished.groupId}`, { routing: 'OFFER', offerSeconds: 600 }).expect(200);
    for (let count = 0; count < 8; count += 1) await furnished.waiting();
    await desk.page.locator('.offer-more').waitFor();
  };
  screen('eight offers', getEightOffers);
  screen(
    'eight offers, a long draft, and a low window',
    async (at) => {
      await getEightOffers(at);
      await at.desk.composer.fill('Eine lange Antwort\n'.repeat(40));
    },
    LOW,
  );
  screen(
    'eight offers above a dialog',
    async (at) => {
      await getEightOffers(at);
      await at.desk.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
      await at.desk.page.keyboard.press('t');
      await at.desk.page.locator('dialog[open] .offer-more').waitFor();
    },
    { widths: [320, 720, 1440] },
  );
  screen('a lost connection with a notice', async ({ desk, furnished }) => {
    const chatId = await furnished.waiting();
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    stage.road.cut();
    await desk.page.locator('.connection p').waitFor();
    await desk.composer.fill('Are you there?');
    await desk.composer.press('Enter');
    await desk.page.locator('.message.pending').waitFor();
    await desk.page.keyboard.press('Escape');
  });
});
