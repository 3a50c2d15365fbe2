import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

const CARD = {
  title: 'Trail shoe',
  text: 'Light, for wet ground',
  image: { url: 'https://shop.example.com/shoe.jpg', alt: 'A green shoe' },
  url: 'https://shop.example.com/shoe',
  options: [
    { label: 'Size 42', value: 'shoe 42' },
    { label: 'See it', url: 'https://shop.example.com/shoe' },
  ],
};
const FIELDS = [
  { key: 'order', label: 'Order number', type: 'text', isRequired: true },
  { key: 'email', label: 'Email', type: 'email' },
  { key: 'count', label: 'How many', type: 'number' },
  { key: 'day', label: 'Since when', type: 'date' },
  { key: 'topic', label: 'Topic', type: 'select', options: ['Late', 'Broken'] },
  { key: 'agreed', label: 'You may call me', type: 'checkbox' },
];

describe('cards and forms of bots and agents', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const post = (metadata: object, more: object = {}) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'Our shoes', type: 'BUTTON', metadata, ...more });
  const offer = async (metadata: object) => (await post(metadata).expect(200)).body.id as string;
  const answer = (replyTo: object, metadata?: object, content = 'An answer') =>
    parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content, replyTo, metadata });

  it('an option of a card is answered like every other', async () => {
    const messageId = await offer({ cards: [CARD, { title: 'Sandal' }] });
    await answer({ messageId, value: 'shoe 43' }).expect(400);
    const { body } = await answer({ messageId, value: 'shoe 42' }).expect(201);
    expect(body.message.replyTo).toEqual({ messageId, value: 'shoe 42' });
    expect((await answer({ messageId, value: 'shoe 42' }).expect(201)).body.message.id).toBe(body.message.id);
  });

  it('cards that are wrong are refused with the field, and only of a BUTTON', async () => {
    const card = (change: object) => ({ cards: [CARD, { ...CARD, ...change }] });
    for (const [metadata, pointer] of [
      [{ cards: [] }, '/metadata/cards'],
      [{ cards: Array.from({ length: 11 }, () => ({ title: 'x' })) }, '/metadata/cards'],
      [{ cards: 'x' }, '/metadata/cards'],
      [{ cards: [null] }, '/metadata/cards/0'],
      [card({ title: '' }), '/metadata/cards/1/title'],
      [card({ text: 5 }), '/metadata/cards/1/text'],
      [card({ url: 'javascript:alert(1)' }), '/metadata/cards/1/url'],
      [card({ image: 'x' }), '/metadata/cards/1/image'],
      [card({ image: { url: 'data:,x' } }), '/metadata/cards/1/image/url'],
      [card({ image: { ...CARD.image, alt: '' } }), '/metadata/cards/1/image/alt'],
      [card({ options: Array.from({ length: 6 }, () => ({ label: 'x', value: 'x' })) }), '/metadata/cards/1/options'],
      [card({ options: [{ label: 'x' }] }), '/metadata/cards/1/options/0'],
    ] as const) {
      const { body } = await post(metadata).expect(400);
      expect([pointer, body.errors[0]]).toMatchObject([pointer, { pointer }]);
      await post(metadata, { type: 'TEXT' }).expect(200);
    }
  });

  it('a form is answered with values that fit it', async () => {
    const messageId = await offer({ form: { title: 'Your order', fields: FIELDS, submit: 'Send' } });
    const replyTo = { messageId, value: 'form' };
    const right = {
      order: 'A-1',
      email: 'vera@example.com',
      count: 0.5,
      day: '2026-02-28',
      topic: 'Late',
      agreed: false,
    };
    for (const [answers, pointer] of [
      [undefined, ''],
      [[], ''],
      [{ ...right, 'a b': 1 }, ''],
      [{ ...right, order: undefined }, '/order'],
      [{ ...right, order: '' }, '/order'],
      [{ ...right, order: 'x'.repeat(501) }, '/order'],
      [{ ...right, email: 'vera' }, '/email'],
      [{ ...right, count: '1' }, '/count'],
      [{ ...right, day: '2026-02-30' }, '/day'],
      [{ ...right, topic: 'Lost' }, '/topic'],
      [{ ...right, agreed: 'yes' }, '/agreed'],
    ] as const) {
      const { body } = await answer(replyTo, { answers }).expect(400);
      expect([answers, body.errors]).toMatchObject([answers, [{ pointer: `/metadata/answers${pointer}` }]]);
    }
    await answer({ messageId, value: 'other' }, { answers: right }).expect(400);
    const { body } = await answer(replyTo, { answers: right }, 'Order number: A-1').expect(201);
    expect(body.message).toMatchObject({ metadata: { answers: right }, replyTo });
    const { body: read } = await tenant.bot.get(`/chats/${tenant.chatId}/messages?afterSeq=1`).expect(200);
    expect(read.messages).toMatchObject([{ content: 'Order number: A-1', metadata: { answers: right } }]);
    // Another tab sends the same form.
    const again = await answer(replyTo, { answers: { order: 'B-2' } }).expect(201);
    expect(again.body.message.id).toBe(body.message.id);
  });

  it('a form that is over takes no answer', async () => {
    const form = { fields: [{ key: 'agreed', label: 'Agreed', type: 'checkbox', isRequired: true }] };
    const replyTo = { messageId: await offer({ form }), value: 'form' };
    await answer(replyTo, { answers: { agreed: false } }).expect(400);
    await offer({ options: [{ label: 'Yes', value: 'yes' }] });
    const { body } = await answer(replyTo, { answers: { agreed: true } }).expect(409);
    expect(body.code).toBe('offer_over');
  });

  it('forms that are wrong are refused with the field', async () => {
    const form = (field: object, more: object = {}) => ({
      form: { fields: [FIELDS[0], { ...FIELDS[1], ...field }], ...more },
    });
    for (const [metadata, pointer] of [
      [{ form: 'x' }, '/form'],
      [{ form: {} }, '/form/fields'],
      [{ form: { fields: [] } }, '/form/fields'],
      [{ form: { fields: [5] } }, '/form/fields/0'],
      [form({ key: 'a b' }), '/form/fields/1/key'],
      [form({ key: '__proto__' }), '/form/fields/1/key'],
      [form({ key: 'order' }), '/form/fields/1/key'],
      [form({ label: '' }), '/form/fields/1/label'],
      [form({ type: 'password' }), '/form/fields/1/type'],
      [form({ type: 'select' }), '/form/fields/1/options'],
      [form({ type: 'select', options: [''] }), '/form/fields/1/options'],
      [form({ options: ['x'] }), '/form/fields/1/options'],
      [form({ type: 'select', options: ['x'], optionLabels: { x: '' } }), '/form/fields/1/optionLabels'],
      [form({ placeholder: 7 }), '/form/fields/1/placeholder'],
      [form({ isRequired: 'yes' }), '/form/fields/1/isRequired'],
      [form({}, { title: '' }), '/form/title'],
      [form({}, { submit: 'x'.repeat(61) }), '/form/submit'],
      [{ ...form({}), options: [] }, '/form'],
    ] as const) {
      const { body } = await post(metadata).expect(400);
      expect([metadata, body.errors[0]]).toMatchObject([metadata, { pointer: `/metadata${pointer}` }]);
    }
  });

  it('an agent sends them too', async () => {
    const ada = await parley.signInAgent(tenant, { groupIds: [await defaultGroupOf(tenant)] });
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    const path = `/chats/${tenant.chatId}/messages`;
    await ada.client.post(path, { content: 'Which?', type: 'BUTTON', metadata: { cards: [{}] } }).expect(400);
    const { body } = await ada.client
      .post(path, { content: 'Which?', type: 'BUTTON', metadata: { cards: [CARD] } })
      .expect(201);
    await answer({ messageId: body.message.id, value: 'shoe 42' }).expect(201);
  });
});
