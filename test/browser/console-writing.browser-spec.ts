import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk, deskWithChats, waitingChat } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

describe('writing in the console', () => {
  const stage = Stage.set();

  const inMine = async (options: object = {}) => {
    const desk = await Desk.open(stage, {}, options);
    await desk.goTo(await waitingChat(stage, 'Where is my parcel?'));
    await desk.page.keyboard.press('c');
    await desk.composer.focus();
    await desk.page.locator('.format-bar').waitFor({ state: 'attached' });
    return desk;
  };
  const list = ({ page }: Desk) => page.getByRole('listbox', { name: 'Emoji' });
  const select = ({ composer }: Desk, from: number, to: number) =>
    composer.evaluate((field: any, [start, end]: number[]) => field.setSelectionRange(start, end), [from, to]);
  const selected = ({ composer }: Desk): Promise<string> =>
    composer.evaluate((field: any) => field.value.slice(field.selectionStart, field.selectionEnd));
  const has = (desk: Desk, words: string) =>
    eventually(
      () => desk.composer.inputValue(),
      (value) => value === words,
    );

  it('a colon and two letters list emoji, and a key inserts one where the caret is', async () => {
    const ada = await inMine();
    const { composer, page } = ada;
    await composer.fill('Thanks!');
    await composer.press('Home');
    await composer.pressSequentially(':t');
    expect(await list(ada).count()).toBe(0);
    await composer.pressSequentially('hu');
    await list(ada)
      .getByRole('option', { name: /thumbs up/ })
      .waitFor();
    await composer.press('ArrowDown');
    await composer.press('ArrowUp');
    await composer.press('Enter');
    await has(ada, '👍Thanks!');
    await list(ada).waitFor({ state: 'detached' });
    expect(await page.locator('.message.pending').count()).toBe(0);
    // One undo brings back what was typed.
    await composer.press('Control+z');
    await has(ada, ':thuThanks!');
    await composer.press('Control+Shift+z');
    await has(ada, '👍Thanks!');
    await ada.say('👍Thanks!');
  });

  it('times, addresses, and a closed list are no emoji, and Escape keeps the words', async () => {
    const ada = await inMine();
    const { composer } = ada;
    await composer.pressSequentially('At 10:30, see https://example.com :sm');
    await list(ada).waitFor();
    await composer.press('Escape');
    await list(ada).waitFor({ state: 'detached' });
    await has(ada, 'At 10:30, see https://example.com :sm');
    await composer.fill('');
    await composer.pressSequentially('Price:smile');
    await composer.press('Enter');
    await ada.sees('Price:smile');
  });

  it('the keys and the bar format what is selected, and format it back', async () => {
    const ada = await inMine();
    const { composer, page } = ada;
    await composer.fill('It left today');
    await select(ada, 3, 7);
    await composer.press('Control+b');
    await has(ada, 'It **left** today');
    expect(await selected(ada)).toBe('left');
    await composer.press('Control+i');
    await has(ada, 'It **_left_** today');
    await composer.press('Control+i');
    await composer.press('Control+b');
    await has(ada, 'It left today');
    const bar = page.getByRole('toolbar', { name: 'Format' });
    await bar.getByRole('button', { name: 'Code' }).click();
    await has(ada, 'It `left` today');
    await composer.press('Control+z');
    await has(ada, 'It left today');
    await select(ada, 3, 7);
    await bar.getByRole('button', { name: 'Link' }).click();
    await has(ada, 'It [left](https://) today');
    expect(await selected(ada)).toBe('https://');
    await composer.pressSequentially('https://example.com');
    await composer.fill('one\ntwo');
    await select(ada, 0, 7);
    await bar.getByRole('button', { name: 'List' }).click();
    await has(ada, '- one\n- two');
    await composer.press('Enter');
    await page.locator('.message li').nth(1).waitFor();
    expect(await page.locator('.message li').allInnerTexts()).toEqual(['one', 'two']);
  });

  it('the bar is reached by the keyboard, with one stop', async () => {
    const ada = await inMine();
    await ada.composer.fill('today');
    await select(ada, 0, 5);
    const bar = ada.page.getByRole('toolbar', { name: 'Format' });
    await bar.getByRole('button', { name: 'Bold' }).focus();
    await ada.page.keyboard.press('ArrowRight');
    await ada.page.keyboard.press('Enter');
    await has(ada, '_today_');
    expect(await bar.locator('[tabindex="0"]').count()).toBe(1);
  });

  it('notes have emoji, and no formats', async () => {
    const ada = await inMine();
    await ada.page.locator('.note-tab').click();
    await ada.composer.pressSequentially(':tad');
    await list(ada).getByRole('option', { name: /tada/ }).waitFor();
    expect(await ada.page.locator('.format-bar').count()).toBe(0);
    await ada.composer.press('Tab');
    await has(ada, '🎉');
    await ada.composer.press('Control+b');
    await has(ada, '🎉');
  });

  it('while a word is composed with an input method, no list opens and no key is taken', async () => {
    const ada = await inMine();
    const session = await ada.page.context().newCDPSession(ada.page);
    const compose = (text: string) =>
      session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await ada.composer.pressSequentially(' ');
    await compose(':smile');
    await has(ada, ' :smile');
    expect(await list(ada).count()).toBe(0);
    await ada.composer.dispatchEvent('keydown', { key: 'b', ctrlKey: true, isComposing: true });
    await has(ada, ' :smile');
    await session.send('Input.insertText', { text: ':smile' });
    await has(ada, ' :smile');
    await ada.composer.pressSequentially('y');
    await ada.composer.press('Backspace');
    await list(ada).waitFor();
  });

  it("an emoji or a format never changes another chat's draft", async () => {
    const { ada, ids } = await deskWithChats(stage, ['Walter', 'Wilma']);
    await ada.composer.focus();
    await ada.page.locator('.format-bar').waitFor();
    await ada.composer.pressSequentially('Dear Walter :sm');
    await list(ada).waitFor();
    await ada.rows.filter({ hasText: 'Wilma' }).click();
    await ada.page.locator('.chat-head').getByText('Wilma').waitFor();
    await list(ada).waitFor({ state: 'detached' });
    await ada.composer.pressSequentially('Dear Wilma');
    await ada.composer.press('Control+b');
    await has(ada, 'Dear Wilma****');
    await ada.goTo(ids[0]!, 'mine');
    await has(ada, 'Dear Walter :sm');
  });

  it.each(Object.entries({ ...LOOKS, 'a narrow phone': { viewport: { width: 320, height: 640 } } }))(
    'axe finds no violation in the list and the bar on %s',
    async (_look, options) => {
      const ada = await inMine(options);
      await ada.composer.fill('It left today :');
      await ada.composer.pressSequentially('he');
      await list(ada).waitFor();
      expect(await findViolations(ada.visit)).toEqual([]);
      await ada.composer.press('Escape');
      await select(ada, 3, 7);
      await ada.page.locator('.format-bar').waitFor();
      expect(await findViolations(ada.visit)).toEqual([]);
      expect(await ada.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
  );
});
