import { beforeEach, describe, expect, it } from '@jest/globals';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import { eventually } from '../support/eventually.js';
import { type Visit } from './support/visit.js';

const { width, height } = PHONE.viewport;

// No browser opens a keyboard without a hand. This is what it would report about the visible part.
const KEYBOARD = `
  const seen = new EventTarget();
  let keyboard = 0;
  Object.defineProperty(seen, 'height', { get: () => innerHeight - keyboard });
  Object.defineProperty(window, 'visualViewport', { value: Object.assign(seen, { scale: 1, offsetTop: 0 }) });
  window.showKeyboard = (height, offsetTop = 0) => {
    keyboard = height;
    seen.offsetTop = offsetTop;
    seen.dispatchEvent(new Event('resize'));
  };`;

describe('the widget on a phone', () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    stage.site.page.body = '<main><a href="/">Home</a><p style="height: 3000px">A long page</p></main>';
    visit = await stage.visit(PHONE, 'about:blank');
    await visit.page.addInitScript(KEYBOARD);
    await visit.page.goto(stage.site.url);
    await visit.launcher.waitFor();
  });

  const focused = () =>
    visit.page.evaluate<string>(`
    (() => {
      const inside = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
      return inside.getAttribute('aria-label') ?? inside.textContent;
    })()`);
  const boxOf = async (part: 'panel' | 'composer') => (await visit[part].boundingBox())!;

  it("the panel takes the whole screen as a modal dialog, and the page behind it doesn't scroll", async () => {
    await visit.launcher.tap();
    await visit.online();
    expect(await boxOf('panel')).toEqual({ x: 0, y: 0, width, height });
    expect(await visit.panel.getAttribute('aria-modal')).toBe('true');
    expect(await visit.launcher.isVisible()).toBe(false);
    await visit.page.mouse.move(width / 2, height / 2);
    await visit.page.mouse.wheel(0, 500);
    await visit.say('Hello');
    expect(await visit.page.evaluate('scrollY')).toBe(0);
    await visit.button('Close chat').tap();
    await visit.panel.waitFor({ state: 'hidden' });
    await visit.page.mouse.wheel(0, 500);
    await eventually(
      () => visit.page.evaluate<number>('scrollY'),
      (y) => y > 0,
    );
  });

  it('the end of an answer that fits stays in sight when the keyboard opens', async () => {
    await visit.launcher.tap();
    await visit.online();
    await visit.say('Hello');
    await stage.say(`${'A line that says something.\n\n'.repeat(9)}Which of them?`);
    const end = visit.messages.getByText('Which of them?');
    await end.waitFor();
    const isInView = async () => {
      const [text, field] = await Promise.all([end.boundingBox(), boxOf('composer')]);
      return text!.y + text!.height <= field.y;
    };
    await eventually(isInView, Boolean);
    await visit.page.evaluate(`showKeyboard(${Math.round(height * 0.43)})`);
    await eventually(
      () => boxOf('panel'),
      (box) => box.height < height,
    );
    await eventually(isInView, Boolean);
  });

  it("the panel keeps the focus while it's open, doesn't open the keyboard, and gives the focus back", async () => {
    await visit.launcher.tap();
    await visit.online();
    expect(await focused()).toBe('Acme');
    const round: string[] = [];
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await visit.page.keyboard.press(key);
      round.push(await focused());
    }
    const [close, messages, field] = ['Close chat', 'Messages', 'Message'];
    expect(round).toEqual([close, messages, field, close, messages, close, field, messages]);
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Open chat');
  });

  it('the focus stays in the panel while a form is in the place of the text field', async () => {
    await stage.tenant.admin.patch('/widget', { askName: 'optional' }).expect(200);
    const other = await stage.visit(PHONE);
    await other.launcher.tap();
    await other.panel.getByRole('textbox', { name: 'Name' }).waitFor();
    const isInside = `document.activeElement.localName === 'parley-widget'`;
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await other.page.keyboard.press(key);
      expect(await other.page.evaluate(isInside)).toBe(true);
    }
  });

  it('the focus goes back to the site’s own button that opened the panel', async () => {
    stage.site.page.attributes += ' data-launcher="hidden"';
    stage.site.page.body = `<button onclick="Parley('open')">Ask us</button>`;
    await visit.page.goto(stage.site.url);
    await visit.page.getByRole('button', { name: 'Ask us' }).focus();
    await visit.page.keyboard.press('Enter');
    await visit.online();
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Ask us');
  });

  it('the text field and the newest message stay above the keyboard', async () => {
    await visit.launcher.tap();
    await visit.online();
    for (let count = 1; count <= 12; count++) await visit.say(`Message ${count}`);
    await visit.composer.tap();
    await visit.page.evaluate('showKeyboard(360, 40)');
    const seen = { x: 0, y: 40, width, height: height - 360 };
    await eventually(
      () => boxOf('panel'),
      (box) => JSON.stringify(box) === JSON.stringify(seen),
    );
    const field = await boxOf('composer');
    expect([field.y > 40, field.y + field.height <= seen.y + seen.height]).toEqual([true, true]);
    const isNewestSeen = async () => {
      const { y, height: size } = (await visit.messages.last().boundingBox())!;
      return y + size < field.y;
    };
    await eventually(isNewestSeen, Boolean);
    await visit.page.evaluate('showKeyboard(0)');
    await eventually(
      () => boxOf('panel'),
      (box) => box.y === 0 && box.height === height,
    );
  });

  it('the panel works in portrait and landscape', async () => {
    await visit.launcher.tap();
    await visit.online();
    await visit.say('Hello');
    await visit.page.setViewportSize({ width: height, height: width });
    await visit.page.evaluate('showKeyboard(0)');
    await eventually(
      () => boxOf('panel'),
      (box) => box.width === height && box.height === width,
    );
    const { y, height: size } = await boxOf('composer');
    expect(y + size).toBeLessThanOrEqual(width);
    await visit.say('Turned');
    await visit.sees('Hello', 'Turned');
  });

  it('touch targets are large enough', async () => {
    await stage.tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    // The browser keeps the settings that it has read.
    visit = await stage.visit(PHONE);
    await visit.launcher.tap();
    await visit.online();
    await visit.say('Hello');
    const options = [{ label: 'A', value: 'a' }];
    await stage.say('Menu', { type: 'BUTTON', metadata: { options } });
    await stage.say('Well?', { type: 'QUICK_REPLY', metadata: { options } });
    await visit.sees('Hello', 'Menu', 'Well?');
    await visit.panel.locator('.chip').waitFor();
    await visit.panel.locator('.thumb').nth(3).waitFor();
    for (const button of await visit.panel.getByRole('button').all()) {
      const box = (await button.boundingBox())!;
      expect([await button.innerText(), box.width >= 44, box.height >= 44]).toEqual([expect.any(String), true, true]);
    }
    await visit.panel.locator('.chip').tap();
    await visit.sees('Hello', 'Menu', 'Well?', 'A');
  });
});
