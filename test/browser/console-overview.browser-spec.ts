import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

describe('the overview', () => {
  const stage = Stage.set();
  const tile = ({ page }: Desk, name: string) =>
    page.locator('.tile').filter({ has: page.getByText(name, { exact: true }) });
  const shows = (desk: Desk, name: string, value: string | RegExp) =>
    tile(desk, name).locator('b').filter({ hasText: value }).waitFor();
  const open = async (options = {}) => {
    const desk = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, options);
    await desk.page.goto(`${stage.road.url}/console/overview`);
    await desk.page.locator('.plots').waitFor();
    return desk;
  };

  it('the overview shows the current state without a reload', async () => {
    const sue = await open();
    await shows(sue, 'Waiting', /^0$/);
    await shows(sue, 'Longest wait', 'None');
    await shows(sue, 'Online', /^1$/);
    const chatId = await waitingChat(stage);
    await shows(sue, 'Waiting', /^1$/);
    await shows(sue, 'Longest wait', /^\d+:\d\d$/);
    await sue.goTo(chatId);
    await sue.page.keyboard.press('c');
    await sue.leaveField();
    await sue.page.keyboard.press('6');
    await shows(sue, 'Waiting', /^0$/);
    await shows(sue, 'Taken today', /^1$/);
    await shows(sue, 'Of these, replied to', /^0$/);
  });

  it('the overview draws the last days, of all groups or of one, and as a table', async () => {
    const { body: sales } = await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await waitingChat(stage, 'Help', { targetGroupId: sales.id });
    await anotherChat(stage, 'Walter', 'Hello');
    await stage.parley.query(`UPDATE handoffs SET began_at = began_at - interval '2 days' WHERE group_id = $1`, [
      sales.id,
    ]);
    const sue = await open();
    const { page } = sue;
    const plot = (name: RegExp) => page.getByRole('img', { name });
    await plot(/^Chats: 2 in 7 days, most on .+ \(2\)$/).waitFor();
    await plot(/^Handoffs: 2 in 7 days, most on .+ \(1\)$/).waitFor();
    await plot(/^Unanswered: none in 7 days$/).waitFor();
    await page.getByText('Show as table').click();
    const days = page.getByRole('group', { name: 'Show as table' }).getByRole('row');
    expect(await days.count()).toBe(8);
    expect(await days.nth(1).getByRole('cell').allInnerTexts()).toEqual(['2', '1', '0', '–', '–']);
    expect(await days.nth(3).getByRole('cell').allInnerTexts()).toEqual(['0', '1', '0', '–', '–']);
    const ofSales = page.getByRole('group', { name: 'By group' }).getByRole('row', { name: /^Sales/ });
    await ofSales.waitFor();
    expect(await ofSales.getByRole('cell').allInnerTexts()).toEqual(['1', '1', '0%', '0', '0', '–']);

    await page.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Sales' });
    await plot(/^Handoffs: 1 in 7 days/).waitFor();
    await shows(sue, 'Online', /^0$/);
    await page.getByRole('button', { name: '30 days' }).click();
    await plot(/^Handoffs: 1 in 30 days/).waitFor();
  });

  it('on a phone, the choice of a group begins where the page does', async () => {
    await stage.tenant.admin.post('/groups', { name: 'Sales in the northern part of the country' }).expect(201);
    const { page } = await open({ viewport: { width: 360, height: 740 } });
    const left = async (selector: string) => (await page.locator(selector).first().boundingBox())!.x;
    await page.getByRole('combobox', { name: 'Group' }).selectOption({ index: 1 });
    expect(await left('.page-head select')).toBe(await left('.page-body > section'));
  });

  it.each(Object.entries(LOOKS))('axe finds no violation in the overview on %s', async (_look, options) => {
    await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    await waitingChat(stage);
    const sue = await open(options);
    await sue.page.getByRole('group', { name: 'By group' }).last().waitFor();
    await sue.page.getByText('Show as table').click();
    expect(await findViolations(sue.visit)).toEqual([]);
    expect(await sue.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
