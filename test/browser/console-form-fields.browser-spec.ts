import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

const ORDER = { key: 'order', label: 'Order number', type: 'text', isRequired: true, placeholder: 'A-1234' };
const TOPIC = { key: 'topic', label: 'Topic', type: 'select', options: ['Late', 'Broken'] };

describe('the own fields of the form before a chat, in the console', () => {
  const stage = Stage.set();
  const stored = async () => (await stage.tenant.admin.get('/widget').expect(200)).body;
  const entry = (ida: Office, at: number) => ida.page.locator('.form-fields > ol > li').nth(at);
  const save = (ida: Office) =>
    ida.page.getByRole('region', { name: 'Appearance and questions' }).getByRole('button', { name: 'Save' });
  const focused = (ida: Office) => ida.page.evaluate('document.activeElement.ariaLabel');

  it('fields are added with a key from their label, checked, moved, and removed by keyboard', async () => {
    const ida = await Office.open(stage, 'widget');
    const { page } = ida;
    await ida.button('Add field').press('Enter');
    await page.keyboard.type('Ordér no.');
    expect(await entry(ida, 0).getByLabel('Key').inputValue()).toBe('order_no');
    await ida.button('Add field').press('Enter');
    await page.keyboard.type('Title');
    // The widget itself stores this one.
    expect(await entry(ida, 1).getByLabel('Key').inputValue()).toBe('title_2');
    await entry(ida, 1).getByLabel('Type').selectOption({ label: 'Choice' });
    await entry(ida, 1).getByLabel('Choices, one per line').fill('Late\n\nBroken');
    await entry(ida, 1).getByLabel('Must be filled in').check();
    await entry(ida, 1).getByLabel('Key').fill('a b');
    await save(ida).click();
    await entry(ida, 1).getByText('a key that no other field has').waitFor();
    await entry(ida, 1).getByLabel('Key').fill('topic');
    await page.frameLocator('.preview iframe >> nth=0').getByText('Ordér no.').waitFor();
    await ida.button('Move Title up').press('Enter');
    await eventually(
      () => focused(ida),
      (label) => label === 'Move Title up',
    );
    expect(await entry(ida, 0).getByLabel('Key').inputValue()).toBe('topic');
    await save(ida).click();
    await ida.isTold('Saved');
    const topic = { key: 'topic', label: 'Title', type: 'select', isRequired: true, options: ['Late', 'Broken'] };
    const order = { key: 'order_no', label: 'Ordér no.', type: 'text' };
    expect((await stored()).formFields).toEqual([topic, order]);
    // The key of a stored field stays.
    await entry(ida, 0).getByLabel('Label').fill('Subject');
    expect(await entry(ida, 0).getByLabel('Key').inputValue()).toBe('topic');
    await ida.button('Remove Ordér no.').press('Enter');
    await ida.button('Remove Subject').press('Enter');
    await eventually(
      () => page.evaluate('document.activeElement.textContent'),
      (text) => text === 'Add field',
    );
    await save(ida).click();
    await eventually(stored, ({ formFields }) => formFields.length === 0);
  });

  it('the texts of the fields are set for each language, and what the console does not show stays', async () => {
    const topic = { ...TOPIC, optionLabels: { Late: 'It is late' } };
    await stage.tenant.admin.patch('/widget', { formFields: [ORDER, topic] }).expect(200);
    const ida = await Office.open(stage, 'widget');
    const { page } = ida;
    await page.getByLabel('Choose a language').selectOption('de');
    await ida.button('Add').click();
    await page.getByLabel('Order number: Label').fill('Bestellnummer');
    await page.getByLabel('Topic: Label').fill('Thema');
    await page.getByLabel('Topic: Choices').fill('\nKaputt');
    await save(ida).click();
    await ida.isTold('Saved');
    const formFields = {
      order: { label: 'Bestellnummer' },
      topic: { label: 'Thema', optionLabels: { Broken: 'Kaputt' } },
    };
    expect(await stored()).toMatchObject({ formFields: [ORDER, topic], translations: { de: { formFields } } });
    await page.reload();
    await ida.isRead();
    expect(await page.getByLabel('Topic: Choices').inputValue()).toBe('\nKaputt');
    await ida.goTo('audit');
    await page.getByText('Own fields of the form').first().waitFor();
    await page.getByText('Order number, Topic').first().waitFor();
  });

  it.each(Object.entries(LOOKS))('axe finds no violation: %s', async (look, options) => {
    await stage.tenant.admin.patch('/widget', { formFields: [ORDER, TOPIC] }).expect(200);
    const ida = await Office.open(stage, 'widget', options);
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await ida.page.locator('.form-fields').screenshot({ path: `${folder}/console-fields-${look}.png` });
    expect(await ida.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
