import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('messages in the console', () => {
  const stage = Stage.set();

  const inMine = async (fields: object = {}, options: object = {}) => {
    const desk = await Desk.open(stage, fields, options);
    await desk.goTo(await waitingChat(stage, 'Where is my parcel?\nIt was due on Monday'));
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    return desk;
  };
  const menuOf = async ({ page }: Desk, words: string) => {
    const message = page.locator('.message').filter({ hasText: words });
    await message.hover();
    await message.getByRole('button', { name: 'Message actions' }).click();
  };
  const item = ({ page }: Desk, name: string) => page.getByRole('menuitem', { name });

  it('a message is quoted in front of the draft', async () => {
    const ada = await inMine();
    await ada.composer.fill('It left today');
    await menuOf(ada, 'Where is my parcel?');
    expect(await item(ada, 'Delete message').count()).toBe(0);
    await item(ada, 'Quote').click();
    expect(await ada.composer.inputValue()).toBe('> Where is my parcel?\n> It was due on Monday\n\nIt left today');
  });

  it('a message is copied', async () => {
    const ada = await inMine({}, { permissions: ['clipboard-read', 'clipboard-write'] });
    await menuOf(ada, 'Where is my parcel?');
    await item(ada, 'Copy').click();
    await ada.isTold('Copied');
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe('Where is my parcel?\nIt was due on Monday');
  });

  it("an agent deletes a message, and the visitor's open widget shows that immediately", async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await visit.sees('Hello');
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    const ada = await Desk.open(stage);
    const bob = await Desk.open(stage, { name: 'Bob', role: 'SUPERVISOR' });
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.say('The code is 4711');
    await bob.goTo(chatId, 'open');
    await bob.sees('The code is 4711');
    await visit.messages.filter({ hasText: 'The code is 4711' }).waitFor();
    await menuOf(ada, 'The code is 4711');
    await item(ada, 'Delete message').click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete message' }).click();
    for (const page of [ada.page, bob.page]) await page.locator('.message').getByText('Message deleted').waitFor();
    await visit.messages.filter({ hasText: 'Message deleted' }).waitFor();
    for (const messages of [ada.page.locator('.message'), bob.page.locator('.message'), visit.messages]) {
      await eventually(
        () => messages.filter({ hasText: 'The code is 4711' }).count(),
        (count) => count === 0,
      );
    }
  });

  it('a widget that was offline shows the deletion when it is back', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await visit.sees('Hello');
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    const ada = await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' });
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    const { body } = await ada.client.post(`/chats/${chatId}/messages`, { content: 'The code is 4711' }).expect(201);
    await visit.messages.filter({ hasText: 'The code is 4711' }).waitFor();
    stage.road.cut();
    await ada.client.delete(`/chats/${chatId}/messages/${body.message.seq}`).expect(204);
    stage.road.isCut = false;
    await visit.messages.filter({ hasText: 'Message deleted' }).waitFor();
  });

  it('the latest message stays in sight while the field below it grows', async () => {
    const ada = await Desk.open(stage, { name: 'Ada' }, { viewport: { width: 1280, height: 600 } });
    const chatId = await waitingChat(stage);
    const { bot } = stage.tenant;
    for (let count = 1; count <= 20; count++)
      await bot.post('/messages', { chatId, content: `Line ${count}` }).expect(200);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await ada.page.locator('.conversation').getByText('Ada joined the chat').waitFor();
    await ada.composer.fill('A long answer\n'.repeat(8));
    const isInSight = () =>
      ada.page.evaluate<boolean>(`(() => {
        const { scrollTop, scrollHeight, clientHeight } = document.querySelector('.conversation .scroller');
        return scrollHeight - scrollTop - clientHeight < 2;
      })()`);
    await eventually(isInSight, (isThere) => isThere);
    expect(await ada.button('Jump to latest').count()).toBe(0);
  });
});
