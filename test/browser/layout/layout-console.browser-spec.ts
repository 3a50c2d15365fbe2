import { describe } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { consoleScreens } from './support/console.js';

describe('layout of the overview and of signing in', () => {
  const stage = Stage.set();
  const screen = consoleScreens(stage);

  screen('the overview', async ({ desk, furnished }) => {
    await furnished.waiting();
    await desk.page.goto(`${stage.road.url}/console/overview`);
    await desk.page.locator('.plots').waitFor();
    await desk.page.locator('.by-day summary').click();
    await desk.page.locator('.table.numbers, .numbers').nth(1).waitFor();
  });
  screen('the reports', async ({ desk }) => {
    await desk.page.goto(`${stage.road.url}/console/reports`);
    await desk.page.getByRole('group', { name: /person/i }).waitFor();
  });
  screen('the ratings of other days', async ({ desk, furnished }) => {
    await furnished.second();
    await desk.page.goto(`${stage.road.url}/console/reports`);
    await desk.page.locator('.reports .line-link').first().waitFor();
    await desk.page.locator('.reports input[type=date]').first().fill('2026-01-01');
    await desk.page.locator('.reports .line-link').first().waitFor();
  });
  screen('signing in', async ({ desk }) => {
    await desk.page.context().clearCookies();
    await desk.page.reload();
    await desk.page.locator('#password').waitFor();
  });
  screen('a link to sign in', async ({ desk }) => {
    await desk.page.goto(`${stage.road.url}/console/link#nothing`);
    await desk.page.locator('.card').waitFor();
  });
});
