import { describe, expect, it } from '@jest/globals';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('colleagues in the console', () => {
  const stage = Stage.set();

  it('colleagues are named when they type and view, and a note written offline stays in its field', async () => {
    const wide = { viewport: { width: 1440, height: 900 } };
    const chatId = await waitingChat(stage);
    const ada = await Desk.open(stage, { name: 'Agnes Agent' }, wide);
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, wide);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await sue.goTo(chatId, 'open');

    const watchers = sue.page.locator('.watchers');
    await watchers.waitFor();
    expect(await watchers.getAttribute('title')).toBe('Agnes Agent is viewing this chat');
    const name = watchers.locator('bdi');
    expect(await name.innerText()).toBe('Agnes Agent');
    const isWhole = `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.watchers bdi'))`;
    expect(await sue.page.evaluate<boolean>(isWhole)).toBe(true);

    const visitor = await stage.parley.connectVisitor(stage.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId });
    await visitor.ask('typing', { chatId, isTyping: true });
    await ada.composer.pressSequentially('It is');
    const words = sue.rows.filter({ hasText: 'Vera' }).locator('.typing-words');
    await words.getByText(/^(Vera and Agnes Agent|Agnes Agent and Vera) are typing…$/).waitFor();

    await ada.page.getByRole('button', { name: 'Note', exact: true }).click();
    await ada.composer.fill('For later');
    await ada.visit.context.setOffline(true);
    stage.road.cut();
    await ada.page.getByText('notes stay in their field').waitFor();
    await ada.composer.press('Enter');
    await ada.isTold("Can't reach the service");
    expect(await ada.composer.inputValue()).toBe('For later');
  });

  it("a bot's choices appear below its question, in the last line", async () => {
    const chatId = await waitingChat(stage);
    // Enough options for more than one line, with a short last line.
    const labels = [...Array.from({ length: 7 }, (_, index) => `Send it back by parcel service ${index}`), 'No'];
    const metadata = { options: labels.map((label) => ({ label, value: label })) };
    const content = 'Do you want to send the tent back to us?';
    await stage.tenant.bot.post('/messages', { chatId, content, type: 'QUICK_REPLY', metadata }).expect(200);
    const ada = await Desk.open(stage);
    await ada.goTo(chatId);
    await ada.sees(content);
    const message = ada.page.locator('.ours').filter({ hasText: content });
    const [bubble, option] = [message.locator('.bubble'), message.locator('.option').last()];
    const ends = [];
    for (const part of [bubble, option]) {
      const { x, width } = (await part.boundingBox())!;
      ends.push(x + width);
    }
    expect(Math.abs(ends[0]! - ends[1]!)).toBeLessThan(2);
  });
});
