import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { waitingChat } from './support/desk.js';
import { Office } from './support/office.js';
import { Stage } from './support/stage.js';

describe('answers to an administrator who is somewhere else by then', () => {
  const stage = Stage.set();
  let replies: Client;

  beforeEach(async () => {
    replies = (await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' })).client;
  });

  it('a removal that ends late leaves the next dialog open, with what is typed', async () => {
    const { body: gone } = await replies.post('/replies', { shortcut: 'old', content: 'Hello' }).expect(201);
    await replies.post('/replies', { shortcut: 'bye', content: 'Goodbye' }).expect(201);
    const ida = await Office.open(stage, 'replies');
    const held = await ida.holdChange(gone.id, 'DELETE');
    await ida.button('Remove /old').click();
    await ida.dialog.getByRole('button', { name: 'Remove' }).click();
    await held.asked;
    await ida.page.keyboard.press('Escape');
    await ida.button(/^\/bye/).click();
    const content = ida.dialog.getByLabel('Reply', { exact: true });
    await content.fill('See you soon');
    held.release();
    await ida.isTold('The reply was removed');
    await ida.line('/old').waitFor({ state: 'detached' });
    expect(await content.inputValue()).toBe('See you soon');
  });

  it('a canceled save that ends late leaves the dialog of another tag open', async () => {
    const { chatId } = stage.tenant;
    await replies.post(`/chats/${chatId}/tags`, { add: ['Refund', 'VIP'] }).expect(200);
    const ida = await Office.open(stage, 'tags');
    const { tags } = (await stage.tenant.admin.get('/tags').expect(200)).body;
    const { id } = tags.find(({ name }: { name: string }) => name === 'Refund');
    const held = await ida.holdChange(id);
    await ida.button(/^Refund/).click();
    await ida.dialog.getByLabel('Name').fill('Refunds');
    await ida.button('Save').click();
    await held.asked;
    await ida.dialog.getByRole('button', { name: 'Cancel' }).click();
    await ida.button(/^VIP/).click();
    const name = ida.dialog.getByLabel('Name');
    await name.fill('Important');
    held.release();
    await ida.isTold('Saved');
    await ida.line('Refunds').waitFor();
    expect(await name.inputValue()).toBe('Important');
  });

  it("a webhook's secret is shown above the next dialog, which stays", async () => {
    const ida = await Office.open(stage, 'webhooks');
    const held = await ida.holdChange('/webhooks', 'POST');
    await ida.button('New webhook').click();
    await ida.dialog.getByLabel('URL').fill('https://one.example.com/');
    await ida.button('Add webhook').click();
    await held.asked;
    await ida.dialog.getByRole('button', { name: 'Cancel' }).click();
    await ida.button('New webhook').click();
    const url = ida.dialog.getByLabel('URL');
    await url.fill('https://two.example.com/');
    held.release();
    await ida.page
      .getByRole('dialog', { name: 'The webhook' })
      .or(ida.page.locator('.copy-field input'))
      .first()
      .waitFor();
    expect(await ida.takeSecret()).toMatch(/^whsec_/);
    expect(await url.inputValue()).toBe('https://two.example.com/');
  });

  it('an erasure that ends late leaves the administrator in the chat that they have opened', async () => {
    const { body: chat } = await stage.tenant.admin.post('/chats', { visitor: { name: 'Zoe' } }).expect(201);
    const ida = await Office.open(stage, `visitors/${chat.visitor.id}`);
    const held = await ida.holdChange(chat.visitor.id, 'DELETE');
    await ida.button('Erase').click();
    await ida.dialog.getByRole('textbox').fill('ERASE');
    await ida.button('Erase permanently').click();
    await held.asked;
    await ida.page.keyboard.press('Escape');
    const chatId = await waitingChat(stage);
    await ida.page.keyboard.press('2');
    await ida.desk.rows.first().click();
    const heading = ida.page.locator('.chat-head').getByRole('heading', { name: 'Vera' });
    await heading.waitFor();
    held.release();
    await ida.isTold(/^Visitor erased/);
    expect(ida.page.url()).toContain(chatId);
    expect(await heading.isVisible()).toBe(true);
  });

  it('a group that is made late leaves the next dialog open', async () => {
    const ida = await Office.open(stage, 'groups');
    const held = await ida.holdChange('/groups', 'POST');
    await ida.button('New group').click();
    await ida.dialog.getByLabel('Name').fill('Refunds');
    await ida.button('Add group').click();
    await held.asked;
    await ida.dialog.getByRole('button', { name: 'Cancel' }).click();
    await ida.button('New group').click();
    await ida.dialog.getByLabel('Name').fill('Returns');
    held.release();
    await ida.line('Refunds').waitFor();
    expect(await ida.dialog.getByLabel('Name').inputValue()).toBe('Returns');
  });
});
