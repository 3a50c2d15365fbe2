import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('chats that agents end, miss, and write twice', () => {
  const stage = Stage.set();

  /** An agent with a chat of each of these visitors. */
  const withChats = async (...names: string[]) => {
    const ada = await Desk.open(stage, { name: 'Ada' });
    const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    const ids: string[] = [];
    for (const name of names) {
      const id = await anotherChat(stage, name, `I am ${name}`);
      await client.post(`/chats/${id}/claim`, {}).expect(200);
      ids.push(id);
    }
    await eventually(
      () => ada.rows.count(),
      (count) => count === names.length,
    );
    return { ada, ids };
  };
  const isAt = ({ page }: Desk, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();

  it('an ended chat can be restored with Undo, and the next chat of the list opens', async () => {
    const { ada, ids } = await withChats('One', 'Two', 'Three', 'Four');
    await ada.goTo(ids[2]!, 'mine');
    await isAt(ada, 'Three');
    await ada.page.keyboard.press('e');
    await ada.isTold('Chat with Three ended');
    await isAt(ada, 'Two');
    expect(await ada.rows.count()).toBe(3);
    await ada.page.locator('.notices').getByRole('button', { name: 'Undo' }).click();
    await isAt(ada, 'Three');
    await ada.page.getByLabel('Message to Three').waitFor();
    expect(await ada.rows.count()).toBe(4);
  });

  it('z undoes the end of the last ended chat, and then that of the one before', async () => {
    const { ada, ids } = await withChats('One', 'Two', 'Three');
    await ada.goTo(ids[2]!, 'mine');
    await isAt(ada, 'Three');
    await ada.page.keyboard.press('e');
    await isAt(ada, 'Two');
    await ada.isSteady();
    await ada.page.keyboard.press('e');
    await isAt(ada, 'One');
    await ada.isTold('Chat with Two ended');
    // Notices stay while the pointer is at one.
    await ada.page.locator('.notices .notice').first().hover();
    await ada.areNoticesSteady();
    await ada.page.keyboard.press('z');
    await isAt(ada, 'Two');
    await ada.page.keyboard.press('z');
    await isAt(ada, 'Three');
    expect(await ada.rows.count()).toBe(3);
    await ada.page.keyboard.press('z');
    await ada.page.keyboard.press('r');
    await ada.page.keyboard.type('zzz');
    expect(await ada.composer.inputValue()).toBe('zzz');
  });

  it('a waiting chat that a supervisor ends by mistake is the first one in the queue again after Undo', async () => {
    const first = await anotherChat(stage, 'One', 'Hello');
    await anotherChat(stage, 'Two', 'Hello');
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.goTo(first);
    await isAt(sue, 'One');
    await sue.page.keyboard.press('e');
    await sue.isTold('Chat with One ended');
    await isAt(sue, 'Two');
    await sue.page.locator('.notices').getByRole('button', { name: 'Undo' }).click();
    await isAt(sue, 'One');
    await eventually(
      () => sue.page.locator('.row-name').allInnerTexts(),
      (names) => names.join() === 'One,Two',
    );
  });

  it('a chat with a half-written answer ends only after a confirmation', async () => {
    const { ada, ids } = await withChats('One');
    await ada.goTo(ids[0]!, 'mine');
    await ada.composer.fill('I will');
    await ada.button('End chat').click();
    const dialog = ada.page.getByRole('dialog', { name: 'End the chat with One?' });
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await ada.page.getByLabel('Message to One').waitFor();
    await ada.button('End chat').click();
    await dialog.getByRole('button', { name: 'End without sending' }).click();
    await ada.isTold('Chat with One ended');
  });

  it('j continues from the place of a chat that a colleague took out of the list', async () => {
    const { ada, ids } = await withChats('One', 'Two', 'Three', 'Four');
    await ada.goTo(ids[2]!, 'mine');
    await ada.page.locator('.row[aria-current=true]').waitFor();
    const { client } = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await client.post(`/chats/${ids[2]}/close`, {}).expect(200);
    await eventually(
      () => ada.rows.count(),
      (count) => count === 3,
    );
    await ada.page.keyboard.press('j');
    await isAt(ada, 'Two');
  });

  it("a draft that is sent in one tab isn't kept in another", async () => {
    const { ada, ids } = await withChats('One');
    await ada.goTo(ids[0]!, 'mine');
    const other = ada.inTab(await ada.visit.newTab(`${stage.road.url}/console/mine/${ids[0]}`));
    await other.composer.waitFor();
    await ada.composer.fill('Once');
    await eventually(
      () => other.composer.inputValue(),
      (text) => text === 'Once',
    );
    await ada.composer.press('Enter');
    await ada.sees('Once');
    await eventually(
      () => other.composer.inputValue(),
      (text) => text === '',
    );
    await other.composer.press('Enter');
    await other.sees('Once');
    const { messages } = (await stage.tenant.bot.get(`/chats/${ids[0]}/messages?limit=200`).expect(200)).body;
    const said = (messages as { content: string }[]).filter(({ content }) => content === 'Once');
    expect(said).toHaveLength(1);
  });

  it('a pause by its key is announced and can be undone, and r is one of the keys', async () => {
    const { ada } = await withChats();
    await ada.page.keyboard.press('p');
    await ada.isTold("Paused. You won't get new chats.");
    await ada.button(/^Your presence:.*Paused$/).waitFor();
    await ada.page.keyboard.press('z');
    await ada.button(/^Your presence:.*Accepting chats$/).waitFor();
    await ada.page.keyboard.press('?');
    await ada.page.getByRole('dialog').getByText('Write a reply').waitFor();
  });

  it("supervisors see which agent a chat is offered to, and the bot's summary without Markdown marks", async () => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    const ada = await Desk.open(stage, { name: 'Ada' });
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR', groupIds: [] });
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    await sue.page.getByRole('link', { name: /^Waiting/ }).click();
    const chatId = await waitingChat(stage, 'Help', { reason: 'asks', summary: '**Broken** tent\n\n- red\n- torn' });
    await sue.rows.getByText('Offered to Ada').waitFor();
    await ada.page.getByRole('alertdialog').locator('strong').getByText('Broken').waitFor();
    await sue.goTo(chatId);
    await sue.page.locator('.side li').getByText('torn').waitFor();
  });

  it.each([-2, 2])(
    "a computer's clock that is wrong by %s hours changes no countdown and no waiting time",
    async (hours) => {
      const ada = await Desk.open(stage, { name: 'Ada' });
      await ada.visit.context.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${hours} * 3600_000; }`);
      await ada.page.reload();
      await ada.isLive();
      await anotherChat(stage, 'Walter', 'Hello');
      await ada.page.getByRole('link', { name: /^Waiting/ }).click();
      await eventually(
        () => ada.rows.locator('.wait').allInnerTexts(),
        ([time]) => time !== undefined && /^0:[0-5]\d$/.test(time.trim()),
      );
      const { body } = await stage.tenant.admin.get('/groups').expect(200);
      await stage.tenant.admin
        .patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER', offerSeconds: 20 })
        .expect(200);
      const count = ada.page.locator('.countdown');
      await count.waitFor();
      const seconds = Number(await count.innerText());
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(20);
    },
  );
});
