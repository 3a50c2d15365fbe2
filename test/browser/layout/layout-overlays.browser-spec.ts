import { describe } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { type At, consoleScreens } from './support/console.js';
import { LONG_NAME } from './support/torture.js';

describe("layout of the console's overlays", () => {
  const stage = Stage.set();
  const screen = consoleScreens(stage);
  const press = async ({ desk }: At, key: string, shown: string) => {
    await desk.page.keyboard.press(key);
    await desk.page.locator(shown).first().waitFor();
  };
  const takeChat = async (at: At) => {
    await at.desk.goTo(await at.furnished.waiting());
    await press(at, 'c', '.composer textarea');
    await at.desk.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
  };
  const chooseInMenu = async ({ desk }: At, place: number) => {
    await desk.page.locator('.chat-actions > button[popovertarget]').click();
    await desk.page.getByRole('menuitem').nth(place).click();
    await desk.page.locator('dialog[open]').waitFor();
  };

  screen('the palette', async (at) => {
    await press(at, 'Control+k', '.palette');
    await at.desk.page.locator('.palette input').fill('e');
  });
  screen('chats that the palette found', async (at) => {
    await at.furnished.rows();
    await press(at, 'Control+k', '.palette');
    await at.desk.page.locator('.palette input').fill('walter');
    await at.desk.page.locator('.command').getByText('Walter').first().waitFor();
  });
  screen('the colleagues whom a note can mention', async (at) => {
    await takeChat(at);
    await at.desk.page.keyboard.press('n');
    await at.desk.composer.fill('@');
    await at.desk.page.locator('#mentions .suggestion').first().waitFor();
  });
  screen('the mentions', async ({ desk, furnished }) => {
    const chatId = await furnished.waiting();
    const content = `@${LONG_NAME} ${'Donaudampfschifffahrt '.repeat(9)}`;
    await furnished.colleague.client.post(`/chats/${chatId}/notes`, { content, mentions: [desk.agentId] }).expect(201);
    await desk.page.goto(`${stage.road.url}/console/mentions`);
    await desk.page.locator('.line-link').first().waitFor();
  });
  screen('the chats that the agent follows', async ({ desk, furnished }) => {
    const chatId = await furnished.waiting();
    await desk.page.evaluate((id) => fetch(`/api/agent/chats/${id}/followed`, { method: 'PUT' }), chatId);
    await desk.page.goto(`${stage.road.url}/console/mentions`);
    await desk.page.locator('section .line-link').first().waitFor();
  });
  screen('a message that can be taken back', async (at) => {
    await takeChat(at);
    await at.desk.page.locator('.nav-foot > button').last().click();
    await at.desk.page.getByRole('menuitem').first().click();
    await at.desk.page.locator('dialog[open] input[type=checkbox]').check();
    await at.desk.page.locator('dialog[open] [type=submit]').click();
    await at.desk.page.locator('dialog[open]').waitFor({ state: 'detached' });
    await at.desk.page.locator('.notice').waitFor({ state: 'detached' });
    // The moment never ends.
    await at.desk.page.evaluate(`{
      const start = setTimeout;
      window.setTimeout = (work, ms) => (ms > 4_000 && ms <= 5_000 ? 0 : start(work, ms));
    }`);
    await at.desk.composer.fill('Ein Augenblick');
    await at.desk.composer.press('Enter');
    await at.desk.page.locator('.message.held').waitFor();
  });
  screen('a note that is edited', async (at) => {
    await takeChat(at);
    await at.desk.page.keyboard.press('n');
    await at.desk.composer.fill('Ein Donaudampfschifffahrtsgesellschaftskapitän '.repeat(9));
    await at.desk.composer.press('Enter');
    await at.desk.page.locator('.note-line .note-actions .button').first().click();
    await at.desk.page.locator('dialog[open] textarea').waitFor();
  });
  screen('a new reply of one’s own', async ({ desk, furnished }) => {
    await furnished.waiting();
    await desk.page.goto(`${stage.road.url}/console/replies`);
    await desk.page.locator('[data-key=n]').first().click();
    await desk.page.locator('dialog[open] .selects').waitFor();
  });
  screen('a reply with an action in the composer', async (at) => {
    const own = { shortcut: 'ende', content: 'Auf Wiedersehen!', action: 'CLOSE', language: 'de' };
    await at.desk.page.evaluate(
      (body) =>
        fetch('/api/agent/own-replies', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      own,
    );
    await takeChat(at);
    await at.desk.composer.fill('/ende');
    await at.desk.page.locator('#replies .suggestion').first().waitFor();
    await at.desk.composer.press('Enter');
    await at.desk.page.locator('.macro').waitFor();
  });
  screen('the keys', (at) => press(at, '?', '.key-list'));
  screen('the menu', async ({ desk }) => {
    await desk.page.setViewportSize({ width: 390, height: 844 });
    await desk.page.locator('.list .only-narrow').click();
    await desk.page.locator('.drawer .nav').waitFor();
  });
  screen('the presence', async ({ desk }) => {
    await desk.page.locator('.nav .me').click();
    await desk.page.locator('.popover.placed .colleagues').waitFor();
  });
  screen("the agent's own profile", async ({ desk }) => {
    await desk.page.locator('.nav-foot > button').last().click();
    await desk.page.getByRole('menuitem').first().click();
    await desk.page.locator('dialog[open] .picture-choice').waitFor();
  });
  screen('the sessions', async ({ desk }) => {
    await desk.page.locator('.nav-foot > button').last().click();
    await desk.page.getByRole('menuitem').nth(1).click();
    await desk.page.locator('.sessions li').first().waitFor();
  });
  screen('the transfer', async (at) => {
    await takeChat(at);
    await press(at, 't', '.targets .person-name');
    await at.desk.page.locator('.target').first().click();
  });
  screen('the return to the bot', async (at) => {
    await takeChat(at);
    await chooseInMenu(at, 1);
  });
  screen('the times to snooze a chat to', async (at) => {
    await takeChat(at);
    await press(at, 's', '.snooze-choices');
  });
  screen('the actions of a message', async (at) => {
    await takeChat(at);
    await at.desk.composer.fill('Ein Augenblick');
    await at.desk.composer.press('Enter');
    await at.desk.page.locator('.message .message-more').last().click();
    await at.desk.page.locator('.popover.placed').waitFor();
  });
  screen('the end of a chat with an answer', async (at) => {
    await takeChat(at);
    await at.desk.composer.fill('Einen Augenblick');
    await at.desk.page.locator('.chat-head').click({ position: { x: 2, y: 2 } });
    await press(at, 'e', 'dialog[open] footer');
  });
  screen('the question before typed words go', async (at) => {
    await takeChat(at);
    await press(at, 't', '.targets .person-name');
    await at.desk.page.locator('.fold textarea').fill('Eine lange Geschichte');
    await press(at, 'Escape', '.dialog-ask');
  });
  const showDetails = async ({ desk }: At, chatId: string) => {
    await desk.page.setViewportSize({ width: 768, height: 1024 });
    await desk.goTo(chatId, 'open');
    await desk.page.locator('.chat-head > button').last().click();
    await desk.page.locator('.drawer .details').waitFor();
  };
  screen('all chats of a visitor', async (at) => {
    await showDetails(at, await at.furnished.second());
    await at.desk.page.locator('.drawer .visitor-chat').nth(1).waitFor();
  });
  screen('a visitor to block', async (at) => {
    await showDetails(at, await at.furnished.waiting());
    await at.desk.page.locator('.drawer .details .button.small:not(.quiet)').last().click();
    await at.desk.page.locator('dialog[open] select').waitFor();
  });
  screen('a blocked visitor', async (at) => {
    const chatId = await at.furnished.waiting();
    await at.furnished.block(chatId);
    await showDetails(at, chatId);
    await at.desk.page.locator('.drawer .blocked').waitFor();
  });
  screen('the details', async (at) => {
    await showDetails(at, await at.furnished.conversation());
  });
});
