import { describe, expect, it } from '@jest/globals';
import { signIdentity } from '../support/identity.js';
import type { BrowserContextOptions } from 'playwright-core';
import { until } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { Stage } from './support/stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('attributes in the console', () => {
  const stage = Stage.set();

  /** A chat of a visitor whom the page, a signed identity, and a bot know. */
  const begin = async () => {
    const { tenant, parley } = stage;
    const identity = await signIdentity(tenant, { sub: 'zoe', name: 'Zoe', attributes: { plan: 'gold', since: 2021 } });
    const visitor = { metadata: { favorite: 'typed by anyone' } };
    const { body } = await parley.beginSession(tenant, { identity, visitor }).expect(201);
    const client = parley.visitor(body.token);
    const { id } = (await client.post('/chats', {}).expect(201)).body.chat;
    await client.post(`/chats/${id}/messages`, { content: 'My parcel was crushed' }).expect(201);
    await tenant.bot.patch(`/visitors/${body.visitor.id}`, { attributes: { segment: 'B2B', seats: 5 } }).expect(200);
    return { chatId: id as string, visitorId: body.visitor.id as string };
  };
  const read = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body;
  const isStored = (chatId: string, ofVisitor: object, ofChat: object) =>
    until(`the attributes are ${JSON.stringify([ofVisitor, ofChat])}`, async () => {
      const { attributes, visitor } = await read(chatId);
      return JSON.stringify([visitor.attributes, attributes]) === JSON.stringify([ofVisitor, ofChat]);
    });
  /** Takes a picture into the folder of LAYOUT_PICTURES. */
  const picture = async ({ page }: Desk, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/attributes-${name}.png` });
  };

  it('an agent sees who says what, and edits attributes by keyboard', async () => {
    const { chatId } = await begin();
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.isSteady();
    const section = (title: string) =>
      ada.page.locator('.details section').filter({ has: ada.page.getByRole('heading', { name: title }) });
    const verified = section('Verified by your server');
    expect(await verified.innerText()).toMatch(/plan\s+gold\s+since\s+2021/);
    expect(await verified.getByRole('textbox').count()).toBe(0);
    expect(await section('About the visitor').innerText()).toMatch(/favorite[^]*From the page, not verified/);
    const visitor = section('Attributes of the visitor');
    await picture(ada, 'side');
    const seats = visitor.getByLabel('seats', { exact: true });
    expect(await seats.inputValue()).toBe('5');
    await seats.fill('7');
    const saved = ada.page.waitForResponse((response) => response.request().method() === 'PATCH');
    await seats.press('Enter');
    await isStored(chatId, { segment: 'B2B', seats: 7 }, {});
    await (await saved).finished();
    await seats.fill('mistyped');
    await seats.press('Escape');
    expect(await seats.inputValue()).toBe('7');
    await ada.button('Remove segment').click();
    await isStored(chatId, { seats: 7 }, {});
    await ada.button('Add to: Attributes of this chat').focus();
    await ada.page.keyboard.press('Enter');
    await ada.page.keyboard.type('order id');
    await picture(ada, 'add');
    await ada.page.keyboard.press('Enter');
    await ada.isTold(/1 to 64 letters/);
    await ada.page.keyboard.press('Control+a');
    await ada.page.keyboard.type('order');
    await ada.page.keyboard.press('Tab');
    await ada.page.keyboard.type('A-4711');
    await ada.page.keyboard.press('Enter');
    await isStored(chatId, { seats: 7 }, { order: 'A-4711' });
    await section('Attributes of this chat').getByLabel('order', { exact: true }).waitFor();
    await ada.page.locator('.attributes button:focus[aria-label="Add to: Attributes of this chat"]').waitFor();
  });

  it('a value that is not saved stays in its field, and Enter saves it', async () => {
    const { chatId } = await begin();
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.isSteady();
    const seats = ada.page.locator('.attributes').getByLabel('seats', { exact: true });
    await ada.page.route('**/api/agent/visitors/*', (route) => route.abort(), { times: 1 });
    await seats.fill('12');
    await seats.press('Enter');
    await ada.page.locator('.attributes input[aria-invalid=true]').waitFor();
    expect(await seats.inputValue()).toBe('12');
    await picture(ada, 'unsaved');
    await seats.press('Enter');
    await isStored(chatId, { segment: 'B2B', seats: 12 }, {});
    await ada.page.locator('.attributes input[aria-invalid=true]').waitFor({ state: 'detached' });
  });

  it('what a bot sets appears beside the open chat', async () => {
    const { chatId, visitorId } = await begin();
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.isSteady();
    const field = ada.page.locator('.attributes').getByLabel('segment', { exact: true });
    await field.waitFor();
    await stage.tenant.bot.patch(`/visitors/${visitorId}`, { attributes: { segment: 'Enterprise' } }).expect(200);
    await until('the new value is shown', async () => (await field.inputValue()) === 'Enterprise');
    await stage.tenant.bot.patch(`/chats/${chatId}`, { attributes: { order: 'A-1' } }).expect(200);
    await ada.page.locator('.attributes').getByLabel('order', { exact: true }).waitFor();
  });

  it.each<[string, BrowserContextOptions]>([
    ['en', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
    ['de', { viewport: { width: 320, height: 640 } }],
  ])('everyone can read and use them, with long names and values too, at 320 px: %s', async (language, options) => {
    const { chatId, visitorId } = await begin();
    const long = { [`key_${'x'.repeat(60)}`]: 'Donaudampfschifffahrtsgesellschaft'.repeat(8), isVip: false };
    await stage.tenant.bot.patch(`/visitors/${visitorId}`, { attributes: long }).expect(200);
    const ada = await Desk.open(stage, {}, options);
    await ada.page.evaluate(`localStorage.setItem('parley:console:language', '${language}')`);
    await ada.page.reload();
    await ada.goTo(chatId);
    await ada.isSteady();
    await ada.button('Details').click();
    // What's verified comes before it, and can't be edited.
    const list = ada.page.locator('.attributes:has(header)').first();
    await list.getByRole('button').first().click();
    await list.locator('form').scrollIntoViewIfNeeded();
    await picture(ada, language);
    expect(await findViolations(ada.visit)).toEqual([]);
    const overflow = await ada.page
      .locator('.details')
      .evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
