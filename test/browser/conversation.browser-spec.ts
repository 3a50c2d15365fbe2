import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tenant } from '../support/parley.js';
import { Stage } from './support/stage.js';
import { eventually } from '../support/eventually.js';
import { type Visit } from './support/visit.js';

describe('the whole loop: a bot over REST, a visitor in a browser', () => {
  const stage = Stage.set();
  const chatId = stage.chatId.bind(stage);
  const say = stage.say.bind(stage);
  let tenant: Tenant;
  let visit: Visit;

  beforeEach(async () => {
    ({ tenant } = stage);
    visit = await stage.visit();
  });
  afterEach(() => expect(visit.complaints).toEqual([]));

  const latest = async () => (await stage.stored()).at(-1)!;

  it('an answer shows its sources as numbered links with their sites', async () => {
    const citations = [{ title: 'Shipping', url: 'https://shop.example/shipping' }, { title: 'The handbook' }];
    await visit.open();
    await visit.say('How long?');
    await stage.say('Two days', { metadata: { citations } });
    const sources = visit.panel.locator('.citations');
    await sources.waitFor();
    expect(await sources.locator('li').allInnerTexts()).toEqual(['Shipping shop.example', 'The handbook']);
    const numbers = await sources.evaluate((list) => `${list.computedStyleMap().get('list-style-type')}`);
    expect(numbers).toBe('decimal');
    const link = sources.getByRole('link', { name: 'Shipping' });
    expect(await link.getAttribute('href')).toBe('https://shop.example/shipping');
    expect(await link.getAttribute('rel')).toContain('noopener');
  });

  it('messages of both sides appear immediately and once, and the chat continues after a reload', async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.sees('Hello');
    expect(await latest()).toMatchObject({ content: 'Hello', seq: 1, sender: { type: 'VISITOR' } });
    await say('Hi!\nHow can I help?');
    await visit.sees('Hello', 'Hi!\nHow can I help?');
    await visit.page.reload();
    await visit.open();
    await visit.sees('Hello', 'Hi!\nHow can I help?');
  });

  it("the button counts unread messages, even after a reload, until they're read", async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.button('Close chat').click();
    await say('one');
    await say('two');
    await visit.page.getByRole('button', { name: 'Open chat (2 unread)' }).waitFor();
    await visit.page.reload();
    await visit.page.getByRole('button', { name: 'Open chat (2 unread)' }).click();
    await visit.sees('Hello', 'one', 'two');
    const read = () => tenant.bot.get(`/chats/${latestChat}/read`).then(({ body }) => body.visitor as number);
    const latestChat = await chatId();
    await eventually(read, (seq) => seq === 3);
    await visit.button('Close chat').click();
    await visit.page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
  });

  it('screen readers read the choices, and a list of them is shaded only where it scrolls', async () => {
    await visit.open();
    await visit.say('Hello');
    const options = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ label: `Size ${index + 1}`, value: `${index}` }));
    await say('Choose a **size**', { type: 'QUICK_REPLY', metadata: { options: options(2) } });
    await visit.panel
      .getByRole('log')
      .getByText('Bot · AI: Choose a size. Size 1. Size 2')
      .waitFor({ state: 'attached' });
    await visit.button('Size 2').waitFor();
    const shade = () =>
      visit.panel.locator('.chips').evaluate((list) => `${list.computedStyleMap().get('background-image')}`);
    expect(await shade()).toBe('none');
    await say('And now?', { type: 'QUICK_REPLY', metadata: { options: options(60) } });
    await visit.button('Size 60').waitFor();
    await eventually(shade, (image) => image !== 'none');
  });

  it.each([
    'كيف حالك؟',
    'Choose one:',
    'He said "Really?"',
    'Sure (or not?)',
    'Er sagte: „Wirklich?“',
    '選んでください：',
  ])('screen readers read no full stop after a sentence that has ended: %s', async (content) => {
    await visit.open();
    await visit.say('Hello');
    await say(content, { type: 'QUICK_REPLY', metadata: { options: [{ label: 'One', value: '1' }] } });
    await visit.panel.getByRole('log').getByText(`${content} One`).waitFor({ state: 'attached' });
  });

  it('a quick reply is given once, by its label, and its chips disappear', async () => {
    await visit.openEmpty();
    const options = [
      { label: 'Yes, please', value: 'yes' },
      { label: 'No', value: 'no' },
    ];
    const { id } = await say('Shall I?', { type: 'QUICK_REPLY', metadata: { options } });
    await visit.button('Yes, please').dblclick();
    await visit.sees('Shall I?', 'Yes, please');
    expect(await visit.button('No').count()).toBe(0);
    const reply = await eventually(latest, ({ sender }) => sender.type === 'VISITOR');
    expect(reply).toMatchObject({ content: 'Yes, please', seq: 2, replyTo: { messageId: id, value: 'yes' } });
  });

  it('a button can be pressed while its choice is open, greys the others, and opens links elsewhere', async () => {
    await visit.openEmpty();
    const options = [
      { label: 'Yes, cancel', value: 'cancel' },
      { label: 'Keep it', value: 'keep' },
      { label: 'Docs', url: 'https://example.com/docs' },
      { label: 'Evil', url: 'javascript:alert(1)' },
    ];
    const { id } = await say('Shall I cancel?', { type: 'BUTTON', metadata: { options } });
    await visit.button('Keep it').dblclick();
    await visit.sees('Shall I cancel?', 'Keep it');
    const reply = await eventually(latest, ({ seq }) => seq === 2);
    expect(reply).toMatchObject({ content: 'Keep it', replyTo: { messageId: id, value: 'keep' } });
    await visit.button('Keep it (chosen)').waitFor();
    expect(await visit.button('Yes, cancel').getAttribute('aria-disabled')).toBe('true');
    await visit.button('Yes, cancel').dispatchEvent('click');
    const link = visit.panel.getByRole('link', { name: /Docs/ });
    expect(await link.getAttribute('href')).toBe('https://example.com/docs');
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await visit.panel.getByRole('link', { name: /Evil/ }).count()).toBe(0);
    await visit.say('Thank you');
    await visit.sees('Shall I cancel?', 'Keep it', 'Thank you');
  });

  it('an old question takes no answer after the visitor typed, or after another question', async () => {
    await visit.openEmpty();
    const old = { type: 'BUTTON', metadata: { options: [{ label: 'Yes, cancel', value: 'cancel' }] } };
    const chips = { type: 'QUICK_REPLY', metadata: { options: [{ label: 'Tea', value: 'tea' }] } };
    await say('Shall I cancel?', old);
    await visit.say('No, keep it');
    await visit.panel.locator('.choice[aria-disabled=true]').getByText('Yes, cancel').waitFor();
    await say('What else?', chips);
    await visit.panel.locator('.chip').waitFor();
    await say('Shall I cancel now?', old);
    await visit.panel.locator('.choice[aria-disabled=false]').getByText('Yes, cancel').waitFor();
    expect(await visit.panel.locator('.chip').count()).toBe(0);
    expect(await visit.button('Yes, cancel').count()).toBe(2);
  });

  it("an answer that came too late says why it wasn't sent", async () => {
    await visit.openEmpty();
    await say('Shall I cancel?', {
      type: 'BUTTON',
      metadata: { options: [{ label: 'Yes, cancel', value: 'cancel' }] },
    });
    await visit.button('Yes, cancel').waitFor();
    stage.road.cut();
    await visit.panel.getByText('Reconnecting').waitFor();
    await visit.button('Yes, cancel').click();
    await visit.panel.getByText('Sending…').waitFor();
    await say('What else?', { type: 'BUTTON', metadata: { options: [{ label: 'Tea', value: 'tea' }] } });
    stage.road.isCut = false;
    await visit.panel.getByText('Not sent: this choice has expired').waitFor();
    expect(await visit.button('Retry').count()).toBe(0);
    await visit.button('Delete').click();
    await visit.sees('Shall I cancel?', 'What else?');
    visit.complaints.splice(0);
  });

  it('an image reserves its place, is shown, and opens large', async () => {
    await visit.openEmpty();
    const metadata = { url: `${stage.site.url}/picture.svg`, alt: 'A pixel', width: 400, height: 300 };
    await say('Look', { type: 'IMAGE', metadata });
    const image = visit.panel.getByRole('img', { name: 'A pixel' });
    await image.waitFor();
    const { width, height } = (await image.boundingBox())!;
    expect(width / height).toBeCloseTo(4 / 3, 1);
    await visit.button(/A pixel/).click();
    await visit.page.getByRole('button', { name: 'Close image' }).waitFor();
    await visit.page.keyboard.press('Escape');
    expect(await visit.page.getByRole('button', { name: 'Close image' }).count()).toBe(0);
    await visit.composer.waitFor();
  });

  it('the visitor sees who types, and that the chat is transferred, closed, and started again', async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.sees('Hello');
    const id = await chatId();
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true }).expect(200);
    await visit.panel.getByText('Bot is typing').waitFor({ state: 'attached' });
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: false }).expect(200);
    await visit.panel.getByText('Bot is typing').waitFor({ state: 'detached' });
    await tenant.bot.post('/transfer', { chatId: id }).expect(200);
    await visit.panel.getByRole('listitem').filter({ hasText: "You're waiting for General" }).waitFor();
    await tenant.admin.patch(`/chats/${id}`, { status: 'CLOSED' }).expect(200);
    await visit.panel.getByText('This chat has ended').waitFor();
    expect(await visit.composer.count()).toBe(0);
    await visit.button('Start a new chat').click();
    await visit.composer.waitFor();
    await visit.say('Me again');
    await visit.sees('Me again');
    await eventually(chatId, (next) => next !== id);
    expect(await latest()).toMatchObject({ content: 'Me again', seq: 1 });
  });

  it('the visitor sees when the bot has read', async () => {
    await visit.open();
    await visit.say('Hello');
    await visit.panel.getByText('Sent', { exact: false }).first().waitFor();
    await tenant.bot.post(`/chats/${await chatId()}/read`, { seq: 1 }).expect(200);
    await visit.panel.getByText('Seen', { exact: false }).first().waitFor();
  });
});
