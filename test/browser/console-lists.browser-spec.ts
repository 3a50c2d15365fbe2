import { describe, expect, it } from '@jest/globals';
import { indexed } from '../search/support/searching.js';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe("agents' lists", () => {
  const stage = Stage.set();

  const names = async ({ rows }: Desk, expected: string) =>
    eventually(
      () => rows.locator('.row-name').allInnerTexts(),
      (found) => found.join() === expected,
    );
  /** A chat that an agent has taken. */
  const takenBy = async (client: { post: Function }, name: string) => {
    const id = await anotherChat(stage, name, `I am ${name}`);
    await client.post(`/chats/${id}/claim`, {}).expect(200);
    return id;
  };
  const moveTo = (chatId: string, otherId: string) =>
    stage.parley.query(`UPDATE chats SET visitor_id = (SELECT visitor_id FROM chats WHERE id = $2) WHERE id = $1`, [
      chatId,
      otherId,
    ]);

  it('a message moves its chat to the beginning of the open chats, and it stays there after a reload', async () => {
    const ada = await Desk.open(stage);
    await anotherChat(stage, 'Walter', 'Hello');
    await anotherChat(stage, 'Wilma', 'Hello');
    await ada.page.keyboard.press('4');
    await names(ada, 'Wilma,Walter,Vera');
    await stage.parley
      .visitor(stage.tenant.visitorToken)
      .post(`/chats/${stage.tenant.chatId}/messages`, { content: 'Is anyone there?' })
      .expect(201);
    await names(ada, 'Vera,Wilma,Walter');
    await ada.page.reload();
    await names(ada, 'Vera,Wilma,Walter');
  });

  it('a row has the words of a Markdown message, without its marks', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const chatId = await anotherChat(stage, 'Zoe', 'Hello');
    const content = '**Two** steps:\n\n1. Open [the page](https://example.com)\n2. `Click`';
    await stage.tenant.bot.post('/messages', { chatId, content }).expect(200);
    await ada.page.keyboard.press('2');
    await ada.rows.filter({ hasText: /Bot: Two steps:\s+1\. Open the page\s+2\. Click/ }).waitFor();
  });

  it('the list that was read before the connection is not sent a second time', async () => {
    const ada = await Desk.open(stage);
    await anotherChat(stage, 'Walter', 'Hello');
    const answers: number[] = [];
    ada.page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/agent/chats') answers.push(response.status());
    });
    await ada.page.goto(`${stage.road.url}/console/waiting`);
    await eventually(
      () => answers.join(),
      (statuses) => statuses === '200,304',
    );
    await names(ada, 'Walter');
    await anotherChat(stage, 'Wilma', 'Hello');
    await names(ada, 'Walter,Wilma');
  });

  it("a supervisor filters chats by a colleague, and the list follows the colleague's chats", async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    const walter = await takenBy(bob.client, 'Walter');
    await anotherChat(stage, 'Wilma', 'Hello');
    await sue.page.keyboard.press('4');
    const person = sue.page.getByLabel('Person');
    await person.selectOption('Bob');
    await names(sue, 'Walter');
    expect(new URL(sue.page.url()).search).toBe(`?agent=${bob.id}`);
    const zoe = await takenBy(bob.client, 'Zoe');
    await names(sue, 'Zoe,Walter');
    await sue.page.reload();
    await names(sue, 'Zoe,Walter');
    await bob.client.post(`/chats/${zoe}/messages`, { content: 'Hello Zoe' }).expect(201);
    await stage.parley.query('UPDATE chats SET waiting_since = now() WHERE id = $1', [walter]);
    await sue.button('Unanswered').click();
    await names(sue, 'Walter');
    await sue.page.goBack();
    await names(sue, 'Zoe,Walter');
    await bob.client.post(`/chats/${walter}/close`, {}).expect(200);
    await names(sue, 'Zoe');
    await sue.page.keyboard.press('5');
    await person.selectOption('Bob');
    await names(sue, 'Walter');
  });

  it('a filter by an agent who was removed finds nothing, and can be cleared', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob' });
    await sue.page.goto(`${stage.road.url}/console/open?agent=${bob.id}`);
    await sue.page.getByText('No chats match the filters').waitFor();
    await stage.tenant.admin.delete(`/agents/${bob.id}`).expect(204);
    await sue.page.reload();
    await sue.page.getByText('No chats match the filters').waitFor();
    await eventually(
      () => sue.page.getByLabel('Person').locator('option:checked').innerText(),
      (name) => name === 'Former colleague',
    );
    await sue.button('Show all').click();
    await names(sue, 'Vera');
  });

  it('the palette finds chats that no list has loaded, by name, email, and id', async () => {
    const ada = await Desk.open(stage);
    const id = await anotherChat(stage, 'Zoe Quill', 'Hello');
    const { body: chat } = await stage.tenant.admin.patch(`/chats/${id}`, { status: 'CLOSED' }).expect(200);
    await stage.parley.query(`UPDATE visitors SET email = 'zoe@example.org' WHERE id = $1`, [chat.visitor.id]);
    await indexed(stage.parley, stage.tenant.id);
    await ada.page.keyboard.press('Control+k');
    const palette = ada.page.getByRole('dialog', { name: 'Find a chat or an action' });
    for (const typed of ['quill', 'zoe@', id, chat.visitor.id as string]) {
      await palette.getByRole('combobox').fill(typed);
      await palette.getByRole('option', { name: /Zoe Quill/ }).waitFor();
    }
    await palette.getByRole('combobox').fill('nobody by this name');
    await palette.getByText('No results').waitFor();
    stage.road.cut();
    await palette.getByRole('combobox').fill('zoe');
    await palette.getByText("Couldn't search all chats").waitFor();
  });

  it('beside a chat are all chats of its visitor, and each leads to the others', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' }, { viewport: { width: 1440, height: 900 } });
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const first = await takenBy(client, 'Zoe');
    await client.post(`/chats/${first}/messages`, { content: 'Glad to help' }).expect(201);
    await client.post(`/chats/${first}/close`, {}).expect(200);
    const second = await anotherChat(stage, 'Zoe', 'It is me again');
    await moveTo(second, first);
    await ada.goTo(second, 'waiting');
    const chats = ada.page.locator('.visitor-chat');
    await eventually(
      () => chats.allInnerTexts(),
      (found) => found.length === 2 && found[1]!.includes('Ended · Ada') && found[1]!.includes('Glad to help'),
    );
    await chats.first().and(ada.page.locator('[aria-current]')).waitFor();
    await chats.last().click();
    await ada.sees('Glad to help');
    await chats.last().and(ada.page.locator('[aria-current]')).waitFor();
    await chats.first().click();
    await ada.sees('It is me again');
    const { body: chat } = await client.get(`/chats/${second}`).expect(200);
    const ida = await Office.open(stage, `visitors/${chat.visitor.id}`);
    await ida.page.locator('.visitor-chats').getByText('Glad to help').click();
    await ida.page.getByRole('heading', { name: 'Zoe', level: 1 }).waitFor();
  });

  it('an author changes a note in one tab and deletes it in another, and colleagues have no buttons for it', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' }, { viewport: { width: 1100, height: 900 } });
    const bob = await Desk.open(stage, { name: 'Bob' }, { viewport: { width: 1100, height: 900 } });
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const id = await takenBy(client, 'Zoe');
    await client.post(`/chats/${id}/notes`, { content: 'Wants a refund' }).expect(201);
    await ada.goTo(id, 'mine');
    const beside = ada.inTab(await ada.visit.newTab(`${stage.road.url}/console/mine/${id}`));
    await bob.goTo(id, 'open');
    await bob.sees('Wants a refund');
    expect(await bob.button('Edit').count()).toBe(0);
    await ada.button('Edit').click();
    const dialog = ada.page.getByRole('dialog', { name: 'Edit note' });
    await dialog.getByRole('textbox').fill('Wants an exchange');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const desk of [ada, beside, bob]) await desk.sees('Wants an exchange');
    await bob.page.getByText('Edited').waitFor();
    await ada.button('Edit').click();
    await beside.button('Delete').click();
    await beside.isTold('Note deleted');
    await dialog.getByRole('textbox').fill('Too late');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await dialog.getByText('This note was deleted').waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Too late');
    await bob.page.locator('.note-line').waitFor({ state: 'detached' });
    await beside.page.locator('.notices').getByRole('button', { name: 'Undo' }).click();
    await bob.sees('Wants an exchange');
  });

  it('returning and transferring a chat can be undone until a colleague takes it', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const id = await takenBy(client, 'Zoe');
    await ada.goTo(id, 'mine');
    const undo = ada.page.locator('.notices').getByRole('button', { name: 'Undo' });
    const transfer = async () => {
      await ada.page.getByLabel('Message to Zoe').waitFor();
      await ada.button('Transfer').first().click();
      await ada.page.getByRole('dialog').getByText('General').first().click();
      await ada.button('Transfer to General').click();
      await ada.isTold('Transferred to General');
    };
    await transfer();
    await undo.click();
    await transfer();
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    await bob.client.post(`/chats/${id}/claim`, {}).expect(200);
    await undo.click();
    await ada.isTold('Bob was faster and has the chat now.');
    expect((await bob.client.get(`/chats/${id}`).expect(200)).body.assignedTo.name).toBe('Bob');
  });
});
