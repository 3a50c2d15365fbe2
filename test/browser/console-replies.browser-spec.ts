import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('canned replies in the console', () => {
  const stage = Stage.set();

  const inMine = async () => {
    const desk = await Desk.open(stage, { name: 'Ada' });
    const chatId = await waitingChat(stage);
    await desk.goTo(chatId);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    return { desk, chatId };
  };
  const supervisor = () => stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
  const statusOf = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.status;

  it('an agent writes a reply of their own, and inserts it', async () => {
    const { desk } = await inMine();
    await desk.page.getByRole('button', { name: 'Account' }).click();
    await desk.page.getByRole('menuitem', { name: 'Your replies' }).click();
    await desk.button('New reply').first().click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByLabel('Shortcut').fill('hours');
    await dialog.getByRole('textbox', { name: 'Reply' }).fill('Ich bin bis 17 Uhr da');
    await dialog.getByLabel('Language').selectOption({ label: 'German' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await desk.page.locator('.line').getByText('/hours').waitFor();
    await desk.page.goBack();
    await desk.composer.fill('/hou');
    await desk.page.getByRole('option', { name: /\/hours German.*Your own/ }).waitFor();
    await desk.composer.press('Enter');
    expect(await desk.composer.inputValue()).toBe('Ich bin bis 17 Uhr da');
  });

  it('a slash without any replies says so, and leads to where the agent adds one', async () => {
    const { desk } = await inMine();
    await desk.composer.fill('/');
    await desk.page.getByText('No canned replies yet').waitFor();
    await desk.button('Your replies').click();
    await desk.page.getByRole('heading', { name: 'Your replies' }).waitFor();
  });

  it('a reply that ends the chat says so, ends it once it is sent, and offers Undo', async () => {
    const sue = await supervisor();
    await sue.client.post('/replies', { shortcut: 'bye', content: 'Goodbye!', action: 'CLOSE' }).expect(201);
    const { desk, chatId } = await inMine();
    await desk.composer.fill('/bye');
    await desk.page.getByRole('option').first().waitFor();
    await desk.composer.press('Enter');
    await desk.page.locator('.macro').getByText('Ends the chat').waitFor();
    expect(await statusOf(chatId)).toBe('ACTIVE');
    await desk.composer.press('Enter');
    await eventually(
      () => statusOf(chatId),
      (status) => status === 'CLOSED',
    );
    await desk.button('Undo').click();
    await eventually(
      () => statusOf(chatId),
      (status) => status === 'ACTIVE',
    );
  });

  it('the agent can send a reply without its action', async () => {
    const sue = await supervisor();
    await sue.client.post('/replies', { shortcut: 'bye', content: 'Goodbye!', action: 'CLOSE' }).expect(201);
    const { desk, chatId } = await inMine();
    await desk.composer.fill('/bye');
    await desk.page.getByRole('option').first().waitFor();
    await desk.composer.press('Enter');
    await desk.button('Send without this').click();
    await desk.composer.press('Enter');
    await desk.sees('Goodbye!');
    await desk.say('One more thing');
    expect(await statusOf(chatId)).toBe('ACTIVE');
  });

  it('a reply that transfers the chat moves it to the group once it is sent', async () => {
    const sue = await supervisor();
    const { body: sales } = await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const reply = { shortcut: 'sales', content: 'Sales will help you', action: 'TRANSFER', actionGroupId: sales.id };
    await sue.client.post('/replies', reply).expect(201);
    const { desk, chatId } = await inMine();
    await desk.composer.fill('/sales');
    await desk.page.getByRole('option', { name: /Transfers to Sales/ }).waitFor();
    await desk.composer.press('Enter');
    await desk.composer.press('Enter');
    const group = async () => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.group.id;
    await eventually(group, (id) => id === sales.id);
  });

  it('a supervisor adds a reply for everyone, and an agent has only their own', async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.page.goto(`${stage.road.url}/console/replies`);
    await sue.page.locator('.filters').getByRole('combobox', { name: 'For' }).selectOption({ label: 'Canned replies' });
    await sue.page.getByRole('heading', { name: 'Canned replies', level: 1 }).waitFor();
    await sue.button('New reply').first().click();
    const dialog = sue.page.getByRole('dialog');
    await dialog.getByLabel('Shortcut').fill('hours');
    await dialog.getByRole('textbox', { name: 'Reply' }).fill('We answer from 9 to 17.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await sue.page.locator('.line').getByText('/hours').waitFor();

    const { desk } = await inMine();
    await desk.composer.fill('/hours');
    await desk.page.getByRole('option', { name: /We answer from 9 to 17/ }).waitFor();
    await desk.page.goto(`${stage.road.url}/console/replies`);
    await desk.page.getByText('No canned replies yet').waitFor();
    expect(await desk.page.locator('.filters').count()).toBe(0);
  });
});
