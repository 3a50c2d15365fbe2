import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('accessibility', () => {
  const stage = Stage.set();

  const STATES: Record<string, (visit: Visit) => Promise<unknown>> = {
    'before the first word': () => Promise.resolve(),
    'while the bot types': async (visit) => {
      await visit.say('Hello');
      await stage.tenant.bot.post(`/chats/${await stage.chatId()}/typing`, { isTyping: true }).expect(200);
      await visit.panel.getByText('Bot is typing').waitFor({ state: 'attached' });
    },
    'while the connection is lost and something waits': async (visit) => {
      await visit.say('Hello');
      stage.road.cut();
      await visit.panel.getByText('Reconnecting').waitFor();
      await visit.write('Still there?');
      await visit.panel.getByText('Sending…').waitFor();
    },
    'with a message that could not be sent': async (visit) => {
      await visit.page.evaluate(`Parley('send', 'x'.repeat(5001))`);
      await visit.panel.getByText('Not sent').waitFor();
      await visit.button('Retry').waitFor();
    },
    'when the chat was closed': async (visit) => {
      await visit.say('Hello');
      await stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
      await visit.button('Start a new chat').waitFor();
    },
    'with chips and buttons to choose from': async (visit) => {
      await visit.say('Hello');
      const options = [
        { label: 'Yes', value: 'yes' },
        { label: 'No', value: 'no' },
      ];
      await stage.say('Menu', {
        type: 'BUTTON',
        metadata: { options: [...options, { label: 'Docs', url: 'https://example.com' }] },
      });
      await visit.panel.locator('.buttons').getByRole('button', { name: 'Yes' }).click();
      await visit.panel.getByText('(chosen)').waitFor({ state: 'attached' });
      await stage.say('Well?', { type: 'QUICK_REPLY', metadata: { options } });
      await visit.panel.locator('.chip').first().waitFor();
    },
    'with a picture opened': async (visit) => {
      await visit.say('Hello');
      const metadata = { url: `${stage.site.url}/picture.svg`, alt: 'A pixel', width: 400, height: 300 };
      await stage.say('Look', { type: 'IMAGE', metadata });
      await visit.button(/A pixel/).click();
      await visit.page.getByRole('button', { name: 'Close image' }).waitFor();
    },
  };

  for (const [look, options] of Object.entries(LOOKS)) {
    describe(`on ${look}`, () => {
      for (const [state, reach] of Object.entries(STATES)) {
        it(state, async () => {
          stage.site.page.body = '<main><h1>A site</h1></main>';
          const visit = await stage.visit(options);
          await visit.open();
          await reach(visit);
          expect(await findViolations(visit)).toEqual([]);
        });
      }

      it("axe finds no violation in the widget while it's closed, and on a right-to-left page", async () => {
        stage.site.page.body = '<main><h1>موقع</h1></main>';
        stage.site.page.root = 'lang="ar" dir="rtl"';
        const visit = await stage.visit(options);
        await visit.launcher.waitFor();
        expect(await findViolations(visit)).toEqual([]);
        await visit.open();
        await visit.say('مرحبا');
        await stage.say('أهلا، كيف أساعدك؟', {
          type: 'QUICK_REPLY',
          metadata: { options: [{ label: 'نعم', value: 'y' }] },
        });
        await visit.sees('مرحبا', 'أهلا، كيف أساعدك؟');
        expect(await findViolations(visit)).toEqual([]);
      });
    });
  }

  it('forced colors show who has the chat, and that the bot types', async () => {
    const visit = await stage.visit({ forcedColors: 'active' });
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    const chatId = await stage.chatId();
    const type = () => stage.tenant.bot.post(`/chats/${chatId}/typing`, { isTyping: true }).expect(200);
    await type();
    // The service ends it after a while.
    const renewal = setInterval(() => void type().catch(() => undefined), 2_000);
    const pictureOf = async (box: string, part: string, visibility: string) => {
      await visit.page.evaluate(`{
        const { shadowRoot } = document.querySelector('parley-widget');
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('${part} { animation: none !important; visibility: ${visibility} }');
        window.sheets ??= shadowRoot.adoptedStyleSheets;
        shadowRoot.adoptedStyleSheets = [...window.sheets, sheet];
      }`);
      return visit.panel.locator(box).screenshot();
    };
    try {
      for (const [box, part] of [
        ['.dots', '.dots i'],
        ['.status', '.online.BOT .status::before'],
      ] as const) {
        const shown = await pictureOf(box, part, 'visible');
        expect([part, shown.equals(await pictureOf(box, part, 'hidden'))]).toEqual([part, false]);
      }
    } finally {
      clearInterval(renewal);
    }
  });
});
