import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const FIELDS = [
  { key: 'order', label: 'Order number', type: 'text', isRequired: true, placeholder: 'A-1234' },
  {
    key: 'topic',
    label: 'Topic',
    type: 'select',
    options: ['late', 'broken'],
    optionLabels: { late: 'It is late', broken: 'It is broken' },
  },
  { key: 'phone', label: 'Phone', type: 'tel' },
  { key: 'pieces', label: 'How many', type: 'number' },
  { key: 'email', label: 'Where to write to', type: 'email' },
  { key: 'call', label: 'You may call me', type: 'checkbox' },
];
const GERMAN = {
  order: { label: 'Bestellnummer', placeholder: 'B-1234' },
  topic: { label: 'Thema', optionLabels: { late: 'Zu spät', broken: 'Kaputt' } },
};
const ARABIC = { order: { label: 'رقم الطلب' }, topic: { label: 'الموضوع', optionLabels: { late: 'متأخر' } } };

const LOOKED_AT = {
  ...LOOKS,
  'a narrow phone': { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
  'right to left': {},
};

describe("the organization's own fields of the form before a chat", () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(() => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
  });
  afterEach(() => expect(visit.complaints).toEqual([]));

  const choose = (settings: object) => stage.tenant.admin.patch('/widget', settings).expect(200);
  const open = async (options?: Parameters<typeof stage.visit>[0]) => {
    visit = await stage.visit(options);
    await visit.launcher.click();
    await visit.panel.waitFor();
  };
  const field = (label: string) => visit.panel.getByLabel(label);
  const start = () => visit.button('Start chat');
  const metadataOf = async (chatId: string) =>
    (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.metadata as object;
  const picture = async (name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await visit.page.screenshot({ path: `${folder}/form-fields-${name}.png` });
  };

  it('what is filled in is the metadata of the chat in the events of the bot', async () => {
    await choose({ formFields: FIELDS, pageContext: true });
    await stage.tenant.bot.put('/subscription', { events: ['message.created'] }).expect(200);
    await open();
    await field('Order number').fill(' A-7 ');
    await field('Topic').selectOption('It is late');
    await field('Phone').fill('+49 30 1234');
    await field('How many').fill('2');
    await start().click();
    await visit.say('Where is it?');
    const { body } = await stage.tenant.bot.get('/events?wait=5').expect(200);
    expect(body.events[0].data.chat.metadata).toEqual({
      order: 'A-7',
      topic: 'late',
      phone: '+49 30 1234',
      pieces: 2,
      call: false,
      url: expect.any(String),
      title: expect.any(String),
      language: expect.any(String),
      timeZone: expect.any(String),
      screen: expect.any(String),
    });
    expect(body.events[0].data.message.metadata).toEqual({ page: expect.any(Object) });
    expect(await field('Order number').count()).toBe(0);
  });

  it.each(Object.entries(LOOKED_AT))(
    'a fault stands beside its field, and axe finds nothing: %s',
    async (look, options) => {
      await choose({
        formFields: FIELDS,
        askName: 'optional',
        translations: { ar: { formFields: ARABIC } },
      });
      if (look === 'right to left') stage.site.page.attributes += ' data-locale="ar"';
      await open(options);
      const fields = visit.panel.locator('.fields');
      await fields.locator('.primary').click();
      await fields
        .locator('label', { has: visit.page.locator('[name=":order"]') })
        .locator('.fault')
        .waitFor();
      expect(await fields.locator('.fault').count()).toBe(1);
      expect(await fields.locator('[name=":order"]').evaluate((input) => input.matches(':focus'))).toBe(true);
      expect(await findViolations(visit)).toEqual([]);
      await picture(look);
      await fields.locator('[name=":order"]').fill('A-7');
      await fields.locator('.fault').waitFor({ state: 'detached' });
      await fields.locator('[name=":email"]').fill('vera@localhost');
      await fields.locator('.primary').click();
      expect(await fields.locator('.fault').count()).toBe(1);
      await fields.locator('[name=":email"]').fill('');
      await fields.locator('.primary').click();
      await visit.composer.waitFor();
    },
  );

  it('each kind has the keyboard and the completion of the browser that fit it', async () => {
    await choose({ formFields: FIELDS });
    await open();
    const shown = await visit.panel
      .locator('.fields [name]')
      .evaluateAll((inputs) =>
        inputs.map((input) => ['type', 'inputmode', 'autocomplete'].map((name) => input.getAttribute(name))),
      );
    expect(shown).toEqual([
      ['text', null, null],
      [null, null, null],
      ['tel', null, 'tel'],
      ['number', 'decimal', null],
      ['email', null, 'email'],
      ['checkbox', null, null],
    ]);
    const optional = await visit.panel.locator('.fields label', { hasText: '(optional)' }).allInnerTexts();
    expect(optional.map((text) => text.split(' (')[0])).toEqual(['Topic', 'Phone', 'How many', 'Where to write to']);
  });

  it('a German page has German words, and the same values', async () => {
    await choose({ formFields: FIELDS, translations: { de: { formFields: GERMAN } } });
    stage.site.page.attributes += ' data-locale="de"';
    await open();
    expect(await field('Bestellnummer').getAttribute('placeholder')).toBe('B-1234');
    await field('Bestellnummer').fill('B-9');
    await field('Thema').selectOption('Kaputt');
    await visit.button('Chat beginnen').click();
    await visit.say('Hallo');
    expect(await metadataOf(await stage.chatId())).toEqual({ order: 'B-9', topic: 'broken', call: false });
  });

  it('what is typed survives a reload, what is filled in too, and neither stays once the chat has begun', async () => {
    await choose({ formFields: FIELDS, askEmail: 'required' });
    await open();
    await field('Email').fill('vera@example.com');
    await field('Order number').fill('A-7');
    await field('Topic').selectOption('late');
    await field('You may call me').check();
    await visit.page.reload();
    await field('Order number').waitFor();
    expect(await field('Email').inputValue()).toBe('vera@example.com');
    expect(await field('Order number').inputValue()).toBe('A-7');
    expect(await field('Topic').inputValue()).toBe('late');
    expect(await field('You may call me').isChecked()).toBe(true);
    await start().click();
    await visit.composer.waitFor();
    await visit.page.reload();
    await visit.open();
    expect(await field('Order number').count()).toBe(0);
    await visit.say('Hello');
    expect(await metadataOf(await stage.chatId())).toEqual({ order: 'A-7', topic: 'late', call: true });
    const kept = await visit.page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    expect(kept).not.toContain('A-7');
  });

  it('a tab whose storage is full starts the chat with what is filled in', async () => {
    await choose({ formFields: FIELDS });
    stage.site.page.head = `<script>
      for (let length = 2 ** 23, index = 0; length >= 1; )
        try { sessionStorage.setItem('full' + index++, 'x'.repeat(length)) } catch { length /= 2 }
    </script>`;
    await open();
    await field('Order number').fill('A-7');
    await start().click();
    await visit.composer.waitFor();
    await visit.say('Where is it?');
    expect(await metadataOf(await stage.chatId())).toMatchObject({ order: 'A-7' });
  });

  it('a further chat asks for the own fields again, but not for the name, and an open chat asks for nothing', async () => {
    await choose({ formFields: FIELDS, askName: 'required' });
    await open();
    await field('Name').fill('Vera');
    await field('Order number').fill('A-1');
    await start().click();
    await visit.say('Hello');
    const first = await stage.chatId();
    await visit.page.reload();
    await visit.open();
    await visit.sees('Hello');
    expect(await field('Order number').count()).toBe(0);
    // From the list of chats, beside the open one.
    await visit.button('Your chats').click();
    await visit.button('Start a new chat').click();
    expect(await field('Name').count()).toBe(0);
    await field('Order number').fill('A-2');
    await picture('a further chat');
    await start().click();
    await visit.say('Another thing');
    const second = await stage.chatId();
    expect([await metadataOf(first), await metadataOf(second)]).toMatchObject([{ order: 'A-1' }, { order: 'A-2' }]);
    // After the end of one.
    await stage.tenant.admin.patch(`/chats/${second}`, { status: 'CLOSED' }).expect(200);
    await visit.button('Start a new chat').click();
    expect(await field('Order number').inputValue()).toBe('');
    expect(await field('Order number').evaluate((input) => input.matches(':focus'))).toBe(true);
    await field('Order number').fill('A-3');
    await start().click();
    await visit.say('A third thing');
    expect(await metadataOf(await stage.chatId())).toMatchObject({ order: 'A-3' });
  });

  it('what the page says of the visitor is filled in, and stays as it is', async () => {
    await choose({ formFields: FIELDS });
    visit = await stage.visit();
    await visit.page.evaluate(`Parley('set', { visitor: { metadata: { order: 'A-5', pieces: 3 } } })`);
    await visit.launcher.click();
    await eventually(
      () => field('Order number').inputValue(),
      (order) => order === 'A-5',
    );
    await field('Order number').fill('A-6');
    await start().click();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    const { body: chat } = await stage.tenant.bot.get(`/chats/${chatId}`).expect(200);
    expect(chat.metadata).toEqual({ order: 'A-6', pieces: 3, call: false });
    expect(chat.visitor.metadata).toEqual({ order: 'A-5', pieces: 3 });
  });

  it('a message of the page waits in the text field until a required field is filled in', async () => {
    await choose({ formFields: FIELDS });
    visit = await stage.visit();
    await visit.page.evaluate(`Parley('send', 'I want the blue one')`);
    await visit.launcher.click();
    await field('Order number').fill('A-7');
    await start().click();
    await visit.composer.waitFor();
    expect(await visit.composer.inputValue()).toBe('I want the blue one');
    await visit.button('Send').click();
    await visit.sees('I want the blue one');
    await eventually(
      async () => JSON.stringify(await metadataOf(await stage.chatId())),
      (metadata) => metadata.includes('"order":"A-7"'),
    );
  });

  it('answers that do not fit into metadata are refused beside the button', async () => {
    const [first] = FIELDS;
    await choose({ formFields: ['a', 'b', 'c', 'd'].map((key) => ({ ...first, key, label: key, type: 'textarea' })) });
    await open();
    for (const key of ['a', 'b', 'c', 'd']) await visit.panel.locator(`[name=":${key}"]`).fill('x'.repeat(2_000));
    await start().click();
    await visit.panel.getByRole('alert').waitFor();
    await visit.panel.locator('[name=":d"]').fill('x');
    await start().click();
    await visit.say('Hello');
    expect(await metadataOf(await stage.chatId())).toMatchObject({ d: 'x' });
  });
});
