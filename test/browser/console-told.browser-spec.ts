import { describe, expect, it } from '@jest/globals';
import { anotherChat, Desk, deskWithChats, makeAgent, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

describe('what the console says of a chat', () => {
  const stage = Stage.set();
  const wide = { viewport: { width: 1440, height: 900 } };

  it('a row shows what the visitor wants after an agent has joined, and what happened as an icon', async () => {
    const chatId = await waitingChat(stage, 'My parcel is broken');
    const ada = await Desk.open(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    const row = ada.rows.filter({ hasText: 'Vera' });
    await row.locator('.last-words').getByText('My parcel is broken').waitFor();
    expect(await row.locator('.last-event').getAttribute('title')).toBe('Ada joined the chat');
    const said = await stage.parley.query<{ created_at: Date }>(
      `SELECT created_at FROM messages WHERE content = 'My parcel is broken'`,
    );
    expect(await row.locator('time').getAttribute('datetime')).toBe(said[0]!.created_at.toISOString());
  });

  it('a text that a bot was writing is hidden once an agent has the chat', async () => {
    const { bot, admin } = stage.tenant;
    const chatId = (await admin.post('/chats', { visitor: { name: 'Zoe' } }).expect(201)).body.id as string;
    const ada = await Desk.open(stage);
    await ada.goTo(chatId, 'bot');
    await bot.post(`/chats/${chatId}/typing`, { isTyping: true, text: 'Let me look' }).expect(200);
    await ada.page.locator('.message.live').getByText('Let me look').waitFor();
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await ada.page.locator('.message.live').waitFor({ state: 'detached' });
    expect(await ada.page.locator('.typing-words').count()).toBe(0);
  });

  it('an agent reads who has their chat now, that the draft is kept, and their new role', async () => {
    const { ada, ids } = await deskWithChats(stage, ['Lea']);
    const { id } = await makeAgent(stage, { name: 'Sam', role: 'SUPERVISOR' });
    const sam = await stage.parley.signInAgain(stage.tenant, id);
    await ada.composer.fill('Dear Lea');
    await sam.client.post(`/chats/${ids[0]}/transfer`, { agentId: id }).expect(200);
    await ada.isTold('Sam has your chat with Lea now. Your draft is kept.');
    await stage.tenant.admin.patch(`/agents/${ada.agentId}`, { role: 'SUPERVISOR' }).expect(200);
    await ada.isTold("You're a supervisor now.");
  });

  it('the page says that the agent is offline, and no action looks usable', async () => {
    const { ada } = await deskWithChats(stage, ['Lea'], {}, wide);
    await ada.isSteady();
    stage.road.cut();
    await ada.button(/^Your presence:.*Offline$/).waitFor();
    const actions = ada.page.locator('.chat-actions > .button');
    expect(await actions.count()).toBeGreaterThan(1);
    expect(await ada.page.locator('.chat-actions > .button[aria-disabled=false]').count()).toBe(0);
    stage.road.isCut = false;
    await ada.button(/^Your presence:.*Accepting chats$/).waitFor();
    await ada.isSteady();
  });

  it("a colleague's name of 200 characters leaves the head of the chat as high as it was", async () => {
    const sue = await Desk.open(stage, { name: 'Sue', role: 'SUPERVISOR' }, wide);
    const yara = await stage.parley.signInAgent(stage.tenant, { name: 'Y'.repeat(200) });
    const chatId = await anotherChat(stage, 'Lea', 'Help');
    await sue.goTo(chatId);
    const height = () =>
      sue.page.locator('.chat-head, .belonging').evaluateAll((all) => all.map((one) => one.clientHeight));
    const [head] = await height();
    const { id: groupId } = (await stage.tenant.admin.get('/groups').expect(200)).body.groups[0];
    await stage.tenant.admin.patch(`/agents/${yara.id}`, { groupIds: [groupId] }).expect(200);
    await yara.client.post(`/chats/${chatId}/claim`).expect(200);
    await sue.button('Take over').first().waitFor();
    const [after, line] = await height();
    expect(after).toBe(head);
    expect(line).toBeLessThan(70);
    expect(await sue.button('Take over').first().getAttribute('title')).toBe(`Take over from ${'Y'.repeat(200)}`);
  });
});
