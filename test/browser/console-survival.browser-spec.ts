import { describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('what a team’s console survives', () => {
  const stage = Stage.set();

  const chatOf = async (chatId: string) =>
    (
      await stage.parley.query(
        `SELECT c.status, c.agent_id AS agent, g.name AS group, c.snoozed_by AS snoozed FROM chats c
         JOIN groups g ON g.organization_id = c.organization_id AND g.id = c.group_id WHERE c.id = $1`,
        [chatId],
      )
    )[0]!;
  const claimed = async (desk: Desk) => {
    const chatId = await waitingChat(stage);
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    await desk.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    return chatId;
  };
  /** The next response to this action reaches the service, and its answer never reaches the page. */
  const loseAnswer = ({ page }: Desk, action: string) =>
    page.route(
      `**/${action}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  const inMenu = async ({ page }: Desk, name: string | RegExp) => {
    await page.locator('.chat-actions > button[popovertarget]').click();
    await page.getByRole('menuitem', { name }).click();
  };
  const submit = (desk: Desk, dialog: string, button: string | RegExp) =>
    desk.page.getByRole('dialog', { name: dialog }).getByRole('button', { name: button }).click();

  const ACTIONS: [
    action: string,
    act: (desk: Desk) => Promise<void>,
    result: object,
    shown: (desk: Desk) => Promise<void>,
  ][] = [
    [
      'close',
      (desk) => desk.button('End chat').first().click(),
      { status: 'CLOSED', agent: null },
      (desk) => desk.page.locator('.chat-head').getByText('Ended').waitFor(),
    ],
    [
      'release',
      (desk) => inMenu(desk, 'Return to queue'),
      { status: 'QUEUED', agent: null },
      (desk) => desk.button('Take chat').first().waitFor(),
    ],
    [
      'return',
      async (desk) => {
        await inMenu(desk, /^Return to bot/);
        await submit(desk, 'Return chat to the bot', 'Return to bot');
      },
      { status: 'ACTIVE', agent: null },
      (desk) => desk.button('Take over').first().waitFor(),
    ],
    [
      'transfer',
      async (desk) => {
        await desk.page.keyboard.press('t');
        const dialog = desk.page.getByRole('dialog', { name: 'Transfer chat' });
        await dialog.getByText('Sales').click();
        await dialog.getByRole('button', { name: 'Transfer to Sales' }).click();
      },
      { status: 'QUEUED', agent: null, group: 'Sales' },
      (desk) => desk.page.getByText('Sales').first().waitFor(),
    ],
    [
      'snooze',
      async (desk) => {
        await desk.page.keyboard.press('s');
        await submit(desk, 'Snooze chat', 'Until the visitor answers');
      },
      { status: 'ACTIVE', snoozed: expect.any(String) },
      (desk) => desk.page.getByText('Snoozed until the visitor answers').first().waitFor(),
    ],
  ];

  it.each(ACTIONS)(
    'if the answer to "%s" is lost, the chat is changed once, and the page shows it',
    async (action, act, result, shown) => {
      await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
      const ada = await Desk.open(stage, { role: 'SUPERVISOR' });
      const chatId = await claimed(ada);
      const { rev } = (await stage.parley.query('SELECT rev FROM chats WHERE id = $1', [chatId]))[0] as { rev: number };
      await loseAnswer(ada, action);
      await act(ada);
      await ada.isTold(/Can't reach the service/i);
      expect(await chatOf(chatId)).toMatchObject(result);
      await shown(ada);
      const { rev: after } = (await stage.parley.query('SELECT rev FROM chats WHERE id = $1', [chatId]))[0] as {
        rev: number;
      };
      expect(after).toBeGreaterThan(rev);
    },
  );

  it('a claim whose answer is lost is the agent’s, in three tabs', async () => {
    const ada = await Desk.open(stage);
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    const url = ada.page.url();
    const tabs = [ada, ada.inTab(await ada.visit.newTab(url)), ada.inTab(await ada.visit.newTab(url))];
    await Promise.all(tabs.map((tab) => tab.page.locator('.chat-head').waitFor()));
    await loseAnswer(ada, 'claim');
    await ada.button('Take chat').first().click();
    for (const tab of tabs) await tab.composer.waitFor();
    // Each tab acts at the same moment: the chat ends once, and no tab shows trouble.
    for (const tab of tabs) await tab.isSteady();
    await Promise.all(
      tabs.map((tab) =>
        tab
          .button('End chat')
          .first()
          .click({ force: true })
          .catch(() => undefined),
      ),
    );
    await until('the chat has ended', async () => (await chatOf(chatId)).status === 'CLOSED');
    const ends = await stage.parley.query(
      `SELECT FROM messages WHERE chat_id = $1 AND metadata->>'event' = 'chat.closed'`,
      [chatId],
    );
    expect(ends).toHaveLength(1);
  });

  it('an agent who is removed while an undo runs stops nothing, and the chats stay where someone finds them', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    const chats: string[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      const id = await anotherChat(stage, name, 'Hello');
      await bob.client.post(`/chats/${id}/claim`, {}).expect(200);
      chats.push(id);
    }
    await sue.page.keyboard.press('4');
    await sue.rows.nth(3).waitFor();
    await sue.button('Select chats').click();
    for (const name of ['One', 'Two', 'Three', 'Four']) await sue.page.getByLabel(`Select ${name}`).check();
    await sue.page.locator('.selection-bar').getByRole('button', { name: 'End chat' }).click();
    await sue.button('End chats').click();
    await sue.isTold('4 chats ended.');
    // Bob is removed after the first chat is his again.
    let given = 0;
    await sue.page.route('**/reopen', async (route) => {
      const answer = await route.fetch();
      if (++given === 1) await stage.tenant.admin.delete(`/agents/${bob.id}`).expect(204);
      await route.fulfill({ response: answer });
    });
    await sue.page.locator('.notices').getByRole('button', { name: 'Undo' }).click();
    await sue.isTold(/chats? restored\./);
    await until('no chat is with the removed agent', async () =>
      (await Promise.all(chats.map(chatOf))).every(({ agent }) => agent !== bob.id),
    );
    const states = await Promise.all(chats.map(chatOf));
    for (const { status } of states) expect(['QUEUED', 'ACTIVE', 'CLOSED']).toContain(status);
    await sue.page.keyboard.press('4');
    await sue.isLive();
  });

  it('an organization with 200 agents: one is found to transfer a chat to, and all are among the colleagues', async () => {
    await stage.parley.query(
      `INSERT INTO agents (organization_id, id, name, email, email_key, created_at)
       SELECT $1, 'agt_' || lpad(n::text, 26, '0'), 'Agent ' || n, n || '@many.example', n || '@many.example', now()
       FROM generate_series(1, 200) n`,
      [stage.tenant.id],
    );
    await stage.parley.query(
      `INSERT INTO agent_groups (organization_id, agent_id, group_id)
       SELECT a.organization_id, a.id, g.id FROM agents a JOIN groups g ON g.organization_id = a.organization_id AND g.is_default
       WHERE a.organization_id = $1`,
      [stage.tenant.id],
    );
    const ada = await Desk.open(stage);
    const chatId = await claimed(ada);
    await ada.page.keyboard.press('t');
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer chat' });
    await dialog.getByRole('searchbox').pressSequentially('agent 177');
    await dialog.getByText('Agent 177').waitFor();
    await dialog.getByText('Agent 178').waitFor({ state: 'detached' });
    await ada.page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Transfer to Agent 177' }).waitFor();
    await ada.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await ada.button(/^Your presence/).click();
    await eventually(
      () => ada.page.locator('.colleagues li').count(),
      (count) => count === 200,
    );
    await ada.page.keyboard.press('Escape');
    expect((await chatOf(chatId)).agent).toBe(ada.agentId);
    expect(ada.visit.complaints).toEqual([]);
  });

  it('the list stays live when the clock of the computer is set back by two hours', async () => {
    const ada = await Desk.open(stage);
    const showsAnother = async () => {
      const chatId = await anotherChat(stage, 'Vera', 'Hello');
      await ada.page.locator(`.row[data-id="${chatId}"]`).waitFor();
    };
    await ada.page.keyboard.press('2');
    await showsAnother();
    await ada.page.evaluate(`{ const { now } = Date; Date.now = () => now() - 2 * 3_600_000; }`);
    await showsAnother();
    await showsAnother();
    expect(ada.visit.complaints).toEqual([]);
  });

  it('of 1,059 waiting chats, an agent reaches the last one, and takes it', async () => {
    await stage.parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, message_count, created_at)
       SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'QUEUED', now(),
         now() - interval '1 hour' + n * interval '1 second', 0, now()
       FROM chats c, generate_series(1, 1059) n WHERE c.id = $1`,
      [stage.tenant.chatId],
    );
    const ada = await Desk.open(stage);
    await ada.page.keyboard.press('2');
    await ada.rows.first().waitFor();
    const toEnd = () =>
      ada.page.evaluate<number>(`(() => {
        const list = document.querySelector('.rows');
        list.scrollTop = list.scrollHeight;
        return Number(document.querySelector('.row-item:last-child')?.ariaPosInSet);
      })()`);
    await eventually(toEnd, (place) => place === 1_059);
    await ada.page.locator('.row-item[aria-posinset="1059"] .row').click();
    await ada.button('Take chat').first().click();
    await ada.composer.waitFor();
    const last = `cht_${'1059'.padStart(26, '0')}`;
    expect((await chatOf(last)).agent).toBe(ada.agentId);
    expect(ada.visit.complaints).toEqual([]);
  });
});
