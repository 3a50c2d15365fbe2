import { afterEach, describe } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Stage } from '../support/stage.js';
import { LONG_NAME, TORTURE } from './support/torture.js';
import { beginChat, type On, widgetScreens } from './support/widget.js';

const CLOSED = {
  timeZone: 'UTC',
  week: {},
  exceptions: [{ date: '2100-01-04', ranges: [{ from: '09:00', to: '17:00' }] }],
};
const ARABIC = { root: 'lang="ar" dir="rtl"', widths: [320, 1440] } as const;
const HEBREW = { root: 'lang="he" dir="rtl"', widths: [320, 1440] } as const;

describe("layout of the widget in a visit's other states", () => {
  const stage = Stage.set();
  const screen = widgetScreens(stage);
  const begin = (on: On) => beginChat(stage, on, TORTURE.hebrew);
  const list = (on: On) => on.visit.panel.locator('header .close').first().click();

  let renewal: NodeJS.Timeout | undefined;
  afterEach(() => clearInterval(renewal));

  const answered = async (on: On) => {
    const chatId = await begin(on);
    const citations = [
      {
        title: 'Widerrufsbelehrung und Rücksendebestimmungen für Donaudampfschifffahrtsgesellschaften',
        url: TORTURE.link,
      },
      { title: TORTURE.arabic, url: 'https://example.com/ar' },
      'https://example.com/returns',
    ];
    await stage.say('Sie haben 30 Tage Zeit.', { metadata: { citations } });
    await on.visit.panel.locator('.citations a').nth(2).waitFor();
    const status = {
      isTyping: true,
      text: 'Einen Augenblick',
      status: `Bestellungen werden durchsucht: ${LONG_NAME.slice(0, 160)}`,
    };
    const work = () => stage.tenant.bot.post(`/chats/${chatId}/typing`, status).expect(200);
    await work();
    // The service ends a status after 10 s.
    renewal = setInterval(() => void work().catch(() => undefined), 4_000);
    await on.visit.panel.locator('.doing').waitFor();
  };
  const waiting = async (on: On) => {
    const chatId = await begin(on);
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await on.visit.panel.locator('header.QUEUE .status').waitFor();
  };
  const rated = async (on: On) => {
    const chatId = await begin(on);
    await stage.say('Gern geschehen!');
    await on.visit.panel.locator('.theirs').first().waitFor();
    await stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await on.visit.panel.getByRole('radio').nth(4).check();
    await on.visit.panel.locator('.rating .primary').click();
    await on.visit.panel.locator('.ended').waitFor();
  };
  const second = async (on: On) => {
    await begin(on);
    await stage.say(TORTURE.chinese);
    await list(on);
    await on.visit.panel.locator('.actions .choice').nth(2).click();
    await on.visit.panel.locator('.intro').waitFor();
    await on.visit.write(TORTURE.arabic);
    await on.visit.panel.locator('.row.mine:not(.queued, .sending)').waitFor();
    await list(on);
    await on.visit.panel.locator('.chat').nth(1).waitFor();
  };

  screen('an answer with sources, and a bot that works', answered);
  screen('an answer with sources in Arabic', answered, ARABIC);
  screen('a place in the queue', waiting);
  screen('a place in the queue in Arabic', waiting, ARABIC);
  screen('a place in the queue in Hebrew', waiting, HEBREW);
  screen('outside of the office hours', async (on) => {
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { officeHours: CLOSED }).expect(200);
    await waiting(on);
  });
  screen('a visitor who is blocked', async (on) => {
    const chatId = await begin(on);
    await on.agent.client.put(`/chats/${chatId}/block`, { reason: 'Spam' }).expect(200);
    await on.visit.panel.locator('.failure').waitFor();
  });
  screen('a rating that was given', rated, { chosen: { rating: true } });
  screen('a rating that was given in Arabic', rated, { ...ARABIC, chosen: { rating: true } });
  screen('a second chat', second, { chosen: { personAfter: 0 } });
  screen('a second chat in Arabic', second, { ...ARABIC, chosen: { personAfter: 0 } });
  screen(
    'the menu of a chat without messages',
    async (on) => {
      await begin(on);
      await list(on);
      await on.visit.panel.locator('.actions .choice').nth(2).click();
      await on.visit.panel.locator('.intro .choice').waitFor();
      await list(on);
      await on.visit.panel.locator('.actions .choice').waitFor();
    },
    { chosen: { personAfter: 0, consent: TORTURE.hebrew, privacyUrl: 'https://acme.example/privacy' } },
  );
  screen(
    'a form in Hebrew',
    async ({ visit }) => {
      await visit.launcher.click();
      await visit.panel.locator('input[type=email]').waitFor();
    },
    {
      ...HEBREW,
      chosen: { askName: 'optional', askEmail: 'required', greeting: TORTURE.hebrew, consent: TORTURE.hebrew },
    },
  );
  screen(
    'no connection in Arabic',
    async (on) => {
      await begin(on);
      stage.road.cut();
      await on.visit.panel.locator('.banner').waitFor();
      await on.visit.write(TORTURE.arabic);
      await on.visit.messages.nth(1).waitFor();
    },
    ARABIC,
  );
  screen(
    'a message beside the button in Arabic',
    async (on) => {
      await begin(on);
      await on.visit.panel.locator('header .close').last().click();
      await on.visit.panel.waitFor({ state: 'hidden' });
      await stage.say(TORTURE.arabic);
      await on.visit.page.locator('.news').waitFor();
    },
    ARABIC,
  );
  screen('what an agent sees before it is sent', async (on) => {
    const chatId = await begin(on);
    await stage.parley.admin.patch(`/${stage.tenant.id}`, { typingPreview: true }).expect(200);
    await on.agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await on.visit.page.reload();
    await eventually(
      () => on.visit.panel.locator('.composer').innerText(),
      (text) => text.length > 0,
    );
  });
});
