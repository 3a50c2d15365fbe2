import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { parseCsv } from '../support/csv.js';
import { findViolations } from './support/axe.js';
import { Desk, waitingChat } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

describe('the reports', () => {
  const stage = Stage.set();
  /** A chat that Sue answered, ended, and that was rated. */
  const answered = async (sue: Desk) => {
    await stage.tenant.admin.patch('/widget', { rating: true }).expect(200);
    const chatId = await waitingChat(stage);
    await sue.goTo(chatId);
    await sue.page.keyboard.press('c');
    await sue.say('Hello, I am Sue');
    const visitor = stage.parley.visitor(stage.tenant.visitorToken);
    await visitor.post(`/chats/${chatId}/close`, {}).expect(200);
    await visitor.post(`/chats/${chatId}/rating`, { score: 2, comment: 'Too slow' }).expect(200);
    return chatId;
  };
  const open = async (options = {}) => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, options);
    const chatId = await answered(sue);
    await sue.page.goto(`${stage.road.url}/console/reports`);
    await sue.page.getByRole('group', { name: 'By person' }).waitFor();
    await sue.page.getByText('Too slow').waitFor();
    return { sue, page: sue.page, chatId };
  };

  it('reports show what each person did, and a rating opens its chat', async () => {
    const { sue, page } = await open();
    const row = page.getByRole('group', { name: 'By person' }).getByRole('row', { name: /^Sue/ });
    const [chats, messages, queue, , rated, average] = await row.getByRole('cell').allInnerTexts();
    expect([chats, messages, queue, rated, average]).toEqual(['1', '1', '1', '1', '2.0']);
    await page.getByText('Days in the time zone UTC.').waitFor();
    await page.getByLabel('Comments').selectOption({ label: 'Only with a comment' });
    await page.getByRole('link', { name: /Too slow/ }).click();
    await sue.sees('Hello, I am Sue');
  });

  it('other days, another group, and the time zone of the browser change the reports', async () => {
    await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const { page } = await open({ timezoneId: 'Asia/Tokyo' });
    await page.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Sales' });
    await page.getByText('No ratings on these days').waitFor();
    await page.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'All groups' });
    await page.getByText('Too slow').waitFor();
    await page.getByLabel('Time zone').selectOption({ label: 'Of this browser (Asia/Tokyo)' });
    await page.getByText('Days in the time zone Asia/Tokyo.').waitFor();
    await page.getByLabel('From').fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await page.getByText('No ratings on these days').waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('');
    await page.getByLabel('To', { exact: true }).fill('2025-12-31');
    await page.getByText('Choose a first and a last day, in this order.').waitFor();
    await page.getByLabel('Period').selectOption({ label: 'Last 7 days' });
    await page.getByText('Too slow').waitFor();
  });

  it('the chats of the days are downloaded as CSV', async () => {
    const { page, chatId } = await open();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export chats (CSV)' }).click();
    const file = await (await downloading).path();
    const text = await readFile(file, 'utf8');
    // Without the mark, Excel takes it for another encoding.
    expect(text[0]).toBe('\ufeff');
    const rows = parseCsv(text.slice(1));
    expect(rows.slice(1).map(([id]) => id)).toContain(chatId);
  });

  it.each(Object.entries(LOOKS))('axe finds no violation in the reports on %s', async (_look, options) => {
    const { sue } = await open(options);
    expect(await findViolations(sue.visit)).toEqual([]);
    expect(await sue.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
