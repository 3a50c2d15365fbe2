import { describe, expect, it } from '@jest/globals';
import { parseCsv } from '../support/csv.js';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, deskWithChats, makeAgent } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('the numbers of the console', () => {
  const stage = Stage.set();
  const tile = async ({ page }: Desk, name: string) =>
    page
      .locator('.tile')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('b')
      .innerText();

  it('all numbers agree with a count by hand in lists, navigation, overview, reports, and the CSV', async () => {
    const { admin, bot } = stage.tenant;
    const options = { timezoneId: 'UTC', viewport: { width: 1440, height: 900 } };
    // Ada takes three chats, writes in one, and ends one without a word. Bea, who is removed later, takes one. Two wait.
    const fields = { role: 'SUPERVISOR', capacity: 50 } as const;
    const { ada, ids, client } = await deskWithChats(stage, ['One', 'Two', 'Three'], fields, options);
    await client.post(`/chats/${ids[0]}/messages`, { content: 'Hello' }).expect(201);
    await client.post(`/chats/${ids[1]}/close`).expect(200);
    const bea = await stage.parley.signInAgent(stage.tenant, { name: 'Bea', groupIds: await allGroups() });
    const four = await anotherChat(stage, 'Four', 'Help');
    await bea.client.post(`/chats/${four}/claim`).expect(200);
    await bea.client.post(`/chats/${four}/close`).expect(200);
    await admin.delete(`/agents/${bea.id}`).expect(204);
    await anotherChat(stage, 'Five', 'Help');
    await anotherChat(stage, 'Six', 'Help');
    await ada.page.goto(`${stage.road.url}/console/waiting`);
    await ada.rows.nth(1).waitFor();
    expect(await ada.rows.count()).toBe(2);
    const link = (name: RegExp) => ada.page.getByRole('link', { name }).locator('.count > [aria-hidden]');
    const counted = () => Promise.all([link(/^Waiting/).innerText(), link(/^General/).innerText()]);
    await eventually(counted, (numbers) => numbers.join() === '2,2');
    await ada.page.goto(`${stage.road.url}/console/overview`);
    await eventually(
      () => tile(ada, 'Taken today'),
      (value) => value === '4',
    );
    const tiles = ['Waiting', 'Of these, replied to', 'Not taken in time today'];
    await eventually(
      () => Promise.all(tiles.map((name) => tile(ada, name))),
      (values) => values.join() === '2,1,0',
    );
    await ada.page.goto(`${stage.road.url}/console/reports`);
    const people = ada.page.getByRole('group', { name: 'By person' });
    await people.getByRole('row', { name: /^Total/ }).waitFor();
    const cells = (name: RegExp) => people.getByRole('row', { name }).getByRole('cell').allInnerTexts();
    expect([await cells(/^Ada/), await cells(/^Removed people/), await cells(/^Total/)]).toMatchObject([
      ['1', '1', '3', expect.anything(), '0', '–'],
      ['–', '–', '1', '–', '0', '–'],
      ['–', '1', '4', '–', '0', '–'],
    ]);
    const { text } = await client
      .get(`/reports/chats/export?${new URLSearchParams({ from: dayBefore(1), to: dayBefore(-1) }).toString()}`)
      .expect(200);
    const [headings, ...lines] = parseCsv(text);
    const outcomes = lines.map((line) => line[headings!.indexOf('outcome')]);
    // The chat of the tenant is with its bot.
    expect([lines.length, outcomes.filter((outcome) => outcome === 'ASSIGNED').length]).toEqual([7, 4]);
    expect((await bot.get('/chats').expect(200)).body.chats).toHaveLength(7);

    async function allGroups(): Promise<string[]> {
      return (await admin.get('/groups').expect(200)).body.groups.map(({ id }: { id: string }) => id);
    }
  });

  it('the rows of the report by person add up to its totals, with people who were removed and chats that only a bot had', async () => {
    const { admin, bot } = stage.tenant;
    await admin.patch('/widget', { rating: true }).expect(200);
    const rate = async (token: string, chatId: string) => {
      const visitor = stage.parley.visitor(token);
      await visitor.post(`/chats/${chatId}/close`, {}).expect(200);
      await visitor.post(`/chats/${chatId}/rating`, { score: 4 }).expect(200);
    };
    // A bot has one chat. Ada has one, and Bea, who is removed, another, which a supervisor gave her, so it comes from no queue.
    await rate(stage.tenant.visitorToken, stage.tenant.chatId);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, { timezoneId: 'UTC' });
    const { client } = await stage.parley.signInAgain(stage.tenant, sue.agentId);
    const bea = await makeAgent(stage, { name: 'Bea' });
    for (const agentId of [sue.agentId, bea.id]) {
      const { body } = await admin.post('/chats', { visitor: { name: 'One' } }).expect(201);
      await bot.post('/messages', { chatId: body.id, content: 'Hello' }).expect(200);
      await client.post(`/chats/${body.id}/transfer`, { agentId }).expect(200);
      await rate(body.visitorToken, body.id);
    }
    await admin.delete(`/agents/${bea.id}`).expect(204);
    await sue.page.goto(`${stage.road.url}/console/reports`);
    const people = sue.page.getByRole('group', { name: 'By person' });
    await people.getByRole('row', { name: /^Total/ }).waitFor();
    const rows = await people
      .locator('tbody tr, tfoot tr')
      .evaluateAll((all: any[]) => all.map((row) => [...row.cells].map((cell) => cell.innerText)));
    const rated = Object.fromEntries(rows.map((row: string[]) => [row[0], [row[3], row[5]]]));
    expect(rated).toEqual({
      Sue: ['0', '1'],
      'Removed people': ['0', '1'],
      'Only a bot': ['0', '1'],
      Total: ['0', '3'],
    });
  });

  it('a report follows the calendar of the chosen time zone, and a report that is too long is refused in words', async () => {
    const zones = { 'Pacific/Kiritimati': 14, 'Pacific/Pago_Pago': -11 };
    for (const timeZone of Object.keys(zones)) {
      await stage.tenant.admin.patch('', { timeZone }).expect(200);
      const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, { timezoneId: 'UTC' });
      await sue.page.goto(`${stage.road.url}/console/reports`);
      await sue.page.getByText(`Days in the time zone ${timeZone}.`).waitFor();
      const to = sue.page.getByLabel('To', { exact: true });
      const today = (zone: string) =>
        new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(Date.now());
      expect(await to.inputValue()).toBe(today(timeZone));
      await sue.page.getByLabel('Time zone').selectOption({ label: 'Of this browser (UTC)' });
      await eventually(
        () => to.inputValue(),
        (day) => day === today('UTC'),
      );
      expect(await sue.page.getByLabel('Period').inputValue()).toBe('week');
      await sue.page.getByLabel('From').fill('2020-01-01');
      await sue.page.getByText('A report covers at most 366 days').waitFor();
    }
  });

  it('the overview marks the longest wait of all groups by the limit of its group', async () => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { maxWaitSeconds: 180 }).expect(200);
    const id = await anotherChat(stage, 'Wendy', 'Help');
    await stage.parley.query(`UPDATE chats SET queued_at = queued_at - interval '4 minutes' WHERE id = $1`, [id]);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.page.goto(`${stage.road.url}/console/overview`);
    await sue.page.locator('.tile.warns').filter({ hasText: 'Longest wait' }).waitFor();
  });
});

/** A day by UTC, as `YYYY-MM-DD`. */
function dayBefore(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
}
