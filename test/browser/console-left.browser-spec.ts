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

  it('a removal that someone else was faster with is done, and opens the list', async () => {
    const { body: bot } = await stage.tenant.admin.post('/bots', { name: 'Helper' }).expect(201);
    const ida = await Office.open(stage, `bots/${bot.id}`);
    await stage.tenant.admin.delete(`/bots/${bot.id}`).expect(204);
    await ida.button('Remove').click();
    await ida.dialog.getByRole('button', { name: 'Remove' }).click();
    await ida.isTold('Helper was removed');
    await ida.page.waitForURL(/\/admin\/bots$/);
  });

  it("connecting a bot keeps a colleague's new connection", async () => {
    const { body: bot } = await stage.tenant.admin.post('/bots', { name: 'Helper' }).expect(201);
    const ida = await Office.open(stage, `bots/${bot.id}`);
    await ida.button('Connect an agent').click();
    await ida.dialog.getByText('Simple bot with fixed answers').click();
    const path = `/bots/${bot.id}/connection`;
    const { body: script } = await stage.tenant.admin.put(path, { kind: 'script', isEnabled: false }).expect(200);
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await ida.dialog.getByText('Someone else changed this too').waitFor();
    expect((await stage.tenant.admin.get(path).expect(200)).body.isEnabled).toBe(script.isEnabled);
    await ida.dialog.getByRole('button', { name: 'Cancel' }).click();
    await ida.button('Edit').waitFor();
  });

  it('a click in the moment when the next visitor takes the place unblocks no other visitor', async () => {
    for (const name of ['Zoe', 'Max']) {
      const { body: chat } = await stage.tenant.admin.post('/chats', { visitor: { name } }).expect(201);
      await replies.put(`/chats/${chat.id}/block`, { reason: 'Spam' }).expect(200);
    }
    const ida = await Office.open(stage, 'visitors');
    const unblock = ida.page.getByRole('button', { name: /^Unblock visitor: / });
    await unblock.nth(1).waitFor();
    await ida.page.evaluate(`new MutationObserver((_changes, observer) => {
      const [next, ...others] = document.querySelectorAll('button[aria-label^=Unblock]');
      if (others.length > 0) return;
      observer.disconnect();
      next.click();
    }).observe(document.body, { subtree: true, childList: true })`);
    await unblock.first().click();
    await unblock.nth(1).waitFor({ state: 'detached' });
    await ida.page.locator('button[aria-label^=Unblock][aria-disabled=false]').waitFor();
    expect((await stage.tenant.admin.get('/blocked-visitors').expect(200)).body.visitors).toHaveLength(1);
  });

  it('the second click of a double click on a dialog acts on nothing below it', async () => {
    await replies.post('/replies', { shortcut: 'old', content: 'Hello' }).expect(201);
    const ida = await Office.open(stage, 'replies');
    await ida.button('Remove /old').click();
    const { x, y, width, height } = (await ida.dialog.getByRole('button', { name: 'Remove' }).boundingBox())!;
    const { mouse } = ida.page;
    await mouse.move(x + width / 2, y + height / 2);
    await mouse.down();
    await mouse.up();
    await ida.dialog.waitFor({ state: 'detached' });
    await ida.page.evaluate(`document.body.addEventListener('click', () => (document.body.dataset.hit = 'yes'))`);
    const hit = () => ida.page.evaluate('document.body.dataset.hit');
    await mouse.down({ clickCount: 2 });
    await mouse.up({ clickCount: 2 });
    expect(await hit()).toBeUndefined();
    await mouse.down();
    await mouse.up();
    expect(await hit()).toBe('yes');
  });

  it('the answer of a resend leaves the list of a filter that was chosen since as it is', async () => {
    const { body: webhook } = await stage.tenant.admin.post('/webhooks', { url: 'https://a.example.com/' }).expect(201);
    const delivery = {
      id: 'dlv_1',
      eventId: 'evt_1',
      type: 'chat.created',
      status: 'dead',
      createdAt: '2026-01-01T00:00:00.000Z',
      attempts: [],
      nextAttemptAt: null,
      chatId: null,
    };
    const ida = await Office.open(stage);
    await ida.page.route(/\/deliveries/, async (route) => {
      const url = new URL(route.request().url());
      if (url.pathname.endsWith('/dlv_1')) return route.fulfill({ json: { ...delivery, payload: '{}' } });
      const isNew = url.searchParams.get('status') === 'delivered';
      return route.fulfill({ json: { deliveries: isNew ? [] : [delivery], nextCursor: null } });
    });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await ida.page.route(/\/redeliver$/, async (route) => {
      await released;
      await route.fulfill({ json: { ...delivery, status: 'pending' } });
    });
    await ida.goTo(`webhooks/${webhook.id}`);
    await ida.page.locator('details.delivery summary').click();
    await ida.button('Resend').click();
    await ida.page.getByLabel('Status').selectOption('delivered');
    await ida.page.getByText('No results').first().waitFor();
    release();
    await ida.isTold('Resending this event');
    expect(await ida.page.locator('details.delivery').count()).toBe(0);
  });
});
