import { describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('what the widget looks like', () => {
  const stage = Stage.set();
  const picture = async ({ page }: Visit, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/looks-${name}.png` });
  };

  it.each(Object.entries(LOOKS))(
    'the form before a chat says what may stay empty, and what its button does: %s',
    async (look, options) => {
      stage.site.page.body = '<main><h1>A site</h1></main>';
      await stage.tenant.admin.patch('/widget', { askName: 'optional', askEmail: 'required' }).expect(200);
      const visit = await stage.visit(options);
      await visit.launcher.click();
      await visit.panel.getByText('Name (optional)').waitFor();
      expect(await visit.panel.getByText('(optional)').count()).toBe(1);
      await visit.panel.getByRole('button', { name: 'Start chat' }).waitFor();
      await picture(visit, `form-${look}`);
      expect(await findViolations(visit)).toEqual([]);
    },
  );

  it.each(Object.entries(LOOKS))(
    'a rating is a row of stars, and fills up to the chosen one: %s',
    async (look, options) => {
      stage.site.page.body = '<main><h1>A site</h1></main>';
      await stage.tenant.admin.patch('/widget', { askName: null, askEmail: null, rating: true }).expect(200);
      const visit = await stage.visit(options);
      await visit.open();
      await visit.say('Hello');
      await stage.tenant.bot.post(`/chats/${await stage.chatId()}/close`, {}).expect(200);
      const stars = visit.panel.locator('.rating label span');
      await stars.first().waitFor();
      expect(await stars.allInnerTexts()).toEqual(['☆', '☆', '☆', '☆', '☆']);
      await visit.panel.getByLabel('4 of 5').check({ force: true });
      expect(await stars.allInnerTexts()).toEqual(['★', '★', '★', '★', '☆']);
      await picture(visit, `rating-${look}`);
      expect(await findViolations(visit)).toEqual([]);
    },
  );

  it.each(['light', 'dark'].flatMap((theme) => ['#fff', '#ff0', '#000', '#4353ff'].map((color) => [theme, color])))(
    'the stars stand out on %s with the brand color %s',
    async (theme, color) => {
      await stage.tenant.admin.patch('/widget', { rating: true }).expect(200);
      stage.site.page.attributes = `data-widget-key="${stage.tenant.widgetKey}" data-theme="${theme}" data-color="${color}"`;
      const visit = await stage.visit();
      await visit.open();
      await visit.say('Hello');
      await stage.tenant.bot.post(`/chats/${await stage.chatId()}/close`, {}).expect(200);
      const star = visit.panel.locator('.rating label span').first();
      await star.waitFor();
      const contrast = await star.evaluate((element: any) => {
        const page = globalThis as any;
        const lightOf = (given: string): number => {
          const context = page.document.createElement('canvas').getContext('2d');
          context.fillStyle = given;
          context.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
            value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05;
        };
        const style = page.getComputedStyle(element);
        // Also the background under the mouse.
        return ['--bg', '--soft'].map((name) => {
          const two = [lightOf(style.color), lightOf(style.getPropertyValue(name))];
          return Math.max(...two) / Math.min(...two);
        });
      });
      expect(Math.min(...contrast)).toBeGreaterThanOrEqual(3);
    },
  );

  it('hundreds of empty lines take the room of two', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await stage.say(`Top${'\n \n'.repeat(300)}Bottom`);
    const bubble = visit.panel.locator('.theirs .bubble').last();
    await bubble.getByText('Bottom').waitFor();
    expect((await bubble.boundingBox())!.height).toBeLessThan(160);
    // Code keeps its lines.
    const code = 'one\n\n\n\n\ntwo';
    await stage.say(`\`\`\`\n${code}\n\`\`\``, { metadata: { format: 'markdown' } });
    await visit.panel.locator('.marked pre').waitFor();
    expect((await visit.panel.locator('.marked pre code').textContent())!.trim()).toBe(code);
  });

  it('a white brand color leaves an edge around what has it', async () => {
    stage.site.page.attributes = `data-widget-key="${stage.tenant.widgetKey}" data-color="#ffffff"`;
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    const edge = await visit.panel
      .locator('.mine .bubble')
      .first()
      .evaluate((element: any) => (globalThis as any).getComputedStyle(element).boxShadow);
    expect(edge).not.toBe('none');
    await picture(visit, 'white');
  });
});
