import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import type { Tenant } from '../support/parley.js';
import { Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

describe('live text in the widget', () => {
  const stage = Stage.set();
  let tenant: Tenant;
  let visit: Visit;
  let id: string;

  beforeEach(async () => {
    ({ tenant } = stage);
    visit = await stage.visit();
    await visit.open();
    await visit.say('Where is my order?');
    id = await stage.chatId();
  });
  afterEach(() => expect(visit.complaints).toEqual([]));

  const write = (text: string) => tenant.bot.post(`/chats/${id}/typing`, { isTyping: true, text }).expect(200);
  /** Loses the connection, and restores it when the work is done. */
  const comesBackAfter = async (work: () => PromiseLike<unknown>) => {
    stage.road.cut();
    await visit.panel.locator('header.offline').waitFor();
    await work();
    stage.road.isCut = false;
    await visit.online();
    // The browser reports the connection that was cut.
    visit.complaints.splice(0);
  };
  const LONG = 'It has left our warehouse in Utrecht this morning, and it will be with you tomorrow before noon.';
  /** The boxes of all lines of the conversation, whenever something in it changes. */
  const watch = () =>
    visit.panel.locator('.view').evaluate((view) => {
      const frames: { texts: string[]; boxes: Box[] }[] = [];
      (globalThis as unknown as { frames: unknown }).frames = frames;
      const paint = globalThis as unknown as { requestAnimationFrame: (run: () => void) => void };
      const look = () => {
        const bubbles = [...view.querySelectorAll('.bubble')];
        const boxes = bubbles.map((bubble) => {
          const { top, left, width, height } = bubble.getBoundingClientRect();
          return { top, left, width, height };
        });
        frames.push({ texts: bubbles.map((bubble) => bubble.textContent ?? ''), boxes });
        paint.requestAnimationFrame(look);
      };
      look();
    });
  const frames = () =>
    visit.page.evaluate(() => (globalThis as unknown as { frames: { texts: string[]; boxes: Box[] }[] }).frames);

  it("live text is shown in the bot's bubble, and the message replaces it without a jump, a flicker, or a double", async () => {
    await stage.say('Let me see.');
    await visit.sees('Where is my order?', 'Let me see.');
    await write('It has left');
    await visit.sees('Where is my order?', 'Let me see.', 'It has left');
    await write(LONG);
    await visit.sees('Where is my order?', 'Let me see.', LONG);
    await watch();
    await stage.say(LONG);
    await visit.panel.locator('[data-id]').nth(2).waitFor();
    await visit.panel.getByText('Bot is typing').waitFor({ state: 'detached' });
    const seen = await eventually(frames, ({ length }) => length > 5);
    for (const { texts, boxes } of seen) {
      expect(texts).toEqual(['Where is my order?', 'Let me see.', LONG]);
      expect(boxes).toEqual(seen[0]!.boxes);
    }
    expect(await visit.panel.locator('[data-id]').count()).toBe(3);
  });

  it('a status is shown while the bot works, and gone with the next text', async () => {
    const status = visit.panel.getByText('Searching orders…');
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true, status: 'Searching orders…' }).expect(200);
    await status.waitFor();
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true, text: 'Let me', status: 'Reading…' }).expect(200);
    await visit.sees('Where is my order?', 'Let me');
    await visit.panel.getByText('Reading…').waitFor();
    expect(await status.count()).toBe(0);
    await write('Let me see');
    await visit.sees('Where is my order?', 'Let me see');
    expect(await visit.panel.locator('.doing').count()).toBe(0);
  });

  it('a bot that types for long without a word is still working, until its next text', async () => {
    const stillWorking = visit.panel.getByText('Still working on it…');
    // The indicator ends 10 s after a signal, so bots repeat it.
    await until('the widget says so', async () => {
      await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true }).expect(200);
      return (await stillWorking.count()) > 0;
    });
    await write('Here');
    await stillWorking.waitFor({ state: 'detached' });
  });

  it('screen readers announce that the bot is typing, and then only the message', async () => {
    await write('Half a sen');
    await visit.sees('Where is my order?', 'Half a sen');
    await visit.panel.getByText('Bot is typing').waitFor({ state: 'attached' });
    expect(await visit.panel.getByRole('log').innerText()).not.toContain('Half');
    expect(await visit.panel.getByRole('listitem').filter({ hasText: 'Half a sen' }).count()).toBe(0);
    await stage.say('Half a sentence, then the other.');
    await visit.panel.getByRole('log').getByText('Half a sentence, then the other.').waitFor({ state: 'attached' });
    expect(await visit.panel.getByRole('log').innerText()).not.toContain('Half a sen\n');
  });

  it('live text gives way to a message that came first, and to one that comes by sync', async () => {
    await write('First');
    await visit.sees('Where is my order?', 'First');
    stage.road.cut();
    await visit.panel.getByText('Reconnecting').first().waitFor();
    await stage.say('First and last');
    stage.road.isCut = false;
    await visit.sees('Where is my order?', 'First and last');
    await visit.online();
    // The browser reports the connection that was cut.
    visit.complaints.splice(0);
    // A live text that the message has overtaken isn't sent.
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true }).expect(200);
    await visit.panel.getByText('Bot is typing').waitFor({ state: 'attached' });
    await write('Second');
    await visit.sees('Where is my order?', 'First and last', 'Second');
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: false }).expect(200);
    await visit.sees('Where is my order?', 'First and last');
    expect(await visit.panel.locator('.theirs .bubble').count()).toBe(1);
  });

  it('a lost connection leaves no dots, live text, or status in a chat that ended during it', async () => {
    await tenant.bot
      .post(`/chats/${id}/typing`, { isTyping: true, text: 'It has', status: 'Searching orders…' })
      .expect(200);
    await visit.sees('Where is my order?', 'It has');
    await visit.panel.getByText('Searching orders…').waitFor();
    await comesBackAfter(() => tenant.bot.post(`/chats/${id}/close`, {}).expect(200));
    expect(await visit.panel.getByText(/Searching|It has|is typing/).count()).toBe(0);
    await visit.button('Start a new chat').waitFor();
  });

  it("an agent who has left the chat during a lost connection isn't shown as typing", async () => {
    const [{ id: groupId }] = (await tenant.bot.get('/groups').expect(200)).body;
    const ada = await stage.parley.signInAgent(tenant, { name: 'Ada', groupIds: [groupId] });
    await ada.client.post(`/chats/${id}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${id}/typing`, { isTyping: true }).expect(200);
    await visit.panel.getByText('Ada is typing').waitFor({ state: 'attached' });
    await comesBackAfter(() => ada.client.post(`/chats/${id}/release`, {}).expect(200));
    expect(await visit.panel.getByText('Ada is typing').count()).toBe(0);
    expect(await visit.panel.locator('.dots').count()).toBe(0);
  });

  it('live text is shown in a tab that opens the chat later', async () => {
    await write('Still writing');
    // Typing ends after 10 s, and a tab may take longer to open.
    const renewal = setInterval(() => void write('Still writing').catch(() => undefined), 3_000);
    try {
      const tab = await visit.newTab(stage.site.url);
      await tab.open();
      await tab.sees('Where is my order?', 'Still writing');
    } finally {
      clearInterval(renewal);
    }
  });

  it('live text stays at the end of a long conversation while it grows', async () => {
    for (let count = 0; count < 15; count++) await stage.say(`Line ${count}`);
    await visit.panel.getByText('Line 14', { exact: true }).first().waitFor();
    for (const part of [20, 200, 600]) {
      await write('word '.repeat(part).trim());
      await eventually(
        () =>
          visit.panel.locator('.view').evaluate(
            (view, length) => ({
              isThere: (view.textContent ?? '').length > length,
              below: view.scrollHeight - view.scrollTop - view.clientHeight,
            }),
            part * 5,
          ),
        ({ isThere, below }) => isThere && below < 2,
      );
    }
  });

  it("the visitor's live text is sent to the chat's agent if the organization allows it, and the widget says so", async () => {
    const notice = () => visit.panel.getByText('We can see what you type before you send it');
    expect(await notice().count()).toBe(0);
    await stage.parley.admin.patch(`/${tenant.id}`, { typingPreview: true }).expect(200);
    const [{ id: groupId }] = (await tenant.bot.get('/groups').expect(200)).body;
    const ada = await stage.parley.signInAgent(tenant, { groupIds: [groupId] });
    await ada.client.post(`/chats/${id}/claim`, {}).expect(200);
    const agent = await stage.parley.connectAgent(ada.token);
    await agent.ask('chat:follow', { chatId: id });
    await visit.page.reload();
    await visit.open();
    await notice().waitFor();
    await visit.composer.pressSequentially('My number is 12');
    await agent.until(() => agent.all('typing').some(({ text }) => text === 'My number is 12'));
    await visit.composer.press('Enter');
    await agent.until(() => agent.all('typing').at(-1)?.isTyping === false);
  });
});

describe('live text in the console', () => {
  const stage = Stage.set();

  it("live text of the bot and the visitor is the conversation's last line until the message arrives", async () => {
    const { tenant } = stage;
    const desk = await Desk.open(stage, { name: 'Ada' });
    const id = await waitingChat(stage, 'Where is my order?');
    await desk.goTo(id);
    const live = desk.page.locator('.conversation .live');
    const words = desk.page.locator('.conversation .words');
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true, text: 'A colleague will' }).expect(200);
    await live.getByText('A colleague will', { exact: true }).waitFor();
    // Half-written Markdown is drawn like the complete one.
    await tenant.bot.post(`/chats/${id}/typing`, { isTyping: true, text: 'A **colleague wi' }).expect(200);
    await live.locator('strong').getByText('colleague wi', { exact: true }).waitFor();
    expect(await live.locator('.words').textContent()).toBe('A colleague wi');
    await tenant.bot.post('/messages', { chatId: id, content: 'A colleague will help you.' }).expect(200);
    await desk.sees('A colleague will help you.');
    await live.waitFor({ state: 'detached' });
    expect(await words.filter({ hasText: 'A colleague will' }).count()).toBe(1);
    await stage.parley.admin.patch(`/${tenant.id}`, { typingPreview: true }).expect(200);
    await desk.page.keyboard.press('c');
    await desk.composer.waitFor();
    const visitor = await stage.parley.connectVisitor(tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: id });
    await visitor.ask('typing', { chatId: id, isTyping: true, text: 'My *number* is' });
    await live.getByText('My *number* is', { exact: true }).waitFor();
    // The agent's own text is sent as typing only.
    await desk.composer.pressSequentially('One moment');
    await visitor.until(() => visitor.all('typing').some(({ sender }) => sender.type === 'AGENT'));
    expect(visitor.all('typing').filter(({ sender, text }) => sender.type === 'AGENT' && text !== undefined)).toEqual(
      [],
    );
    await visitor.ask('message:send', { chatId: id, content: 'My number is 12' });
    await desk.sees('My number is 12');
    await live.waitFor({ state: 'detached' });
    expect(desk.visit.complaints).toEqual([]);
  });
});
