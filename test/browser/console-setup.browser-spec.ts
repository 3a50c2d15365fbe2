import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { Office } from './support/office.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

describe('the first steps of an administrator', () => {
  const stage = Stage.set();

  it('the page checks off a site that loads the widget, and a test chat that was answered', async () => {
    const ida = await Office.open(stage, 'setup');
    const { page } = ida;
    await page.getByText('Copy one line into your pages.').waitFor();
    const site = await stage.visit();
    await site.open();
    await page.getByText(/^Seen on http/).waitFor();

    const link = page.getByRole('link', { name: 'Open a test chat' });
    expect(await link.getAttribute('href')).toContain('/test-chat?key=prl_wk_');
    const [test] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await test.locator('parley-widget').getByRole('textbox').first().fill('A test');
    await test.keyboard.press('Enter');
    await page.keyboard.press('3');
    await ida.desk.rows.filter({ hasText: 'A test' }).waitFor();
  });

  it('the empty inbox of an organization without chats leads there', async () => {
    await stage.tenant.admin.patch(`/chats/${stage.tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' });
    await ida.button('First steps').click();
    await ida.page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
    const ada = await Desk.open(stage, { name: 'Ada' });
    await ada.page.getByText('No chats yet').waitFor();
    expect(await ada.button('First steps').count()).toBe(0);
  });

  it.each(Object.entries(LOOKS))('axe finds no violation in the first steps on %s', async (_look, options) => {
    const ida = await Office.open(stage, 'setup', options);
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    expect(await ida.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
