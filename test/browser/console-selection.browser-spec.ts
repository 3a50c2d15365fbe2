import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, makeAgent } from './support/desk.js';
import { Stage } from './support/stage.js';

/** A change of 200 chats takes a busy machine a while. */
const PATIENCE = { timeout: 60_000 };

describe('several selected chats', () => {
  const stage = Stage.set();

  const waitingChats = (count: number) =>
    stage.parley.query(
      `WITH chat AS (
         INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, message_count, created_at)
         SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'QUEUED', now(), now(), 0, now()
         FROM chats c, generate_series(1, ${count}) n WHERE c.id = $1
         RETURNING organization_id, id, group_id, queued_at)
       INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered)
       SELECT organization_id, replace(id, 'cht_', 'hof_'), id, group_id, 'SYSTEM', queued_at, queued_at, 'KEEP' FROM chat`,
      [stage.tenant.chatId],
    );
  const owners = async () => {
    const rows = await stage.parley.query<{ status: string; count: string }>(
      `SELECT status, count(*) FROM chats WHERE organization_id = $1 GROUP BY status ORDER BY status`,
      [stage.tenant.id],
    );
    return rows.map(({ status, count }) => `${status} ${count}`).join();
  };
  /** Confirms the question whether to end this many chats. */
  const confirmEnd = ({ page }: Desk, count: number) =>
    page
      .getByRole('dialog', { name: `End ${count} chats?` })
      .getByRole('button', { name: 'End chats' })
      .click();
  /** Selects the rows of a view, which the key opens. @param rows how many the list has to show before */
  const selectAll = async (desk: Desk, key: string, rows = 1) => {
    await desk.page.keyboard.press(key);
    await desk.rows.nth(rows - 1).waitFor();
    await desk.button('Select chats').click();
    await desk.button('Select all').click();
  };
  const undo = ({ page }: Desk) => page.locator('.notices').getByRole('button', { name: 'Undo' });

  it('a supervisor ends 200 of many waiting chats, and one request for each puts them back where they were in the queue', async () => {
    await waitingChats(230);
    const waits = () =>
      stage.parley.query(
        `SELECT id, date_trunc('milliseconds', queued_at) AS since FROM chats WHERE organization_id = $1 ORDER BY id`,
        [stage.tenant.id],
      );
    const before = await waits();
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await selectAll(sue, '2');
    await sue.page.getByText('200 chats selected').waitFor();
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'End chat' }).click();
    await confirmEnd(sue, 200);
    await sue.page.getByText('200 chats ended.').waitFor(PATIENCE);
    expect(await owners()).toBe('ACTIVE 1,CLOSED 200,QUEUED 30');
    const requests: string[] = [];
    sue.page.on('request', (request) => request.method() === 'POST' && requests.push(request.url()));
    await undo(sue).click();
    await sue.page.getByText('200 chats restored.').waitFor(PATIENCE);
    expect(await owners()).toBe('ACTIVE 1,QUEUED 230');
    expect(await waits()).toEqual(before);
    expect(requests.filter((url) => url.includes('/chats/'))).toHaveLength(200);
  });

  it('ending several chats asks first, names how many, and a single one ends immediately', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    for (const name of ['One', 'Two', 'Three']) await anotherChat(stage, name, 'Hello');
    await selectAll(sue, '2', 3);
    await sue.page.keyboard.press('e');
    const question = sue.page.getByRole('dialog', { name: 'End 3 chats?' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await owners()).toBe('ACTIVE 1,QUEUED 3');
    await sue.page.getByLabel('Select One').uncheck();
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'End chat' }).click();
    await confirmEnd(sue, 2);
    await sue.isTold('2 chats ended.');
    await undo(sue).click();
    await sue.isTold('2 chats restored.');
    expect(await owners()).toBe('ACTIVE 1,QUEUED 3');
    await sue.button('Select chats').click();
    await sue.page.getByLabel('Select Three').check();
    await sue.page.keyboard.press('e');
    await sue.isTold('1 chat ended.');
    expect(await owners()).toBe('ACTIVE 1,CLOSED 1,QUEUED 2');
  });

  it('x and Shift select rows, and a chat that a colleague takes first stays with them', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) ids.push(await anotherChat(stage, name, 'Hello'));
    await ada.page.keyboard.press('2');
    await ada.rows.nth(3).waitFor();
    await ada.page.keyboard.press('j');
    await ada.page.getByRole('heading', { name: 'One', level: 1 }).waitFor();
    await ada.page.keyboard.press('x');
    await ada.rows.nth(2).click({ modifiers: ['Shift'] });
    await ada.page.getByText('3 chats selected').waitFor();
    await ada.page.route(
      (url) => url.pathname.endsWith(`${ids[1]}/claim`),
      async (route) => {
        const { client } = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
        await client.post(`/chats/${ids[1]}/claim`, {}).expect(200);
        await route.continue();
      },
    );
    await ada.page.locator('.selection-bar').getByRole('button', { name: 'Take chat' }).click();
    await ada.isTold('2 chats taken. 1 chat stayed as it was: Bob was faster and has the chat now.');
    await undo(ada).click();
    await ada.isTold('2 chats restored.');
    expect(await owners()).toBe('ACTIVE 2,QUEUED 3');
  });

  it('with selected chats, the keys of actions act on them instead of the open chat', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    for (const name of ['One', 'Two', 'Three']) await anotherChat(stage, name, 'Hello');
    await sue.page.keyboard.press('2');
    await sue.rows.filter({ hasText: 'One' }).click();
    await sue.page.getByRole('heading', { name: 'One', level: 1 }).waitFor();
    await sue.button('Select chats').click();
    for (const name of ['Two', 'Three']) await sue.page.getByLabel(`Select ${name}`).check();
    await sue.page.keyboard.press('s');
    // No one has these chats, so none can be snoozed.
    await sue.page.keyboard.press('t');
    await sue.page.getByRole('dialog', { name: 'Transfer 2 chats' }).waitFor();
    await sue.page.keyboard.press('Escape');
    await sue.page.keyboard.press('c');
    await sue.isTold('2 chats taken.');
    expect(await owners()).toBe('ACTIVE 3,QUEUED 1');
    await sue.page.keyboard.press('1');
    await sue.rows.nth(1).waitFor();
    await sue.page.keyboard.press('A');
    await sue.page.getByText('2 chats selected').waitFor();
    await sue.page.keyboard.press('s');
    await sue.page.getByRole('dialog', { name: 'Snooze 2 chats' }).waitFor();
  });

  it('selected chats are snoozed in one step, and one Undo wakes them', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    for (const name of ['One', 'Two', 'Three']) {
      const id = await anotherChat(stage, name, 'Hello');
      if (name !== 'Three') await client.post(`/chats/${id}/claim`, {}).expect(200);
    }
    const snoozed = async () =>
      (
        await stage.parley.query('SELECT id FROM chats WHERE snoozed_by IS NOT NULL AND organization_id = $1', [
          stage.tenant.id,
        ])
      ).length;
    await selectAll(ada, '1', 2);
    await ada.page.locator('.selection-bar').getByRole('button', { name: 'Snooze…' }).click();
    await ada.page
      .getByRole('dialog', { name: 'Snooze 2 chats' })
      .getByRole('button', { name: 'Until the visitor answers' })
      .click();
    await ada.isTold('2 chats snoozed.');
    expect(await snoozed()).toBe(2);
    await undo(ada).click();
    await ada.isTold('2 chats restored.');
    expect(await snoozed()).toBe(0);
  });

  it('selected chats are transferred to a colleague in one step, and the other list has no selection', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    await anotherChat(stage, 'One', 'Hello');
    await anotherChat(stage, 'Two', 'Hello');
    await sue.page.keyboard.press('2');
    await sue.rows.nth(1).waitFor();
    await sue.button('Select chats').click();
    await sue.page.getByLabel('Select One').check();
    await sue.page.getByLabel('Select Two').check();
    await sue.page.keyboard.press('Escape');
    await sue.page.locator('.selection-bar').waitFor({ state: 'detached' });
    await sue.button('Select chats').click();
    await sue.button('Select all').click();
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'Transfer…' }).click();
    const dialog = sue.page.getByRole('dialog', { name: 'Transfer 2 chats' });
    await dialog.getByText('Bob').click();
    await dialog.getByLabel('Note for the next agent (optional)').fill('They ask for you');
    await dialog.getByRole('button', { name: 'Transfer to Bob' }).click();
    await sue.isTold('2 chats transferred.');
    await eventually(
      async () => (await stage.tenant.admin.get('/chats?owner=AGENT').expect(200)).body.chats.length,
      (count) => count === 2,
    );
    const notes = await stage.parley.query(
      `SELECT FROM handoffs WHERE organization_id = $1 AND summary = 'They ask for you'`,
      [stage.tenant.id],
    );
    expect(notes).toHaveLength(2);
    await sue.button('Select chats').click();
    await sue.page.keyboard.press('4');
    await sue.page.locator('.selection-bar').waitFor({ state: 'detached' });
  });

  it("a supervisor who undoes the transfer of a colleague's snoozed chat gives it back to them, snoozed as before", async () => {
    const { id } = await makeAgent(stage, { name: 'Ada' });
    const { client } = await stage.parley.signInAgain(stage.tenant, id);
    const chatId = await anotherChat(stage, 'One', 'Hello');
    await client.post(`/chats/${chatId}/claim`).expect(200);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await client.post(`/chats/${chatId}/snooze`, { until }).expect(200);
    // Ada isn't in it.
    await stage.tenant.admin.post('/groups', { name: 'Refunds' }).expect(201);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.page.keyboard.press('4');
    await sue.rows.filter({ hasText: 'One' }).waitFor();
    await sue.button('Select chats').click();
    await sue.page.getByLabel('Select One').check();
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'Transfer…' }).click();
    const dialog = sue.page.getByRole('dialog', { name: 'Transfer 1 chat' });
    await dialog.getByText('Refunds').click();
    await dialog.getByRole('button', { name: 'Transfer to Refunds' }).click();
    await sue.isTold('1 chat transferred.');
    await undo(sue).click();
    await sue.isTold('1 chat restored.');
    const { body: chat } = await client.get(`/chats/${chatId}`).expect(200);
    expect(chat).toMatchObject({ assignedTo: { id }, group: { name: 'General' }, snooze: { until } });
  });

  it('an agent who transfers selected chats to a colleague is offered no Undo, because only the colleague can return them', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    await makeAgent(stage, { name: 'Ben' });
    const chatId = await anotherChat(stage, 'One', 'Hello');
    await ada.goTo(chatId);
    await ada.button('Take chat').first().click();
    await ada.composer.waitFor();
    await ada.button('Select chats').click();
    await ada.button('Select all').click();
    await ada.page.locator('.selection-bar').getByRole('button', { name: 'Transfer…' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer 1 chat' });
    await dialog.getByText('Ben').click();
    await dialog.getByRole('button', { name: 'Transfer to Ben' }).click();
    await ada.isTold('1 chat transferred.');
    expect(await ada.button('Undo').count()).toBe(0);
  });

  it('without a connection, selected chats can only be selected', async () => {
    await waitingChats(2);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await selectAll(sue, '2', 2);
    const bar = sue.page.locator('.selection-bar');
    const disabled = () => bar.locator('button:disabled').allInnerTexts();
    expect(await disabled()).toEqual(['Snooze…']);
    stage.road.cut();
    await bar.locator('button:disabled').nth(3).waitFor();
    expect(await disabled()).toEqual(['Take chat', 'Transfer…', 'Snooze…', 'End chat']);
    stage.road.isCut = false;
    await eventually(disabled, (names) => names.join() === 'Snooze…');
  });

  it('a run that loses the connection stops, and leaves the other chats selected', async () => {
    await waitingChats(20);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await selectAll(sue, '2');
    await sue.page.getByText('20 chats selected').waitFor();
    let ends = 0;
    await sue.page.route('**/close', (route) => (++ends > 5 ? route.abort() : route.continue()));
    const end = sue.page.locator('.selection-bar').getByRole('button', { name: 'End chat' });
    await end.click();
    await confirmEnd(sue, 20);
    await sue.isTold(/^5 chats ended. 15 chats stayed as they were, the first because: Can't reach the service/);
    expect(ends).toBeLessThanOrEqual(7);
    await sue.page.getByText('15 chats selected').waitFor();
    await sue.page.unroute('**/close');
    await end.click();
    await confirmEnd(sue, 15);
    await sue.isTold('15 chats ended.');
    expect(await owners()).toBe('ACTIVE 1,CLOSED 20');
    await sue.page.locator('.selection-bar').waitFor({ state: 'detached' });
  });

  it('an undo that loses the connection is continued, and a chat whose answer was lost is restored once', async () => {
    await waitingChats(20);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await selectAll(sue, '2');
    await sue.page.getByText('20 chats selected').waitFor();
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'End chat' }).click();
    await confirmEnd(sue, 20);
    await sue.isTold('20 chats ended.');
    let undos = 0;
    await sue.page.route('**/reopen', async (route) => {
      undos += 1;
      if (undos <= 5) return route.continue();
      // The service restores this one, and its answer is lost.
      if (undos === 6) await route.fetch();
      return route.abort();
    });
    await undo(sue).click();
    await sue.isTold(/^5 chats restored. 15 chats stayed as they were, the first because: Can't reach the service/);
    await sue.page.unroute('**/reopen');
    await undo(sue).click();
    await sue.isTold('15 chats restored.');
    expect(await owners()).toBe('ACTIVE 1,QUEUED 20');
    const lines = await stage.parley.query(
      `SELECT chat_id FROM messages WHERE organization_id = $1 AND metadata->>'event' = 'chat.reopened'`,
      [stage.tenant.id],
    );
    expect(lines).toHaveLength(20);
  });

  it('a run ends when the agent is removed', async () => {
    await waitingChats(60);
    const ada = await Desk.open(stage, { name: 'Ada' });
    await selectAll(ada, '2');
    await ada.page.getByText('60 chats selected').waitFor();
    let claims = 0;
    await ada.page.route(
      (url) => url.pathname.endsWith('/claim'),
      async (route) => {
        claims += 1;
        if (claims === 5) await stage.tenant.admin.delete(`/agents/${ada.agentId}`).expect(204);
        await route.continue();
      },
    );
    await ada.page.locator('.selection-bar').getByRole('button', { name: 'Take chat' }).click();
    await ada.page.getByLabel('Password').waitFor();
    expect(claims).toBeLessThan(10);
  });

  it('a run ends when another agent signs in in another tab', async () => {
    await waitingChats(6);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const bob = await makeAgent(stage, { name: 'Bob', role: 'SUPERVISOR' });
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    await sue.page.route('**/close', async (route) => {
      asked++;
      await isReleased;
      await route.continue();
    });
    await selectAll(sue, '2', 6);
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'End chat' }).click();
    await confirmEnd(sue, 6);
    await eventually(
      () => asked,
      (count) => count === 1,
    );
    const link = `${stage.road.url}/console/link#${await stage.parley.mintLink(stage.tenant, bob.id)}`;
    const other = await Desk.enter(await sue.visit.newTab(link), bob);
    await sue.button('Account').click();
    await sue.page.getByText('Bob').first().waitFor();
    const answered = sue.page.waitForResponse('**/close');
    release();
    await (await answered).finished();
    // What a run would go on with comes before this.
    await other.page.reload();
    await other.isLive();
    expect(asked).toBe(1);
    expect(await owners()).toBe('ACTIVE 1,CLOSED 1,QUEUED 5');
  });
});
