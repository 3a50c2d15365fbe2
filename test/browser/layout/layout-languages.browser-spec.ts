import { describe, expect, it } from '@jest/globals';
import { Stage } from '../support/stage.js';
import { findFlaws, PATIENCE } from './support/flaws.js';

const LANGUAGES = 'ar de en es fr it ja nl pl pt tr zh zh-Hant'.split(' ');

/** The widget has its own texts for all of these. */
const CHOSEN = {
  askName: 'optional',
  askEmail: 'required',
  privacyUrl: 'https://acme.example/privacy',
  messageRating: true,
  rating: true,
  personAfter: 0,
};

describe("layout of the widget's own texts on the smallest phone", () => {
  const stage = Stage.set();

  it.each(LANGUAGES)(
    'no text is cut or overlaps during a whole conversation in %s',
    async (language) => {
      await stage.tenant.admin.patch('/widget', CHOSEN).expect(200);
      stage.site.page.root = `lang="${language}"`;
      stage.site.page.body = '<main><h1>A site</h1></main>';
      const visit = await stage.visit({ viewport: { width: 320, height: 568 } });
      const { panel } = visit;
      const looksGood = async (state: string) => {
        const name = `${state} in ${language}`;
        const looks = ['light', 'text of 200 %'] as const;
        expect([name, await findFlaws(visit, { name, widths: [320], looks })]).toEqual([name, {}]);
      };
      await visit.launcher.click();
      await panel.locator('.asks input[type=email]').waitFor();
      await looksGood('questions before the chat');
      await panel.locator('.asks input[type=email]').fill('vera@example.com');
      await panel.locator('.asks button.primary').click();
      await panel.locator('.asks').waitFor({ state: 'detached' });
      await visit.write('Hello');
      await panel.locator('.row.mine:not(.queued, .sending)').waitFor();
      await stage.say('Hi');
      await panel.locator('.thumb').last().click();
      await panel.locator('.reason textarea').waitFor();
      await looksGood('a rated answer');
      await panel.locator('header .close').first().click();
      await panel.locator('.chat').first().waitFor();
      await looksGood('the list of chats');
      await visit.page.keyboard.press('Escape');
      await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId(), maxWaitSeconds: 1 }).expect(200);
      await panel.locator('.row.system').nth(1).waitFor();
      await looksGood('a chat that no agent takes');
      await stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
      await panel.getByRole('radio').nth(3).check();
      await looksGood('a rating');
      stage.road.cut();
      await panel.locator('.banner').waitFor();
      await looksGood('a lost connection');
    },
    PATIENCE,
  );
});
