import { describe } from '@jest/globals';
import { PNG } from '../../support/pictures.js';
import { Stage } from '../support/stage.js';
import { LONG_NAME, OPTIONS, TORTURE } from './support/torture.js';
import { beginChat, type On, widgetScreens } from './support/widget.js';

describe("layout of the widget's states", () => {
  const stage = Stage.set();
  const screen = widgetScreens(stage);
  const begin = (on: On) => beginChat(stage, on, 'Guten Tag');
  const claim = async (on: On) => {
    const chatId = await begin(on);
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await on.agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await on.visit.panel.locator('.status').getByText(LONG_NAME.slice(0, 12)).waitFor();
    return chatId;
  };

  screen('an agent with the longest name who types', async (on) => {
    const chatId = await claim(on);
    await on.agent.client.post(`/chats/${chatId}/messages`, { content: TORTURE.arabic }).expect(201);
    await on.agent.client.post(`/chats/${chatId}/typing`, { isTyping: true }).expect(200);
  });
  screen(
    'a chat that no agent takes',
    async (on) => {
      const chatId = await begin(on);
      await stage.tenant.bot.post('/transfer', { chatId, maxWaitSeconds: 1 }).expect(200);
      await on.visit.panel.locator('input[type=email]').waitFor();
    },
    { chosen: { consent: 'Was Sie schreiben, wird gespeichert.', privacyUrl: 'https://acme.example/privacy' } },
  );
  screen('a lost connection with something that waits', async (on) => {
    await begin(on);
    stage.road.cut();
    await on.visit.panel.locator('.banner').waitFor();
    await on.visit.write('Noch da?');
    await on.visit.messages.nth(1).waitFor();
  });
  screen('a message that was not sent, and a long draft', async (on) => {
    await begin(on);
    await on.visit.page.evaluate(`Parley('send', 'x'.repeat(5001))`);
    await on.visit.panel.locator('.receipt.failure').waitFor();
    await on.visit.composer.fill(TORTURE.word);
  });
  screen(
    'a chat that has ended, and a rating',
    async (on) => {
      const chatId = await begin(on);
      await stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
      await on.visit.panel.getByRole('radio').nth(3).check();
      await on.visit.panel.getByRole('textbox').fill('Gut');
    },
    { chosen: { rating: true } },
  );
  screen(
    'a rated answer',
    async (on) => {
      await begin(on);
      await stage.say(TORTURE.chinese);
      await on.visit.panel.locator('.thumb').last().click();
      await on.visit.panel.locator('.reason textarea').fill(TORTURE.word.slice(0, 200));
    },
    { chosen: { messageRating: true } },
  );
  screen('the list of chats', async (on) => {
    const chatId = await claim(on);
    await on.agent.client.post(`/chats/${chatId}/messages`, { content: TORTURE.chinese }).expect(201);
    await on.visit.panel.locator('header .close').first().click();
    await on.visit.panel.locator('.chat').first().waitFor();
  });
  screen('the list of chats with titles', async (on) => {
    await begin(on);
    await stage.say(TORTURE.chinese);
    await on.visit.panel.locator('header .close').first().click();
    await on.visit.panel.locator('.actions .choice').nth(1).click();
    await on.visit.panel.locator('.intro').waitFor();
    await on.visit.write(TORTURE.word);
    await on.visit.panel.locator('.row.mine:not(.queued, .sending)').waitFor();
    await stage.say(TORTURE.arabic);
    await on.visit.panel.locator('header .close').first().click();
    await on.visit.panel.locator('.chat .title').nth(1).waitFor();
  });
  screen('pictures of the button and of the bot', async (on) => {
    for (const place of ['launcher', 'bot'])
      await stage.tenant.admin.put(`/widget/pictures/${place}`, { content: PNG }).expect(200);
    // The browser has the settings from before for five minutes.
    const session = await on.visit.context.newCDPSession(on.visit.page);
    await session.send('Network.clearBrowserCache');
    await on.visit.page.reload();
    await begin(on);
    await stage.say('Guten Tag!');
    await on.visit.panel.locator('.avatar canvas').first().waitFor();
    await on.visit.panel.locator('header .close').last().click();
    await on.visit.page.locator('.launcher .picture').waitFor();
  });
  screen('a message beside the button', async (on) => {
    await begin(on);
    await on.visit.panel.locator('header .close').last().click();
    await on.visit.panel.waitFor({ state: 'hidden' });
    await stage.say(TORTURE.word.slice(0, 2_000));
    await on.visit.page.locator('.news').waitFor();
  });
  screen('twenty buttons of which one was chosen', async (on) => {
    await begin(on);
    await stage.say('Wählen Sie', { type: 'BUTTON', metadata: { options: OPTIONS } });
    await on.visit.panel.locator('.buttons .choice').first().click();
    await on.visit.panel.locator('.buttons .chosen').waitFor();
  });
  screen('a picture that is opened', async (on) => {
    await begin(on);
    const metadata = { url: `${stage.site.url}/picture.svg`, alt: 'Ein Bild', width: 400, height: 300 };
    await stage.say('Sehen Sie', { type: 'IMAGE', metadata });
    await on.visit.button(/Ein Bild/).click();
    await on.visit.page.locator('.lightbox .close').waitFor();
  });
});
