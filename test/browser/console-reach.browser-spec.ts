import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, deskWithChats, makeAgent, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('what an agent reaches in the console', () => {
  const stage = Stage.set();
  const owner = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.owner;

  it('an offer is answered above a dialog, by a click and by a key, and the dialog keeps its text', async () => {
    const { ada } = await deskWithChats(stage, ['Lea']);
    await makeAgent(stage, { name: 'Ben' });
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    await ada.isSteady();
    await ada.page.keyboard.press('t');
    const dialog = ada.page.getByRole('dialog', { name: 'Transfer chat' });
    await dialog.getByLabel('Note for the next agent').fill('She knows the order number');
    const first = await anotherChat(stage, 'Olga', 'Help');
    await dialog.getByRole('button', { name: /^Accept/ }).click();
    await eventually(
      () => owner(first),
      (is) => is === 'AGENT',
    );
    const second = await anotherChat(stage, 'Otto', 'Help');
    await dialog.getByText('Otto').waitFor();
    await ada.isSteady('.offer');
    await ada.page.keyboard.press('Alt+d');
    await dialog.getByText('Otto').waitFor({ state: 'detached' });
    expect(await owner(second)).toBe('QUEUE');
    expect(await dialog.getByLabel('Note for the next agent').inputValue()).toBe('She knows the order number');
    await ada.page.keyboard.press('Escape');
    await ada.page.keyboard.press('Escape');
    expect(await ada.page.locator('.chat-head h1').innerText()).toBe('Lea');
  });

  it('keys open Snoozed, Mentions, groups, and the next unread chat, and select all', async () => {
    const { ada, ids, client } = await deskWithChats(stage, ['Lea', 'Kim', 'Noa']);
    const press = (key: string) => ada.page.keyboard.press(key);
    await press('8');
    await ada.page.getByRole('heading', { name: 'Snoozed' }).waitFor();
    await press('9');
    await ada.page.getByRole('heading', { name: 'Mentions' }).waitFor();
    await press(']');
    await ada.page.getByRole('heading', { name: 'General' }).waitFor();
    await press('1');
    await ada.page.getByRole('heading', { name: 'Mine' }).waitFor();
    const { body } = await stage.tenant.admin.get(`/chats/${ids[1]}`).expect(200);
    await stage.parley.query(`UPDATE chats SET last_visitor_seq = message_count WHERE id = $1`, [body.id]);
    await client.post(`/chats/${ids[1]}/snooze`, { until: null, seenSeq: 100 }).expect(200);
    await client.post(`/chats/${ids[1]}/wake`).expect(200);
    await ada.rows.filter({ hasText: 'Kim' }).and(ada.page.locator('.unread')).waitFor();
    await press('u');
    await ada.page.getByLabel('Message to Kim').waitFor();
    await press('x');
    await press('A');
    await ada.page.getByText('3 chats selected').waitFor();
  });

  const ALT = 1;
  const CTRL = 2;
  /** A key of a keyboard whose layout isn't this computer's, with what it types. */
  const pressOn = async ({ visit, page }: Desk, key: string, code: string, modifiers = 0) => {
    const session = await visit.context.newCDPSession(page);
    const text = modifiers & CTRL ? undefined : key;
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, modifiers, text });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
    await session.detach();
  };

  it('keys are where an English keyboard has them if a keyboard has letters of another script', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Lea', 'Kim']);
    await pressOn(ada, 'л', 'KeyK');
    await ada.page.getByLabel('Message to Kim').waitFor();
    await ada.isSteady();
    // The keys of E on a Dvorak keyboard, and on a German one with AltGr.
    await pressOn(ada, '.', 'KeyE');
    await pressOn(ada, '€', 'KeyE');
    await pressOn(ada, 'λ', 'KeyK', CTRL);
    const palette = ada.page.getByRole('dialog', { name: 'Find a chat or an action' });
    await palette.waitFor();
    await ada.page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await pressOn(ada, 'מ', 'KeyN');
    await ada.page.locator('textarea:focus').waitFor();
    await pressOn(ada, 'у', 'KeyE');
    expect(await ada.composer.inputValue()).toBe('у');
    await ada.leaveField();
    expect(await owner(ids[1]!)).toBe('AGENT');
    await pressOn(ada, 'ث', 'KeyE');
    await ada.isTold('Chat with Kim ended');
  });

  it('brackets that a keyboard has only with Option open the groups, and are typed in a field', async () => {
    const { ada } = await deskWithChats(stage, ['Lea']);
    await ada.composer.focus();
    await pressOn(ada, '[', 'Digit5', ALT);
    await ada.page.getByLabel('Message to Lea').waitFor();
    await ada.leaveField();
    await pressOn(ada, ']', 'Digit6', ALT);
    await ada.page.getByRole('heading', { name: 'General' }).waitFor();
  });

  it('one key sends the answer and ends the chat', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Lea', 'Kim']);
    await ada.composer.fill('Goodbye, Lea');
    await ada.page.keyboard.press('Control+Shift+Enter');
    await ada.isTold('Chat with Lea ended');
    expect(await owner(ids[0]!)).toBe('NOBODY');
    const { messages } = (await stage.tenant.bot.get(`/chats/${ids[0]}/messages`).expect(200)).body;
    expect(messages.map(({ content }: { content: string }) => content)).toContain('Goodbye, Lea');
  });

  it('anonymous visitors have different names, and the palette says more of each chat', async () => {
    const { bot, admin } = stage.tenant;
    for (let count = 0; count < 2; count++) {
      const { body } = await admin.post('/chats', {}).expect(201);
      await bot.post('/messages', { chatId: body.id, content: 'Hello' }).expect(200);
      await bot.post('/transfer', { chatId: body.id }).expect(200);
    }
    const chatId = await waitingChat(stage, 'My parcel is broken');
    const ada = await Desk.open(stage);
    await ada.goTo(chatId);
    await ada.rows.nth(2).waitFor();
    const names = await ada.page.locator('.row-name').allInnerTexts();
    expect(new Set(names).size).toBe(3);
    expect(names.filter((name) => /^Visitor [0-9A-Z]{4}$/.test(name))).toHaveLength(2);
    await ada.page.keyboard.press('Control+k');
    await ada.page.keyboard.type('Vera');
    await ada.page.getByRole('option', { name: /Vera.*Waiting · .*My parcel is broken/ }).waitFor();
  });

  it('canned replies are listed as they would be inserted, numbers in order', async () => {
    const { id } = await makeAgent(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const sue = await stage.parley.signInAgain(stage.tenant, id);
    for (const number of [10, 2, 1])
      await sue.client.post('/replies', { shortcut: `faq-${number}`, content: 'Dear {{visitor.name}}' }).expect(201);
    const { ada } = await deskWithChats(stage, ['Lea']);
    await ada.composer.fill('/faq');
    const options = ada.page.getByRole('option');
    await options.nth(2).waitFor();
    expect(await options.allInnerTexts()).toEqual(['/faq-1 Dear Lea', '/faq-2 Dear Lea', '/faq-10 Dear Lea']);
  });

  it('a webhook whose deliveries failed says so in the list and on its page', async () => {
    const ida = await Desk.open(stage, { name: 'Ida', role: 'ADMIN' });
    const { body } = await stage.tenant.admin
      .post('/webhooks', { url: 'https://example.com/hook', events: ['chat.created'] })
      .expect(201);
    await anotherChat(stage, 'Lea', 'Help');
    await stage.parley.query(`UPDATE deliveries SET outcome = 'dead', due_at = NULL WHERE receiver_id = $1`, [body.id]);
    await ida.page.goto(`${stage.road.url}/console/admin/webhooks`);
    await ida.page.getByText('Failing').waitFor();
    await ida.page.getByRole('link', { name: /example\.com/ }).click();
    await ida.page.getByText(/^1 delivery failed since /).waitFor();
  });
});
