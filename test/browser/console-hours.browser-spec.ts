import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk, waitingChat } from './support/desk.js';
import { Office } from './support/office.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

const CLOSED = {
  timeZone: 'UTC',
  week: {},
  exceptions: [{ date: '2100-01-04', ranges: [{ from: '09:00', to: '17:00' }] }],
};

describe('office hours in the console and the widget', () => {
  const stage = Stage.set();
  const stored = async () => (await stage.parley.admin.get(`/${stage.tenant.id}`).expect(200)).body.officeHours;

  it('an administrator sets the hours of the organization, and of a group that has others', async () => {
    const ida = await Office.open(stage, 'organization', { timezoneId: 'Europe/Berlin' });
    const { page } = ida;
    await page.getByLabel('At these times').check();
    await page.getByLabel('Monday: from').fill('08:30');
    await page.getByLabel('Tuesday: to').fill('00:00');
    await ida.button('Wednesday: remove these times').click();
    await ida.button('Saturday: add times').click();
    await ida.button('Add a date').click();
    await page.getByLabel('Date', { exact: true }).fill('2026-12-24');
    await ida.button('Save').click();
    await ida.isTold('Saved');
    const day = [{ from: '09:00', to: '17:00' }];
    expect(await stored()).toEqual({
      timeZone: 'Europe/Berlin',
      week: {
        monday: [{ from: '08:30', to: '17:00' }],
        tuesday: [{ from: '09:00', to: '24:00' }],
        wednesday: [],
        thursday: day,
        friday: day,
        saturday: day,
        sunday: [],
      },
      exceptions: [{ date: '2026-12-24', ranges: [] }],
    });
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    const [general] = body.groups;
    expect(general.officeHours).toBeNull();
    await ida.goTo(`groups/${general.id}`);
    await page.getByLabel('At these times').check();
    await ida.button('Save').click();
    const ofGroup = async () => (await stage.tenant.admin.get(`/groups/${general.id}`).expect(200)).body.officeHours;
    const { week } = await eventually(ofGroup, (hours) => hours !== null);
    expect(week.monday).toEqual(day);
    await page.getByLabel('As the organization').check();
    await ida.button('Save').click();
    await eventually(ofGroup, (hours) => hours === null);
  });

  it("new hours start in the organization's time zone", async () => {
    await stage.tenant.admin.patch('', { timeZone: 'Asia/Tokyo' }).expect(200);
    const ida = await Office.open(stage, 'organization', { timezoneId: 'Europe/Berlin' });
    const isIn = (timeZone: string) =>
      eventually(
        () => ida.page.locator('.hours select').inputValue(),
        (shown) => shown === timeZone,
      );
    await ida.page.getByLabel('At these times').check();
    await isIn('Asia/Tokyo');
    await stage.tenant.admin.patch('', { officeHours: { ...CLOSED, timeZone: 'America/Lima' } }).expect(200);
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    ida.page.on('dialog', (dialog) => void dialog.accept());
    await ida.page.goto(`${stage.road.url}/console/admin/groups/${body.groups[0].id}`);
    await ida.page.getByLabel('At these times').check();
    await isIn('America/Lima');
  });

  it('times that overlap and dates that are over are marked beside them', async () => {
    const ida = await Office.open(stage, 'organization');
    const { page } = ida;
    const line = (words: string) => page.locator('.hours-days li').filter({ hasText: words });
    await page.getByLabel('At these times').check();
    await ida.button('Monday: add times').click();
    expect(await page.locator('.hours .warning').count()).toBe(0);
    await page.getByLabel('Monday: from').nth(1).fill('16:59');
    await line('Monday').getByText('These times overlap.').waitFor();
    await page.getByLabel('Monday: from').nth(1).fill('17:00');
    await page.locator('.hours .warning').waitFor({ state: 'detached' });
    await page.getByLabel('Monday: to').nth(1).fill('09:30');
    await page.locator('.hours .warning').waitFor({ state: 'detached' });
    await ida.button('Add a date').click();
    await page.getByLabel('Date', { exact: true }).fill('2020-12-24');
    await page.locator('.hours-days li').last().getByText('This date is over, so it changes nothing.').waitFor();
    await page.getByLabel('Date', { exact: true }).fill('2100-12-24');
    await page.locator('.hours .warning').waitFor({ state: 'detached' });
  });

  it('a date that is empty or there twice is marked, focused, and explained until it changes', async () => {
    const ida = await Office.open(stage, 'organization');
    const { page } = ida;
    const dates = page.getByLabel('Date', { exact: true });
    const rule = page.getByText('Fill in each date and time, and use each date only once.');
    await page.getByLabel('At these times').check();
    for (const at of [0, 1]) {
      await ida.button('Add a date').click();
      await dates.nth(at).fill('2100-12-24');
    }
    await ida.button('Save').click();
    await rule.waitFor();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
    await dates.nth(1).fill('');
    await dates.nth(1).blur();
    await rule.waitFor({ state: 'detached' });
    await ida.button('Save').click();
    await rule.waitFor();
    await dates.nth(1).fill('2100-12-25');
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect((await stored()).exceptions).toHaveLength(2);
  });

  it('hours that another administrator changed while they were edited are not overwritten', async () => {
    const ida = await Office.open(stage, 'organization');
    await ida.page.getByLabel('At these times').check();
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: CLOSED }).expect(200);
    await ida.button('Save').click();
    await ida.dialog.getByText('2100-01-04 09:00–17:00').waitFor();
    expect(await stored()).toMatchObject({ week: { monday: [] } });
  });

  it('the widget says when people are back, before the first message and while a chat waits', async () => {
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: CLOSED }).expect(200);
    const visit = await stage.visit({ locale: 'en-US', timezoneId: 'UTC' });
    await visit.open();
    await visit.panel.getByText('Our team is back: Jan 4, 2100, 9:00').waitFor();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await visit.panel.locator('header').getByText('Our team is back: Jan 4, 2100, 9:00').waitFor();
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: null }).expect(200);
    await visit.panel.locator('header').getByText('No one is available right now').waitFor();
  });

  it('the transfer dialog says until when a group is closed, and who is online there', async () => {
    const ada = await Desk.open(stage, {}, { timezoneId: 'UTC' });
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await ada.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: CLOSED }).expect(200);
    await ada.page.keyboard.press('t');
    const group = ada.page.getByRole('dialog').locator('.target').filter({ hasText: 'General' });
    await group.getByText('Closed until Mon, Jan 4, 9:00 AM · 1 online').waitFor();
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: { ...CLOSED, exceptions: [] } }).expect(200);
    await ada.page.keyboard.press('Escape');
    await ada.page.keyboard.press('t');
    await group.getByText('Closed · 1 online').waitFor();
  });

  it.each(Object.entries(LOOKS))('axe finds no violation in the office hours on %s', async (_look, options) => {
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: CLOSED }).expect(200);
    await waitingChat(stage);
    const ida = await Office.open(stage, 'organization', options);
    await ida.page.locator('.hours').waitFor();
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    expect(await ida.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
