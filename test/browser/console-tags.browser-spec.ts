import { describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { indexed } from '../search/support/searching.js';
import { anotherChat, Desk } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('tags in the console', () => {
  const stage = Stage.set();

  const tag = (chatId: string, ...tags: string[]) =>
    stage.tenant.bot.put(`/chats/${chatId}/tags`, { tags }).expect(200);
  const tagsOf = async (chatId: string) =>
    (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.tags as string[];
  const hasTags = (chatId: string, ...tags: string[]) =>
    until(`the chat has ${tags.join()}`, async () => (await tagsOf(chatId)).join() === tags.join());
  const idOf = async (name: string) =>
    (await stage.tenant.admin.get(`/tags?prefix=${name}`).expect(200)).body.tags[0].id as string;
  /** Takes a picture into the folder of LAYOUT_PICTURES. */
  const picture = async ({ page }: Desk | Office, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/tags-${name}.png` });
  };

  it('an agent adds tags with suggestions by keyboard, and removes them', async () => {
    await tag(await anotherChat(stage, 'Walter', 'Hello'), 'Refund', 'Return', 'VIP');
    await stage.tenant.admin.patch(`/tags/${await idOf('refund')}`, { color: '#d03030' }).expect(200);
    await stage.tenant.admin.patch(`/tags/${await idOf('vip')}`, { color: '#2060d0' }).expect(200);
    const chatId = await anotherChat(stage, 'Zoe Quill', 'My parcel was crushed');
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.isSteady();
    const field = ada.page.getByRole('combobox', { name: 'Add a tag' });
    await field.focus();
    await field.pressSequentially('re');
    const options = ada.page.getByRole('listbox', { name: 'Tags' }).getByRole('option');
    await until('two tags are suggested', async () => (await options.count()) === 2);
    await field.press('ArrowDown');
    await picture(ada, 'suggestions');
    await field.press('Enter');
    await hasTags(chatId, 'Refund');
    await field.pressSequentially('urgent');
    await field.press('Enter');
    await hasTags(chatId, 'Refund', 'urgent');
    const row = ada.rows.filter({ hasText: 'Zoe Quill' });
    await row.locator('.tag', { hasText: 'urgent' }).waitFor();
    await picture(ada, 'side');
    expect(await row.locator('.tag', { hasText: 'Refund' }).getAttribute('style')).toContain('#d03030');
    await field.press('Backspace');
    await hasTags(chatId, 'Refund');
    await ada.button('Remove the tag Refund').click();
    await hasTags(chatId);
    await ada.page.locator('.tag-field input:focus').waitFor();
  });

  it("a bot's tags appear beside the open chat, and a refused tag comes back into the field", async () => {
    const chatId = await anotherChat(stage, 'Zoe Quill', 'My parcel was crushed');
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    await tag(chatId, ...many);
    await ada.page.locator('.chat-tags .tag', { hasText: 'tag 19' }).waitFor();
    await picture(ada, 'many');
    const field = ada.page.getByRole('combobox', { name: 'Add a tag' });
    await field.fill('one more');
    await field.press('Enter');
    await ada.isTold(/20/);
    expect(await field.inputValue()).toBe('one more');
  });

  it('the search suggests tags after tag:, and finds their chats', async () => {
    const chatId = await anotherChat(stage, 'Zoe Quill', 'My parcel was crushed');
    await tag(chatId, 'Money back', 'VIP');
    await anotherChat(stage, 'Walter', 'Hello');
    const ada = await Desk.open(stage);
    await indexed(stage.parley, stage.tenant.id);
    await ada.page.keyboard.press('Control+k');
    const dialog = ada.page.getByRole('dialog', { name: 'Find a chat or an action' });
    const words = dialog.getByRole('combobox');
    await words.pressSequentially('tag:mon');
    await dialog.getByRole('option').filter({ hasText: 'Money back' }).waitFor();
    await picture(ada, 'palette');
    await words.press('Enter');
    expect(await words.inputValue()).toBe('tag:"Money back" ');
    await dialog.getByRole('option').filter({ hasText: 'Zoe Quill' }).waitFor();
    expect(await dialog.getByRole('option').filter({ hasText: 'Walter' }).count()).toBe(0);
    await words.pressSequentially('tag:vip parcel');
    await dialog.getByRole('option').filter({ hasText: 'crushed' }).waitFor();
  });

  it('an administrator renames, colors, merges, and deletes tags', async () => {
    const chatId = await anotherChat(stage, 'Zoe Quill', 'My parcel was crushed');
    await tag(chatId, 'Refund', 'Money', 'gone');
    const ida = await Office.open(stage, 'tags');
    const line = (name: string) => ida.page.locator('.line', { hasText: name });
    await line('Refund').getByRole('button').first().click();
    const dialog = ida.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Returns');
    await dialog.getByLabel('Color').fill('#d03030');
    await picture(ida, 'edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await line('Returns').getByText('formerly Refund').waitFor();
    await picture(ida, 'admin');
    await ida.button('Merge Returns into another tag').click();
    await dialog.getByLabel('Merge into').selectOption({ label: 'Money' });
    await picture(ida, 'merge');
    await dialog.getByRole('button', { name: 'Merge tags' }).click();
    await line('Returns').getByText('formerly Returns, Refund').waitFor();
    await ida.button('Remove gone').click();
    await dialog.getByRole('button', { name: 'Delete tag' }).click();
    await line('gone').waitFor({ state: 'detached' });
    await hasTags(chatId, 'Money');
    // A name that another tag has had is refused, with a way out.
    await tag(chatId, 'Money', 'other');
    await ida.page.reload();
    await line('other').getByRole('button').first().click();
    await dialog.getByLabel('Name').fill('refund');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Merge the two instead').waitFor();
  });

  it('an administrator adds and removes the attributes to search by, by keyboard', async () => {
    const ida = await Office.open(stage, 'tags', WIDE);
    const keys = ida.page.locator('section').filter({ hasText: 'Attributes to search by' });
    const line = (name: string) => keys.locator('.line', { hasText: name });
    const dialog = ida.page.getByRole('dialog');
    await keys.getByRole('button', { name: 'Add an attribute' }).focus();
    await ida.page.keyboard.press('Enter');
    await dialog.getByLabel('Name of the attribute').fill('my plan');
    await ida.page.keyboard.press('Enter');
    await dialog.getByText('A name has 1 to 64 letters').waitFor();
    await picture(ida, 'key-fault');
    // Another administrator's change stays.
    await stage.tenant.admin.put('/attribute-keys', { keys: ['seats'] }).expect(200);
    await dialog.getByLabel('Name of the attribute').fill('plan');
    await ida.page.keyboard.press('Enter');
    await line('plan').getByText('Ready').waitFor();
    await line('seats').getByText('Ready').waitFor();
    await picture(ida, 'keys');
    await ida.button('Remove seats').click();
    await dialog.getByText('Saved views, searches, and filters by it stop working.').waitFor();
    await picture(ida, 'key-removal');
    await dialog.getByRole('button', { name: 'Remove attribute' }).click();
    await line('seats').waitFor({ state: 'detached' });
    const { body } = await stage.tenant.admin.get('/attribute-keys').expect(200);
    expect(body.keys).toMatchObject([{ key: 'plan' }]);
    const many = Array.from({ length: 20 }, (_, at) => `key${at}`);
    await stage.tenant.admin.put('/attribute-keys', { keys: many }).expect(200);
    await ida.page.reload();
    await keys.getByText('There are 20, which is the most.').waitFor();
    expect(await ida.button('Add an attribute').count()).toBe(0);
  });

  it('the attributes to search by fit at 320 px, in German and in the dark', async () => {
    await stage.tenant.admin.put('/attribute-keys', { keys: ['plan', 'k'.repeat(64)] }).expect(200);
    const narrow = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;
    const ida = await Office.open(stage, 'tags', narrow);
    await ida.page.evaluate(`localStorage.setItem('parley:console:language', 'de')`);
    await ida.page.reload();
    const keys = ida.page.locator('section').filter({ hasText: 'Attribute für die Suche' });
    await keys.getByText('Bereit').first().waitFor();
    await keys.scrollIntoViewIfNeeded();
    await picture(ida, 'keys-320');
    expect(await findViolations(ida.desk.visit)).toEqual([]);
    expect(await ida.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});
