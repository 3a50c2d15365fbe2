import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

// A picture that needs no network.
const PICTURE =
  'https://shop.example/' + encodeURIComponent('a picture that does not load, because no such host exists') + '.png';
const CARDS = [
  {
    title: 'Trail shoe with an uncommonly long name that needs a second line',
    text: 'Light, for wet ground. '.repeat(12),
    url: 'https://shop.example/shoe',
    options: [
      { label: 'Size 42', value: '42' },
      { label: 'See it', url: 'https://shop.example/shoe' },
    ],
  },
  { title: 'Sandal', image: { url: PICTURE, alt: 'A sandal' }, options: [{ label: 'Take it', value: 'sandal' }] },
  { title: 'حذاء', text: 'للأرض الرطبة' },
];
const FORM = {
  title: 'Your order',
  submit: 'Send it',
  fields: [
    { key: 'order', label: 'Order number', type: 'text', isRequired: true },
    { key: 'email', label: 'Email', type: 'email' },
    { key: 'count', label: 'How many', type: 'number' },
    { key: 'topic', label: 'What happened', type: 'select', options: ['Late', 'Broken'], isRequired: true },
    { key: 'day', label: 'Since when', type: 'date' },
    { key: 'story', label: 'More', type: 'textarea' },
    { key: 'call', label: 'You may call me', type: 'checkbox' },
  ],
};

describe('cards and forms of a bot', () => {
  const stage = Stage.set();
  const picture = async ({ page }: Visit, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/offers-${name}.png` });
  };
  const begin = async (options?: Parameters<typeof stage.visit>[0]) => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    const visit = await stage.visit(options);
    await visit.open();
    await visit.say('Hello');
    return visit;
  };
  const answer = () =>
    eventually(
      async () => (await stage.stored()).at(-1)! as { replyTo?: object },
      ({ replyTo }) => !!replyTo,
    );

  it.each(Object.entries(LOOKS))('cards stand side by side, and scroll: %s', async (look, options) => {
    const visit = await begin(options);
    await stage.say('Our shoes', { type: 'BUTTON', metadata: { cards: CARDS } });
    const cards = visit.panel.locator('.card');
    await cards.nth(2).waitFor();
    expect(await cards.count()).toBe(3);
    // The picture that can't be loaded leaves no hole.
    await visit.panel.locator('.card img').waitFor({ state: 'detached' });
    const list = visit.panel.locator('.cards');
    const shifted = () => list.evaluate((box) => Math.abs(box.scrollLeft));
    expect(await shifted()).toBe(0);
    await visit.panel.locator('.turn button').last().click();
    await eventually(shifted, (pixels) => pixels > 50);
    await visit.panel.locator('.turn button').first().click();
    await picture(visit, `cards-${look}`);
    expect(await findViolations(visit)).toEqual([]);
    await visit.panel.getByRole('button', { name: 'Size 42' }).click();
    await visit.sees('Hello', 'Our shoes', 'Size 42');
    expect(await answer()).toMatchObject({ replyTo: { value: '42' } });
    expect(await visit.panel.getByRole('link', { name: 'See it' }).getAttribute('rel')).toContain('noopener');
  });

  it.each(Object.entries(LOOKS))('a form is filled in, checked, and sent once: %s', async (look, options) => {
    const visit = await begin(options);
    await stage.say('About your order', { type: 'BUTTON', metadata: { form: FORM } });
    const form = visit.panel.getByRole('form', { name: 'Your order' });
    await form.getByLabel('Order number').fill('A-1');
    await form.getByLabel('Email').fill('vera@localhost');
    await form.getByLabel('How many').fill('2');
    await form.getByLabel('You may call me').check();
    await picture(visit, `form-${look}`);
    expect(await findViolations(visit)).toEqual([]);
    const send = form.getByRole('button', { name: 'Send it' });
    // The address isn't one, and the topic is missing.
    await send.click();
    expect(await stage.stored()).toHaveLength(2);
    await form.getByLabel('Email').fill('vera@example.com');
    await form.getByLabel('What happened').selectOption('Broken');
    await form.getByLabel('Since when').fill('2026-11-02');
    await send.dblclick();
    const words =
      'Order number: A-1\nEmail: vera@example.com\nHow many: 2\nWhat happened: Broken\nSince when: 2026-11-02\nYou may call me: ✓';
    await visit.sees('Hello', 'About your order', words);
    await form.waitFor({ state: 'detached' });
    expect(await answer()).toMatchObject({
      content: words,
      metadata: {
        answers: {
          order: 'A-1',
          email: 'vera@example.com',
          count: 2,
          topic: 'Broken',
          day: '2026-11-02',
          call: true,
        },
      },
    });
    expect(await stage.stored()).toHaveLength(3);
    await picture(visit, `answered-${look}`);
  });

  it("an agent sees the cards' titles and choices, the form's fields, and what was chosen", async () => {
    const visit = await begin();
    await stage.say('Our shoes', { type: 'BUTTON', metadata: { cards: CARDS } });
    await visit.panel.getByRole('button', { name: 'Size 42' }).click();
    await visit.sees('Hello', 'Our shoes', 'Size 42');
    await stage.say('About your order', { type: 'BUTTON', metadata: { form: FORM } });
    await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId() }).expect(200);
    const ada = await Desk.open(stage);
    await ada.goTo(await stage.chatId());
    const offered = ada.page.locator('.offered');
    await offered.last().getByText('Order number').waitFor();
    expect(await offered.locator('strong').allInnerTexts()).toEqual([...CARDS.map(({ title }) => title), FORM.title]);
    expect(await offered.first().locator('.chosen').innerText()).toContain('Size 42');
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await ada.page.screenshot({ path: `${folder}/offers-console.png` });
  });

  it('answers that do not fit into a message are not sent, and stay', async () => {
    const visit = await begin();
    const fields = ['a', 'b', 'c'].map((key) => ({ key, label: key, type: 'textarea' }));
    await stage.say('Tell us', { type: 'BUTTON', metadata: { form: { fields } } });
    for (const key of ['a', 'b', 'c']) await visit.panel.getByLabel(`${key} (optional)`).fill('x'.repeat(2_000));
    await visit.button('Submit').click();
    await visit.panel.getByRole('alert').filter({ hasText: 'shorten' }).waitFor();
    await visit.panel.getByLabel('c (optional)').fill('short');
    await visit.button('Submit').click();
    await visit.panel.getByRole('alert').waitFor({ state: 'detached' });
    expect(await answer()).toMatchObject({ metadata: { answers: { c: 'short' } } });
  });

  it('tables and code keep their background, and show that they scroll', async () => {
    const visit = await begin();
    const row = (cell: string) => `|${` ${cell} |`.repeat(8)}`;
    const content = `${row('price')}\n${row('---')}\n${row('12.00 €')}\n\n\`\`\`\n${'const long = 1; '.repeat(12)}\n\`\`\``;
    await stage.say(content, { metadata: { format: 'markdown' } });
    const blocks = visit.panel.locator('.marked :is(.block-table, pre)');
    await blocks.nth(1).waitFor();
    const colors = await blocks.evaluateAll((all) =>
      all.map((block) => `${block.computedStyleMap().get('background-color')}`),
    );
    expect(colors).toEqual(['rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
    await picture(visit, 'blocks');
  });

  it('what was typed stays when the bot says more, and is gray once something else is asked', async () => {
    const visit = await begin();
    await stage.say('About your order', { type: 'BUTTON', metadata: { form: FORM } });
    const field = visit.panel.getByLabel('Order number');
    await field.fill('A-1');
    await stage.say('Take your time');
    await visit.sees('Hello', 'About your order', 'Take your time');
    expect(await field.inputValue()).toBe('A-1');
    expect(await field.isEnabled()).toBe(true);
    await stage.say('Or this?', { type: 'QUICK_REPLY', metadata: { options: [{ label: 'Yes', value: 'yes' }] } });
    await visit.button('Yes').waitFor();
    expect(await field.isEnabled()).toBe(false);
    expect(await field.inputValue()).toBe('A-1');
  });
});
