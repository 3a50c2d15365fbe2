import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

/** While the page's clock stands still, the moment doesn't end. */
const STOP = `{ window.realNow ??= Date.now; const at = Date.now(); Date.now = () => at; }`;

/** Lets an agent take messages back. */
async function takesBack(ada: Desk): Promise<void> {
  await ada.button('Account').click();
  await ada.page.getByRole('menuitem', { name: 'Your profile' }).click();
  await ada.page.getByLabel(/^Keep each message for 5 seconds/).check();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('taking a message back', () => {
  const stage = Stage.set();

  /** An agent who takes messages back, with a chat. */
  const writing = async () => {
    const ada = await Desk.open(stage);
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await takesBack(ada);
    return { ada, chatId };
  };
  const goOn = ({ page }: Desk) => page.evaluate('Date.now = window.realNow');
  const write = async (ada: Desk, text: string) => {
    await ada.page.evaluate(STOP);
    await ada.composer.fill(text);
    await ada.composer.press('Enter');
    await ada.page.getByText('Not sent yet').waitFor();
  };
  const undo = ({ page }: Desk) => page.locator('.message.pending').getByRole('button', { name: 'Undo' });
  const said = async () =>
    (await stage.stored()).filter(({ sender }) => sender.type === 'AGENT').map(({ content }) => content);
  const becomesSaid = (...wanted: string[]) =>
    eventually(said, (contents) => JSON.stringify(contents) === JSON.stringify(wanted));
  const gone = ({ page }: Desk) => page.locator('.message.pending').waitFor({ state: 'detached' });
  const status = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.status;

  it('a message that is taken back is in the field again, and is never sent', async () => {
    const { ada } = await writing();
    await write(ada, 'Too early');
    await undo(ada).click();
    expect(await ada.composer.inputValue()).toBe('Too early');
    await goOn(ada);
    await ada.composer.fill('Now it is right');
    await ada.composer.press('Enter');
    await becomesSaid('Now it is right');
    await gone(ada);
    expect(await said()).toEqual(['Now it is right']);
  });

  it('a page that is closed before the moment is over sends the message, once', async () => {
    const { ada, chatId } = await writing();
    await write(ada, 'On my way out');
    const url = ada.page.url();
    await ada.page.close();
    await becomesSaid('On my way out');
    const again = ada.inTab(await ada.visit.newTab(url));
    await again.sees('On my way out');
    await gone(again);
    await again.say('Back again');
    expect(await said()).toEqual(['On my way out', 'Back again']);
    expect(await status(chatId)).toBe('ACTIVE');
  });

  it('a page that is loaded again keeps no message from being sent, and sends none twice', async () => {
    const { ada } = await writing();
    await write(ada, 'Reloaded');
    await ada.page.reload();
    await becomesSaid('Reloaded');
    await ada.sees('Reloaded');
    await gone(ada);
    expect(await said()).toEqual(['Reloaded']);
  });

  it('a connection that breaks before it is sent only delays it', async () => {
    const { ada } = await writing();
    await write(ada, 'Through the tunnel');
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await goOn(ada);
    await ada.page.getByText('Waiting for connection').waitFor();
    stage.road.isCut = false;
    await becomesSaid('Through the tunnel');
    await gone(ada);
    expect(await said()).toEqual(['Through the tunnel']);
  });

  it('a message to a chat that someone else took first is not sent, and says why', async () => {
    const { ada, chatId } = await writing();
    await write(ada, 'Mine?');
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post(`/chats/${chatId}/assign`, { agentId: sue.id }).expect(200);
    await ada.page.locator('.chat-head').getByText('Sue').waitFor();
    await goOn(ada);
    await ada.page.locator('.message.failed').getByText('Not sent: This chat is no longer yours.').waitFor();
    expect(await said()).toEqual([]);
    await ada.button('Delete').click();
    await gone(ada);
  });

  it('a message to a chat that the visitor ended first does not reopen it, unless its author wants that', async () => {
    const { ada, chatId } = await writing();
    await write(ada, 'Anything else?');
    await stage.parley.visitor(stage.tenant.visitorToken).post(`/chats/${chatId}/close`, {}).expect(200);
    await ada.page.locator('.chat-head').getByText('Ended').waitFor();
    await goOn(ada);
    await ada.page.locator('.message.failed').waitFor();
    expect([await said(), await status(chatId)]).toEqual([[], 'CLOSED']);
    await ada.button('Send again').click();
    await becomesSaid('Anything else?');
    expect(await status(chatId)).toBe('ACTIVE');
  });

  it('an agent who ends the chat before that sends the message first', async () => {
    const { ada, chatId } = await writing();
    await write(ada, 'Goodbye');
    await ada.button('End chat').first().click();
    await eventually(
      () => status(chatId),
      (seen) => seen === 'CLOSED',
    );
    expect(await said()).toEqual(['Goodbye']);
    await ada.isTold(/ended$/);
    expect(await status(chatId)).toBe('CLOSED');
  });

  it('another tab can take it back, and neither tab sends it', async () => {
    const { ada } = await writing();
    await ada.visit.context.addInitScript(STOP);
    await write(ada, 'From the first tab');
    const second = ada.inTab(await ada.visit.newTab(ada.page.url()));
    await undo(second).click();
    await gone(second);
    await gone(ada);
    await goOn(second);
    await second.say('From the second tab');
    await ada.sees('From the second tab');
    expect(await said()).toEqual(['From the second tab']);
  });
});

describe('the action of a reply', () => {
  const stage = Stage.set();

  /** An agent in a chat, with a reply in the field whose action waits for the message. */
  const withReply = async (reply: object = { action: 'CLOSE' }) => {
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post('/replies', { shortcut: 'bye', content: 'Goodbye!', ...reply }).expect(201);
    const ada = await Desk.open(stage);
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await ada.composer.fill('/bye');
    await ada.page.getByRole('option').first().waitFor();
    await ada.composer.press('Enter');
    await ada.page.locator('.macro').waitFor();
    const chat = async () => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body;
    return { ada, sue, chatId, chat };
  };
  const said = async () =>
    (await stage.stored()).filter(({ sender }) => sender.type === 'AGENT').map(({ content }) => content);
  /** Sends the reply, and closes the page while its action is on the way, which never arrives. */
  const sendAndLeave = async ({ page, composer }: Desk) => {
    await page.evaluate(`{
      const request = fetch;
      window.fetch = (path, options) =>
        /\\/(close|transfer)$/.test(path) ? new Promise(() => (window.isAsked = true)) : request(path, options);
    }`);
    await composer.press('Enter');
    await eventually(
      () => page.evaluate('window.isAsked'),
      (isAsked) => isAsked === true,
    );
    const url = page.url();
    await page.close();
    return url;
  };

  it('follows the message, even if the page closes before the message is stored', async () => {
    const { ada, chat } = await withReply();
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    const url = ada.page.url();
    await ada.page.close();
    stage.road.isCut = false;
    await ada.visit.newTab(url);
    await eventually(chat, ({ status }) => status === 'CLOSED');
    expect(await said()).toEqual(['Goodbye!']);
  });

  it('runs without the console if the page closes right after the message is stored', async () => {
    const { ada, chat } = await withReply();
    await sendAndLeave(ada);
    await eventually(chat, ({ status }) => status === 'CLOSED');
    expect(await said()).toEqual(['Goodbye!']);
  });

  it('runs without the console if the page closes while the message can be taken back', async () => {
    const { ada, chat } = await withReply();
    await takesBack(ada);
    await ada.page.evaluate(STOP);
    await ada.composer.press('Enter');
    await ada.page.getByText('Not sent yet').waitFor();
    await ada.page.close();
    await eventually(chat, ({ status }) => status === 'CLOSED');
    expect(await said()).toEqual(['Goodbye!']);
  });

  it('waits for what was written while the message could be taken back, and holds up no other message', async () => {
    const { ada, chat } = await withReply();
    await takesBack(ada);
    await ada.page.evaluate(STOP);
    await ada.composer.press('Enter');
    await ada.page.getByText('Not sent yet').waitFor();
    await ada.composer.fill('PS: keep the receipt');
    await ada.composer.press('Enter');
    await ada.page.getByText('Not sent yet').nth(1).waitFor();
    await ada.page.evaluate('Date.now = window.realNow');
    await eventually(chat, ({ status }) => status === 'CLOSED');
    expect(await said()).toEqual(['Goodbye!', 'PS: keep the receipt']);
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
  });

  it('runs only once, even if the console opens again', async () => {
    const { ada, sue, chatId, chat } = await withReply();
    const url = await sendAndLeave(ada);
    await eventually(chat, ({ status }) => status === 'CLOSED');
    await sue.client.post(`/chats/${chatId}/reopen`, {}).expect(200);
    await sue.client.post(`/chats/${chatId}/assign`, { agentId: ada.agentId }).expect(200);
    const again = ada.inTab(await ada.visit.newTab(url));
    await again.sees('Goodbye!');
    await again.say('Still here');
    expect(await chat()).toMatchObject({ status: 'ACTIVE', assignedTo: { id: ada.agentId } });
    expect(await said()).toEqual(['Goodbye!', 'Still here']);
  });

  it('leaves the field and its focus alone if the message is stored before the chat is read', async () => {
    const { ada, sue, chatId, chat } = await withReply();
    const url = await sendAndLeave(ada);
    await eventually(chat, ({ status }) => status === 'CLOSED');
    await sue.client.post(`/chats/${chatId}/reopen`, {}).expect(200);
    await sue.client.post(`/chats/${chatId}/assign`, { agentId: ada.agentId }).expect(200);
    // The page sends the message again when the test lets it, and never gets the chat's messages.
    await ada.page.context().addInitScript(`{
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (data) {
        if (String(data).includes('"message:send"')) window.sendNow = () => send.call(this, data);
        else if (!/"chat:follow"|"sync"/.test(data)) send.call(this, data);
      };
    }`);
    const again = ada.inTab(await ada.visit.newTab(url));
    await again.composer.fill('Still');
    // The page's policy lets `waitForFunction` look only once.
    await eventually(() => again.page.evaluate<boolean>(`'sendNow' in window`), Boolean);
    await again.page.evaluate('window.sendNow()');
    await again.page.locator('.conversation[aria-busy=true]').waitFor();
    await again.page.keyboard.type(' here');
    await again.page.keyboard.press('Enter');
    await again.sees('Still here');
  });

  it('leaves nothing behind if it moved the chat to a group that the agent cannot see', async () => {
    const { body: sales } = await stage.tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const { ada, chat } = await withReply({ action: 'TRANSFER', actionGroupId: sales.id });
    await sendAndLeave(ada);
    await eventually(chat, ({ owner, group }) => owner === 'QUEUE' && group.id === sales.id);
    const again = ada.inTab(await ada.visit.newTab(`${stage.road.url}/console`));
    await eventually(
      () => again.page.evaluate(`Object.keys(localStorage).filter((key) => key.includes(':outbox'))`),
      (keys) => (keys as string[]).length === 0,
    );
    expect(await said()).toEqual(['Goodbye!']);
  });
});
