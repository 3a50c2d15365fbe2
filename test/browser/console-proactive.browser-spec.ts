import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('proactive messages in the console', () => {
  const stage = Stage.set({ PUBLIC_URL: 'http://127.0.0.1' });

  it('messages are added, moved, translated, and removed with the keyboard', async () => {
    const { admin } = stage.tenant;
    await admin.patch('/widget', { translations: { de: { greeting: 'Hallo' } } }).expect(200);
    const ida = await Office.open(stage, 'widget');
    const { page } = ida;
    const save = () =>
      page.getByRole('region', { name: 'Appearance and questions' }).getByRole('button', { name: 'Save' }).click();
    const messages = page.getByRole('group', { name: 'Proactive messages' });
    await messages.getByRole('button', { name: 'Add message' }).press('Enter');
    await page.keyboard.type('Need a size?');
    await messages.getByLabel('Only on pages that start').fill('shop');
    await messages.getByLabel('Delay').fill('30');
    await messages.getByLabel('After scrolling').fill('50');
    await messages.getByLabel('From this page of the visit on').fill('2');
    await messages.getByLabel('Visitors').selectOption('Returning');
    await messages.getByLabel('ID', { exact: true }).fill('Sizes');
    await save();
    await messages.getByText('lower-case letters').waitFor();
    await messages.getByLabel('ID', { exact: true }).fill('sizes');
    await save();
    await messages.getByText('each starting with /').waitFor();
    await messages.getByLabel('Only on pages that start').fill('/shop/\n/sale');
    await messages.getByRole('button', { name: 'Add message' }).press('Enter');
    await page.keyboard.type('Welcome');
    await messages.getByRole('button', { name: 'Move Message 2 up' }).press('Enter');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Message 1 up');
    await page.getByRole('group', { name: 'German' }).getByLabel('Message 2').fill('Welche Größe?');
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    await save();
    await ida.isTold('Saved');
    const sizes = { id: 'sizes', text: 'Need a size?', paths: ['/shop/', '/sale'], afterSeconds: 30, minPages: 2 };
    const { body } = await admin.get('/widget').expect(200);
    expect(body.proactiveMessages).toEqual([
      { id: 'message-2', text: 'Welcome', afterSeconds: 10 },
      { ...sizes, afterScrollPercent: 50, visitor: 'returning' },
    ]);
    expect(body.translations.de).toEqual({ greeting: 'Hallo', proactiveMessages: { sizes: 'Welche Größe?' } });
    await messages.getByRole('button', { name: 'Remove Message 1' }).press('Enter');
    await save();
    await eventually(
      async () => (await admin.get('/widget').expect(200)).body.proactiveMessages.length as number,
      (count) => count === 1,
    );
  });

  it('translations stay when an id or a key is changed, and a removed message leaves none to the next one', async () => {
    const { admin } = stage.tenant;
    await admin
      .patch('/widget', {
        formFields: [{ key: 'order', label: 'Order', type: 'text' }],
        proactiveMessages: [{ id: 'message-1', text: 'Hi', afterSeconds: 5 }],
        translations: { de: { proactiveMessages: { 'message-1': 'Hallo' } } },
      })
      .expect(200);
    const ida = await Office.open(stage, 'widget');
    const { page } = ida;
    const messages = page.getByRole('group', { name: 'Proactive messages' });
    const german = page.getByRole('group', { name: 'German' });
    await german.getByLabel('Order: Label').fill('Bestellung');
    await page.locator('.form-fields').getByLabel('Key', { exact: true }).fill('order_number');
    await messages.getByRole('button', { name: 'Remove Message 1' }).click();
    await messages.getByRole('button', { name: 'Add message' }).click();
    await messages.getByLabel('Text').fill('Need a size?');
    expect(await german.getByLabel('Message 1').inputValue()).toBe('');
    await german.getByLabel('Message 1').fill('Welche Größe?');
    await messages.getByLabel('ID', { exact: true }).fill('sizes');
    expect(await german.getByLabel('Message 1').inputValue()).toBe('Welche Größe?');
    await page.getByRole('region', { name: 'Appearance and questions' }).getByRole('button', { name: 'Save' }).click();
    await ida.isTold('Saved');
    expect((await admin.get('/widget').expect(200)).body.translations.de).toEqual({
      formFields: { order_number: { label: 'Bestellung' } },
      proactiveMessages: { sizes: 'Welche Größe?' },
    });
  });
});
