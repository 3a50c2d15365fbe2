import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { SignedInAgent } from '../support/parley.js';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { makeAgent, waitingChat } from './support/desk.js';
import { PNG } from '../support/pictures.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** Until the year 2100. */
const CLOSED = {
  timeZone: 'UTC',
  week: {},
  exceptions: [{ date: '2100-01-04', ranges: [{ from: '09:00', to: '17:00' }] }],
};

describe('a chat that changes hands', () => {
  const stage = Stage.set();
  let visit: Visit;
  /** The hosts that the page requested. */
  const asked = new Set<string>();

  afterEach(() => expect(visit.complaints).toEqual([]));

  const status = (text: string) => visit.panel.locator('header').getByText(text).waitFor();
  const told = (text: string) => visit.panel.locator('.row.system').getByText(text).last().waitFor();
  const hire = async (): Promise<SignedInAgent> => {
    const { id } = await makeAgent(stage, { name: 'Ada' });
    await stage.tenant.admin.patch(`/agents/${id}`, { avatarUrl: `data:image/png;base64,${PNG}` }).expect(200);
    return stage.parley.signInAgain(stage.tenant, id);
  };
  const begin = async (options = {}) => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    visit = await stage.visit(options);
    visit.page.on('request', (request) => asked.add(new URL(request.url()).hostname));
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
  };

  it('the widget shows the place in the queue, who joined, who left, and that the bot continues', async () => {
    const agent = await hire();
    await begin();
    await status("You're chatting with Bot");
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await status('No one is available right now');
    await told("You're waiting for");
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await status("You're chatting with Ada");
    await told('Ada joined the chat');
    await visit.panel.locator('header img').waitFor();
    // The agent's picture comes from Parley, and nothing from elsewhere.
    expect([...asked]).toEqual(['127.0.0.1']);
    await agent.client.post(`/chats/${chatId}/release`).expect(200);
    await told('Ada left. The chat is waiting for someone else.');
    await status('No one is available right now');
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await status("You're chatting with Ada");
    await agent.client.post(`/chats/${chatId}/return`, {}).expect(200);
    await told('The chat continues with the bot');
    await status("You're chatting with Bot");
  });

  const FACTS = `<script>
    window.Parley = function () { (Parley.q = Parley.q || []).push(arguments); };
    window.facts = [];
    for (const fact of ['chat.started', 'handoff.requested', 'person.joined', 'lead.left', 'chat.ended', 'chat.rated'])
      Parley('on', fact, (value) => facts.push({ fact, ...value }));
  </script>`;

  it('of two tabs, one learns of each thing that happens to the chat, also of a second transfer', async () => {
    const agent = await hire();
    stage.site.page.head = FACTS;
    await begin();
    const tab = await visit.newTab(stage.site.url);
    await tab.open();
    await tab.sees('Hello', 'Hi');
    const all = async () => {
      const facts = await Promise.all(
        [visit, tab].map(({ page }) =>
          page.evaluate<{ fact: string }[]>(`navigator.locks.request('parley:emitted', () => facts)`),
        ),
      );
      return facts.flat().map(({ fact }) => fact);
    };
    const chatId = await stage.chatId();
    for (let count = 0; count < 2; count++) {
      await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
      await agent.client.post(`/chats/${chatId}/claim`).expect(200);
      for (const { panel } of [visit, tab])
        await panel.locator('header').getByText("You're chatting with Ada").waitFor();
      await agent.client.post(`/chats/${chatId}/return`, {}).expect(200);
      for (const { panel } of [visit, tab])
        await panel.locator('header').getByText("You're chatting with Bot").waitFor();
    }
    await stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    for (const one of [visit, tab]) await one.button('Start a new chat').waitFor();
    await all();
    expect((await all()).sort()).toEqual([
      'chat.ended',
      'chat.started',
      'handoff.requested',
      'handoff.requested',
      'person.joined',
      'person.joined',
    ]);
  });

  it('the page learns what happens to a chat, once, and nothing that people write', async () => {
    const agent = await hire();
    await stage.tenant.admin.patch('/widget', { rating: true }).expect(200);
    stage.site.page.head = FACTS;
    await begin();
    const chatId = await stage.chatId();
    const facts = (count: number) =>
      eventually(
        () => visit.page.evaluate<object[]>('facts'),
        ({ length }) => length === count,
      );
    expect(await facts(1)).toEqual([{ fact: 'chat.started', chatId }]);
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await visit.panel.getByLabel('Email').fill('vera@example.com');
    await visit.button('Submit').click();
    await facts(3);
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await facts(4);
    await stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await facts(5);
    await visit.panel.getByRole('radio', { name: '4' }).check();
    await visit.button('Submit').click();
    const group = expect.any(String);
    expect(await facts(6)).toEqual([
      { fact: 'chat.started', chatId },
      { fact: 'handoff.requested', chatId, group },
      { fact: 'lead.left', chatId },
      { fact: 'person.joined', chatId, name: 'Ada' },
      { fact: 'chat.ended', chatId },
      { fact: 'chat.rated', chatId, score: 4 },
    ]);
    await visit.page.reload();
    await visit.panel.locator('.row').first().waitFor();
    await visit.button('Start a new chat').click();
    await visit.say('Again');
    expect(await facts(1)).toEqual([{ fact: 'chat.started', chatId: await stage.chatId() }]);
  });

  it('the widget says that no agent is available, asks for an address, and marks a chat only while a bot or an agent has it', async () => {
    const isMarked = () =>
      visit.page.evaluate<boolean>(
        `getComputedStyle(document.querySelector('parley-widget').shadowRoot.querySelector('.status'), '::before').content !== 'none'`,
      );
    await begin();
    await status("You're chatting with Bot");
    expect(await isMarked()).toBe(true);
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId, maxWaitSeconds: 1 }).expect(200);
    await status('No one is available right now');
    expect(await isMarked()).toBe(false);
    await told('No one is available right now');
    await visit.panel.getByText('Leave your email address').waitFor();
    await status('No one is available right now');
    expect(await findViolations(visit)).toEqual([]);
    const agent = await hire();
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await status("You're chatting with Ada");
    expect(await isMarked()).toBe(true);
    await visit.panel.getByText('Leave your email address').waitFor({ state: 'detached' });
  });

  it('header and card say immediately that no agent is online, and follow when one comes', async () => {
    await begin();
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await status('No one is available right now');
    await visit.panel.getByText('Leave your email address').waitFor();
    const agent = await hire();
    await stage.parley.connectAgent(agent.token);
    await status("You're next in line");
    await visit.panel.getByText('Leave your email address').waitFor({ state: 'detached' });
    await stage.tenant.admin.patch(`/agents/${agent.id}`, { isEnabled: false }).expect(200);
    await status('No one is available right now');
    await visit.panel.getByText('Leave your email address').waitFor();
  });

  it('header, line, and card agree that no one is available while the only agent is busy', async () => {
    const { id } = await makeAgent(stage, { capacity: 1 });
    const agent = await stage.parley.signInAgain(stage.tenant, id);
    const busyWith = await waitingChat(stage);
    await agent.client.post(`/chats/${busyWith}/claim`).expect(200);
    await stage.parley.connectAgent(agent.token);
    await begin();
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId, maxWaitSeconds: 1 }).expect(200);
    await told('No one is available right now');
    await status('No one is available right now');
    await visit.panel.getByText('Leave your email address').waitFor();
    await visit.page.reload();
    await told('No one is available right now');
    await status('No one is available right now');
    await visit.panel.getByText('Leave your email address').waitFor();
    await agent.client.post(`/chats/${busyWith}/close`).expect(200);
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await status("You're chatting with Ada");
    await visit.panel.getByText('Leave your email address').waitFor({ state: 'detached' });
  });

  it('outside of the office hours, the header says when the team is back and the card asks for an address, though an agent is online', async () => {
    const agent = await hire();
    await stage.parley.connectAgent(agent.token);
    await stage.tenant.admin.patch('', { officeHours: CLOSED }).expect(200);
    await begin();
    await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId() }).expect(200);
    await status('Our team is back');
    await visit.panel.getByText('Leave your email address').waitFor();
    await stage.tenant.admin.patch('', { officeHours: null }).expect(200);
    await visit.panel.getByText('Leave your email address').waitFor({ state: 'detached' });
    expect(await visit.panel.locator('header').getByText('Our team is back').count()).toBe(0);
  });

  it('the widget says who ended the chat, and who reopened it', async () => {
    const agent = await hire();
    await begin();
    const chatId = await stage.chatId();
    const end = () => stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await agent.client.post(`/chats/${chatId}/close`).expect(200);
    await told('Ada ended the chat');
    await stage.say('One more thing');
    await told('Bot reopened the chat');
    await end();
    await told('Support ended the chat');
    await agent.client.post(`/chats/${chatId}/reopen`).expect(200);
    await told('Ada reopened the chat');
    await visit.button('Your chats').click();
    await visit.button('End chat').click();
    await visit.button('End chat').last().click();
    await told('You ended the chat');
    await visit.sees('Hello', 'Hi', 'One more thing');
  });

  it('system messages are in the visitor’s language', async () => {
    stage.site.page.root = 'lang="de"';
    const agent = await hire();
    visit = await stage.visit();
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.composer.fill('Hallo');
    await visit.composer.press('Enter');
    await visit.panel.getByText(/Gesendet/).waitFor();
    const chatId = await stage.chatId();
    await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
    await status('Gerade ist niemand frei');
    await agent.client.post(`/chats/${chatId}/claim`).expect(200);
    await told('Ada ist jetzt im Chat');
    await status('Sie schreiben mit Ada');
    await agent.client.post(`/chats/${chatId}/close`).expect(200);
    await told('Ada hat den Chat beendet');
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    it(`axe finds no violation in a waiting chat on ${look}`, async () => {
      const agent = await hire();
      await begin(options);
      const chatId = await stage.chatId();
      await stage.tenant.bot.post('/transfer', { chatId }).expect(200);
      await status('No one is available right now');
      expect(await findViolations(visit)).toEqual([]);
      await agent.client.post(`/chats/${chatId}/claim`).expect(200);
      await status("You're chatting with Ada");
      await agent.client.post(`/chats/${chatId}/typing`, { isTyping: true }).expect(200);
      await visit.panel.locator('.dots').waitFor();
      expect(await findViolations(visit)).toEqual([]);
    });
  }
});
