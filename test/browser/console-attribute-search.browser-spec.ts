import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { indexed } from '../search/support/searching.js';
import { until } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { anotherChat, Desk } from './support/desk.js';
import { Stage } from './support/stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('searching by attributes in the console', () => {
  const stage = Stage.set();

  const palette = ({ page }: Desk) => page.getByRole('dialog').filter({ has: page.getByRole('combobox') });
  const field = (desk: Desk) => palette(desk).getByRole('combobox');
  const option = (desk: Desk, words: string | RegExp) => palette(desk).getByRole('option').filter({ hasText: words });
  const setKeys = async (...keys: string[]) => {
    await stage.tenant.admin.put('/attribute-keys', { keys }).expect(200);
    await until('the keys are ready', async () =>
      (await stage.tenant.admin.get('/attribute-keys')).body.keys.every(({ isReady }: { isReady: boolean }) => isReady),
    );
  };
  const chatWith = async (name: string, attributes: object) => {
    const id = await anotherChat(stage, name, 'Hello');
    await stage.tenant.bot.patch(`/chats/${id}`, { attributes }).expect(200);
    return id;
  };
  const openPalette = async (desk: Desk) => {
    await indexed(stage.parley, stage.tenant.id);
    await desk.page.keyboard.press('Control+k');
    await palette(desk).waitFor();
  };
  /** Takes a picture into the folder of LAYOUT_PICTURES. */
  const picture = async ({ page }: Desk, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/attribute-search-${name}.png` });
  };

  it('suggests the keys after attr., and finds the chats with a value', async () => {
    await chatWith('Zoe Quill', { plan: 'Gold plus', seats: 5 });
    await chatWith('Walter', { plan: 'silver' });
    await setKeys('plan', 'seats');
    const ada = await Desk.open(stage, {}, WIDE);
    await openPalette(ada);
    await field(ada).pressSequentially('attr.');
    await option(ada, 'seats').waitFor();
    await picture(ada, 'keys');
    await field(ada).pressSequentially('pl');
    await option(ada, 'seats').waitFor({ state: 'detached' });
    await field(ada).press('Enter');
    expect(await field(ada).inputValue()).toBe('attr.plan:');
    await field(ada).pressSequentially('"gold plus"');
    await option(ada, 'Zoe Quill').waitFor();
    await option(ada, 'Walter').waitFor({ state: 'detached' });
    await field(ada).fill('attr.plan:* attr.seats:5 is:waiting');
    await option(ada, 'Zoe Quill').waitFor();
    await field(ada).fill('verified.plan:*');
    await palette(ada).getByText('No results').waitFor();
  });

  it('says so if a key is no filter or not ready yet, and if there are too many', async () => {
    await setKeys('plan');
    const ada = await Desk.open(stage, {}, WIDE);
    await openPalette(ada);
    await field(ada).fill('attr.color:red');
    await palette(ada).getByText('No search by “color”').waitFor();
    await picture(ada, 'unknown');
    await field(ada).fill(Array.from({ length: 11 }, (_, at) => `attr.plan:${at}`).join(' '));
    await palette(ada).getByText('at most 10 filters').waitFor();
    const client = await stage.parley.database.connect();
    await client.query('BEGIN');
    await client.query('UPDATE chats SET title = title WHERE organization_id = $1', [stage.tenant.id]);
    try {
      await stage.tenant.admin.put('/attribute-keys', { keys: ['plan', 'slow'] }).expect(200);
      await field(ada).fill('attr.slow:x');
      await palette(ada).getByText('still being read for this attribute').waitFor();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('a saved view has the same words', async () => {
    await chatWith('Zoe Quill', { plan: 'gold' });
    await setKeys('plan');
    const boss = await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' });
    const view = { name: 'Our best', query: 'attr.plan:gold is:waiting', isShared: true };
    await boss.client.post('/views', view).expect(201);
    const sue = await Desk.open(stage, {}, WIDE);
    await openPalette(sue);
    await field(sue).fill('our be');
    await option(sue, 'Our best').click();
    expect(await field(sue).inputValue()).toBe('attr.plan:gold is:waiting');
    await option(sue, 'Zoe Quill').waitFor();
  });

  it.each<[string, string, BrowserContextOptions]>([
    ['wide', 'en', WIDE],
    ['320', 'de', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
  ])('the details have a search for the other chats with a value: %s', async (name, language, options) => {
    const chatId = await chatWith('Zoe Quill', { plan: 'Gold plus', other: 'x' });
    await chatWith('Walter', { plan: 'Gold plus' });
    await setKeys('plan');
    const ada = await Desk.open(stage, {}, options);
    await ada.page.evaluate(`localStorage.setItem('parley:console:language', '${language}')`);
    await ada.page.reload();
    await ada.goTo(chatId);
    await ada.isSteady();
    if (name === '320') await ada.button('Details').click();
    const find = ada.page.locator('.attributes').getByRole('button', { name: 'plan: Gold plus' });
    await find.scrollIntoViewIfNeeded();
    await picture(ada, `details-${name}`);
    expect(await ada.page.locator('.attributes').getByRole('button', { name: 'other: x' }).count()).toBe(0);
    await indexed(stage.parley, stage.tenant.id);
    await find.click();
    await palette(ada).waitFor();
    expect(await field(ada).inputValue()).toBe('attr.plan:"Gold plus" ');
    await option(ada, 'Walter').waitFor();
    await picture(ada, `found-${name}`);
    expect(await findViolations(ada.visit)).toEqual([]);
  });
});
