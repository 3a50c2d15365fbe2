import { describe } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { type At, consoleScreens } from './support/console.js';
import { TORTURE } from './support/torture.js';

/** The unsent messages are old, and aren't sent automatically. */
const MAKE_OLD = `for (const key of Object.keys(localStorage).filter((name) => name.endsWith(':outbox')))
  localStorage[key] = localStorage[key].replace(/"createdAt":"\\d+/, '"createdAt":"2020')`;

describe('layout of a conversation', () => {
  const stage = Stage.set();
  const screen = consoleScreens(stage);
  const takeChat = async ({ desk, furnished }: At) => {
    const chatId = await furnished.waiting();
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    return chatId;
  };

  screen(
    'everything that can be said',
    async ({ desk, furnished }) => {
      await desk.goTo(await furnished.conversation(), 'open');
      await desk.sees('Und jetzt?');
    },
    { height: 4_000 },
  );
  screen('a chat that waits', async ({ desk, furnished }) => {
    await desk.goTo(await furnished.waiting());
    await desk.page.locator('.belonging').waitFor();
  });
  screen('a message that was not sent, and one for later', async (at) => {
    await takeChat(at);
    const { page, composer } = at.desk;
    stage.road.cut();
    await page.locator('.connection p').waitFor();
    await composer.fill(TORTURE.link);
    await composer.press('Enter');
    await page.locator('.message.pending').waitFor();
    await page.evaluate(MAKE_OLD);
    stage.road.isCut = false;
    await page.reload();
    await page.locator('.receipt.failed').waitFor();
    await composer.fill('A draft\n'.repeat(20));
  });
  screen('a note that is being written', async (at) => {
    await takeChat(at);
    await at.desk.page.locator('.note-tab').click();
    await at.desk.composer.fill('Only for us');
  });
  screen('canned replies to choose from', async (at) => {
    await takeChat(at);
    await at.desk.composer.fill('/');
    await at.desk.page.locator('.suggestions li').first().waitFor();
  });
  screen('a chat that has ended', async (at) => {
    const chatId = await takeChat(at);
    await stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await at.desk.page.locator('.status.nobody').waitFor();
  });
});
