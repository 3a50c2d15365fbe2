import { describe } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { LONG_NAME, NAMES, OPTIONS, TORTURE } from './support/torture.js';
import { beginChat, type On, widgetScreens } from './support/widget.js';

describe('layout of the widget', () => {
  const stage = Stage.set();
  const screen = widgetScreens(stage);
  const everything = async (on: On) => {
    const chatId = await beginChat(stage, on, TORTURE.word);
    await stage.tenant.bot.post('/transfer', { chatId, reason: TORTURE.emoji }).expect(200);
    await on.agent.client.post(`/chats/${chatId}/claim`).expect(200);
    for (const content of Object.values(TORTURE)) await stage.say(content);
    await on.agent.client.post(`/chats/${chatId}/messages`, { content: TORTURE.lists }).expect(201);
    await stage.say(TORTURE.emoji, { type: 'IMAGE', metadata: { url: `${stage.site.url}/picture.svg`, alt: 'Bild' } });
    await stage.say('Wählen Sie', { type: 'BUTTON', metadata: { options: OPTIONS } });
    await stage.say('Und jetzt?', { type: 'QUICK_REPLY', metadata: { options: OPTIONS } });
    await on.visit.panel.locator('.chip').last().waitFor();
    await on.visit.panel.locator('.marked table').waitFor();
  };

  screen('the button', ({ visit }) => visit.launcher.waitFor());
  screen('everything that can be said', everything, { height: 1_200 });
  screen('everything from right to left', everything, {
    root: 'lang="ar" dir="rtl"',
    height: 1_200,
    widths: [390, 1440],
  });
  screen(
    'before the first word',
    async ({ visit }) => {
      await visit.launcher.waitFor();
      await visit.launcher.click();
      await visit.panel.getByText(NAMES.arabic).waitFor();
    },
    {
      chosen: {
        name: 'Donaudampfschifffahrtsgesellschaftskapitän von Straßenbahnen',
        greeting: `Grüß Gott! ${TORTURE.chinese}`,
        questions: ['Wo ist meine Bestellung?', TORTURE.chinese, NAMES.arabic, 'Donaudampfschifffahrtsgesellschaft'],
        personAfter: 0,
        officeHours: 'Montag bis Freitag, 9 bis 17 Uhr, an Feiertagen nie',
        consent: 'Was Sie schreiben, wird gespeichert und nach 30 Tagen gelöscht.',
        privacyUrl: 'https://acme.example/privacy',
      },
    },
  );
  screen(
    'a name and an address that are asked for',
    async ({ visit }) => {
      await visit.launcher.waitFor();
      await visit.launcher.click();
      await visit.panel.locator('input[type=email]').waitFor();
    },
    { chosen: { askName: 'optional', askEmail: 'required' } },
  );
  screen(
    'own fields that are asked for',
    async ({ visit }) => {
      await visit.launcher.waitFor();
      await visit.launcher.click();
      await visit.panel.locator('.fields select').waitFor();
      await visit.panel.locator('.fields .primary').click();
      await visit.panel.locator('.fields .fault').first().waitFor();
    },
    {
      chosen: {
        askName: 'optional',
        formFields: [
          { key: 'order', label: LONG_NAME, type: 'text', isRequired: true, placeholder: 'A-1234' },
          { key: 'topic', label: TORTURE.hebrew, type: 'select', options: [LONG_NAME, NAMES.arabic] },
          { key: 'story', label: 'Donaudampfschifffahrtsgesellschaft'.repeat(3), type: 'textarea' },
          { key: 'call', label: TORTURE.chinese, type: 'checkbox', isRequired: true },
        ],
      },
    },
  );
  screen(
    'a greeting beside the button',
    async ({ visit }) => {
      await visit.page.locator('.hello').waitFor();
    },
    { chosen: { greeting: `Können wir helfen? ${LONG_NAME}`, greetingAfterSeconds: 0 } },
  );
});
