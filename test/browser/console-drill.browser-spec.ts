import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { givePassword, makeAgent } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

const LINES = {
  en: 'This is a drill on a copy. Nothing is sent to webhooks, and nothing is removed automatically.',
  de: 'Das ist eine Übung mit einer Kopie. Nichts geht an Webhooks, und nichts wird automatisch gelöscht.',
};

describe('the console of a drill', () => {
  const stage = Stage.set({ DRILL: '1' });

  it.each(Object.entries(LINES))('the line is on every page, in %s', async (locale, line) => {
    const { id, email } = await makeAgent(stage, { role: 'ADMIN' });
    const password = await givePassword(stage, id);
    const { page } = await stage.visit({ locale }, `${stage.road.url}/console`);
    await page.locator('input[type=email]').fill(email);
    await page.getByText(line).waitFor();
    await page.locator('input[type=password]').fill(password);
    await page.locator('input[type=password]').press('Enter');
    await page.getByRole('navigation').first().waitFor();
    for (const path of ['', '/overview', '/organization']) {
      await page.goto(`${stage.road.url}/console${path}`);
      await page.getByRole('navigation').first().waitFor();
      await page.getByText(line).waitFor();
    }
  });

  it.each(Object.entries(LOOKS))('the page still fits and is accessible on %s', async (_, look) => {
    const visit = await stage.visit(look, `${stage.road.url}/console`);
    await visit.page.getByText(LINES.en).waitFor();
    expect(await findViolations(visit)).toEqual([]);
    expect(await visit.page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
  });
});
