import { beforeEach, describe, expect, it } from '@jest/globals';
import { findViolations } from './support/axe.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';

const LINES = Array.from({ length: 60 }, (_, at) => `Line ${at + 1}`).join('\n');

describe('very long messages', () => {
  const stage = Stage.set();
  beforeEach(() => void (stage.site.page.body = '<main><h1>A site</h1></main>'));

  it('a long message of the visitor is folded, and opened with the keyboard', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await visit.composer.fill(LINES);
    await visit.composer.press('Enter');
    const all = visit.button('Show all');
    await all.waitFor();
    const long = visit.messages.nth(1);
    expect((await long.boundingBox())!.height).toBeLessThanOrEqual(300);
    expect(await findViolations(visit)).toEqual([]);
    await all.press('Enter');
    await all.waitFor({ state: 'detached' });
    expect((await long.boundingBox())!.height).toBeGreaterThan(1_000);
    const focused = `document.querySelector('parley-widget').shadowRoot.activeElement.className`;
    expect(await visit.page.evaluate(focused)).toContain('bubble');
  });

  it("a bot's long answer is whole when it arrives, and folded on the next page once more was said", async () => {
    stage.site.page.root = 'lang="ar" dir="rtl"';
    const visit = await stage.visit(PHONE);
    await visit.launcher.tap();
    await visit.composer.waitFor();
    await visit.say('Hello');
    await stage.say(LINES);
    await visit.messages.getByText('Line 60').waitFor();
    expect((await visit.messages.nth(1).boundingBox())!.height).toBeGreaterThan(1_000);
    await visit.say('Thanks');
    expect((await visit.messages.nth(1).boundingBox())!.height).toBeGreaterThan(1_000);
    await visit.page.reload();
    await visit.launcher.tap();
    await visit.button('إظهار الكل').waitFor();
    expect((await visit.messages.nth(1).boundingBox())!.height).toBeLessThanOrEqual(300);
    await visit.button('إظهار الكل').tap();
    await visit.button('إظهار الكل').waitFor({ state: 'detached' });
  });
});
