import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';

/** Reports of the Content-Security-Policy, and anything an attack would have run. */
const WATCH = `
  window.reports = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    window.reports.push(violatedDirective + ' ' + blockedURI));
  window.attacked = (by) => window.reports.push('attack ' + by);`;
const ATTACKS = [
  `<img src=x onerror="attacked('img')">`,
  `<script>attacked('script')</script>`,
  `"><svg onload=attacked('svg')>`,
  `javascript:attacked('link')`,
  `{{constructor.constructor('attacked()')()}}`,
];
const HOSTILE = ATTACKS.join(' ');

describe("the console's page", () => {
  const stage = Stage.set();

  it("the console recovers from a lost connection, says that it's lost, and sends what was written until then", async () => {
    const ada = await Desk.open(stage);
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.composer.fill('Are you there?');
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    await stage.parley
      .visitor(stage.tenant.visitorToken)
      .post(`/chats/${chatId}/messages`, { content: 'Said meanwhile' })
      .expect(201);
    const other = await anotherChat(stage, 'Walter', 'Also meanwhile');
    stage.road.isCut = false;
    await ada.sees('Said meanwhile');
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
    await ada.page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await ada.page.getByRole('link', { name: /^Waiting/ }).click();
    await ada.page.locator(`.row[data-id="${other}"]`).waitFor();
    const { messages } = (await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body;
    const texts = (messages as { content: string }[]).map(({ content }) => content);
    expect(texts.filter((text) => text === 'Are you there?')).toHaveLength(1);
  });

  it("a message written into a chat that hasn't loaded is shown, and sent when possible", async () => {
    const ada = await Desk.open(stage);
    await ada.goTo(await waitingChat(stage, 'Early bird'));
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    await ada.page.goto(`${stage.road.url}/console/mine`);
    await ada.rows.filter({ hasText: 'Vera' }).waitFor();
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.rows.filter({ hasText: 'Vera' }).click();
    await ada.composer.fill('Are you there?');
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    stage.road.isCut = false;
    await ada.sees('Early bird');
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
    const shown = await ada.page.locator('.conversation .message .words').allTextContents();
    expect(shown).toEqual(['Early bird', 'Are you there?']);
  });

  it('an idle console has one socket and sends no requests', async () => {
    const asked: string[] = [];
    const ada = await Desk.open(stage);
    const sockets: string[] = [];
    ada.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    ada.page.on('websocket', (socket) => sockets.push(socket.url()));
    await ada.page.reload();
    await ada.isLive();
    await ada.page.waitForLoadState('networkidle');
    expect(sockets).toHaveLength(1);
    const reads = asked.filter((path) => path.startsWith('/api/'));
    for (const path of new Set(reads)) expect(reads.filter((other) => other === path).length).toBeLessThanOrEqual(3);
  });

  it('read marks, notes, and typing arrive over the socket, without a request while a chat is open and idle', async () => {
    const ada = await Desk.open(stage);
    const sockets: { beats: number }[] = [];
    ada.page.on('websocket', (socket) => {
      const counted = { beats: 0 };
      sockets.push(counted);
      socket.on('framereceived', ({ payload }) => (counted.beats += Number(payload === '2')));
    });
    const chatId = await waitingChat(stage);
    let lastAt = Date.now();
    ada.page.on('request', () => (lastAt = Date.now()));
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.say('Hello');
    const bob = await stage.parley.signInAgent(stage.tenant, { name: 'Bob', role: 'SUPERVISOR' });
    const visitor = await stage.parley.connectVisitor(stage.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId });
    // The chat is read again once it's taken. The network of a page that was loaded counts as idle even then.
    await eventually(
      () => Date.now() - lastAt,
      (quietMs) => quietMs > 1_000,
    );
    const asked: string[] = [];
    ada.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // Not the tab's icon, which changes with the unread count and is reported even if the browser has it, nor the dialogs, which load
      // soon after the start.
      if (!/^\/console\/assets\/(favicon|dialogs)-/.test(pathname)) asked.push(pathname);
    });
    const { latestSeq } = await visitor.ask('chat:open', { chatId });
    await visitor.ask('read', { chatId, seq: latestSeq });
    await ada.page.locator('.receipt').getByText('Seen').waitFor();
    await visitor.ask('typing', { chatId, isTyping: true });
    await ada.page.locator('.typists').getByText('Vera is typing…').waitFor();
    await visitor.ask('message:send', { chatId, content: 'A question' });
    await ada.sees('A question');
    const before = sockets.at(-1)!.beats;
    await eventually(
      () => sockets.at(-1)!.beats,
      (beats) => beats >= before + 2,
    );
    // The message's unread count, and its read mark, are the only requests.
    expect(asked.filter((path) => !path.endsWith('/chats/counts'))).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(2);
    await bob.client.post(`/chats/${chatId}/notes`, { content: 'Noted by Bob' }).expect(201);
    await ada.page.locator('.note-line').getByText('Noted by Bob').waitFor();
    expect(asked.filter((path) => path.endsWith('/notes'))).toHaveLength(1);
  });

  it("the console shows users' text as text, and runs none of it", async () => {
    const { admin, bot } = stage.tenant;
    const { body: group } = await admin.post('/groups', { name: HOSTILE.slice(0, 90) }).expect(201);
    const ada = await Desk.open(stage, { name: `Ada ${ATTACKS[0]}`, role: 'SUPERVISOR' });
    await ada.page.addInitScript(WATCH);
    const { body: chat } = await admin
      .post('/chats', {
        visitor: {
          name: HOSTILE.slice(0, 90),
          email: 'a@b.example',
          metadata: { page: ATTACKS[3], [ATTACKS[0]!]: HOSTILE },
        },
        metadata: { page: ATTACKS[3], more: HOSTILE },
      })
      .expect(201);
    const visitor = stage.parley.visitor(chat.visitorToken);
    await visitor.post(`/chats/${chat.id}/messages`, { content: HOSTILE }).expect(201);
    const picture = { type: 'IMAGE', content: ATTACKS[3], metadata: { url: ATTACKS[3], alt: HOSTILE } };
    await bot.post('/messages', { chatId: chat.id, ...picture }).expect(200);
    const options = [
      { label: HOSTILE.slice(0, 60), value: 'a' },
      { label: 'b', url: ATTACKS[3] },
    ];
    await bot
      .post('/messages', { chatId: chat.id, content: HOSTILE, type: 'BUTTON', metadata: { options } })
      .expect(200);
    const words = { reason: HOSTILE.slice(0, 200), summary: HOSTILE };
    await bot.post('/transfer', { chatId: chat.id, groupId: group.id, ...words }).expect(200);

    await ada.goTo(chat.id);
    await ada.page.locator('.facts').getByText("attacked('svg')").first().waitFor();
    await ada.page.keyboard.press('c');
    await ada.page.locator('.tabs').waitFor();
    await ada.say(HOSTILE);
    await ada.page.getByRole('button', { name: 'Note', exact: true }).click();
    await ada.page.getByLabel('Note for colleagues').fill(HOSTILE);
    await ada.composer.press('Enter');
    await ada.page.locator('.note-line').waitFor();
    await ada.button('Transfer…').click();
    await ada.page.getByRole('dialog').getByText("attacked('img')").first().waitFor();
    await ada.page.keyboard.press('Escape');
    expect(await ada.page.evaluate('window.reports')).toEqual([]);
    const harm = `document.querySelectorAll('[onerror], [onload], .desk script, [href^="javascript:"], .desk img[src="x"]')`;
    expect(await ada.page.evaluate(`${harm}.length`)).toBe(0);
  });

  it('a key followed by fast typing loses no letter', async () => {
    const ada = await Desk.open(stage);
    await ada.goTo(await waitingChat(stage));
    // The next key may come as soon as the previous one's change is drawn, long before a frame is.
    const focusBehind = (key: string, ctrlKey = false) =>
      ada.page.evaluate<string>(`(async () => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', ctrlKey: ${ctrlKey}, bubbles: true }));
        for (let turn = 0; turn < 5; turn++) await null;
        return document.activeElement.getAttribute('aria-label');
      })()`);
    expect(await focusBehind('n')).toBe('Note for colleagues');
    await ada.page.keyboard.press('Escape');
    // While its code is loaded, it keeps the letters itself (console-search.browser-spec.ts).
    await ada.page.keyboard.press('Control+k');
    await ada.page.getByRole('dialog').waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focusBehind('k', true)).toBe('Find a chat or an action');
  });

  it('the console can be used with the keyboard alone, from signing in to ending a chat', async () => {
    const ada = await Desk.open(stage);
    const { page } = ada;
    await waitingChat(stage, 'By keys');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('2');
    await ada.rows.first().waitFor();
    await page.keyboard.press('j');
    await ada.sees('By keys');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(
      () => page.evaluate('document.activeElement.tagName'),
      (name) => name === 'TEXTAREA',
    );
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await ada.sees('Typed');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByLabel('Note for colleagues').waitFor();
    await page.keyboard.type('Noted');
    await page.keyboard.press('Enter');
    await page.locator('.note-line').getByText('Noted').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a chat or an action' }).waitFor();
    await page.keyboard.type('end ch');
    await page.getByRole('option', { name: 'End chat' }).waitFor();
    await page.keyboard.press('Enter');
    await ada.button('Reopen').waitFor();
  });

  it("a list loads as much as the screen shows, and the rest when it's scrolled, with few rows in the page", async () => {
    const ada = await Desk.open(stage, { role: 'SUPERVISOR' }, { viewport: { width: 1200, height: 5_000 } });
    const chats = 130;
    await stage.parley.query(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, message_count, created_at)
       SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'QUEUED', now(), now(), 0, now()
       FROM chats c, generate_series(1, ${chats}) n WHERE c.id = $1`,
      [stage.tenant.chatId],
    );
    await ada.page.goto(`${stage.road.url}/console/waiting`);
    await ada.isLive();
    const size = () => ada.page.evaluate<number>(`Number(document.querySelector('.row-item')?.ariaSetSize)`);
    await eventually(size, (count) => count > 50);
    await ada.page.setViewportSize({ width: 1200, height: 800 });
    const scroll = async () => {
      await ada.page.evaluate(`document.querySelector('.rows').scrollTop = 1e6`);
      return size();
    };
    await eventually(scroll, (count) => count === chats);
    expect(await ada.rows.count()).toBeLessThanOrEqual(60);
    // A list that is left while it's scrolled gets its scroll event after it was removed.
    await ada.page.evaluate(
      `document.querySelector('.rows').scrollTop -= 1_000, document.querySelector('nav a[href="/console/overview"]').click()`,
    );
    await ada.page.locator('.rows').waitFor({ state: 'detached' });
    await ada.page.evaluate('new Promise(requestAnimationFrame)');
    expect(ada.visit.complaints).toEqual([]);
  });

  it("a long conversation has at most 60 lines in the page, and loads earlier ones when they're scrolled to", async () => {
    const ada = await Desk.open(stage);
    const chatId = await waitingChat(stage);
    await stage.parley.query(
      `INSERT INTO messages (organization_id, id, chat_id, seq, type, content, metadata, sender_type, sender_id, sender_name, created_at)
       SELECT m.organization_id, 'msg_test' || n, m.chat_id, m.seq + n, 'TEXT', 'line ' || n, '{}', 'VISITOR', $2, 'Vera',
         now() + n * interval '1 millisecond'
       FROM messages m, generate_series(1, 10000) n
       WHERE m.chat_id = $1 AND m.seq = (SELECT max(seq) FROM messages WHERE chat_id = $1)`,
      [chatId, stage.tenant.visitorId],
    );
    await stage.parley.query('UPDATE chats SET message_count = message_count + 10000 WHERE id = $1', [chatId]);
    await ada.goTo(chatId);
    await ada.sees('line 10000');
    const lines = ada.page.locator('.transcript-line');
    const height = () => ada.page.evaluate<number>(`document.querySelector('.scroller').scrollHeight`);
    const scrollUp = async () => {
      await ada.page.evaluate(`document.querySelector('.scroller').scrollTop = 0`);
      return height();
    };
    for (let page = 0; page < 5; page++) {
      expect(await lines.count()).toBeLessThanOrEqual(60);
      const before = await height();
      await eventually(scrollUp, (higher) => higher > before);
    }
    expect(await lines.count()).toBeLessThanOrEqual(60);
    // A conversation that is left while it's scrolled gets its scroll event after it was removed.
    await ada.page.evaluate(
      `document.querySelector('.scroller').scrollTop += 1_000, document.querySelector('nav a[href="/console/closed"]').click()`,
    );
    await ada.page.locator('.scroller').waitFor({ state: 'detached' });
    await ada.page.evaluate('new Promise(requestAnimationFrame)');
    expect(ada.visit.complaints).toEqual([]);
  });

  describe('axe finds no violation in the console', () => {
    it.each(Object.entries(LOOKS))('axe finds no violation on %s', async (_look, options) => {
      const ada = await Desk.open(stage, { role: 'SUPERVISOR' }, options);
      const { page } = ada;
      expect(await findViolations(ada.visit)).toEqual([]);
      const chatId = await waitingChat(stage, 'Look at me', { summary: 'A summary' });
      await ada.goTo(chatId);
      await ada.sees('Look at me');
      expect(await findViolations(ada.visit)).toEqual([]);
      await page.keyboard.press('c');
      await ada.say('Hello');
      await ada.page.getByRole('button', { name: 'Note', exact: true }).click();
      await ada.composer.fill('A note');
      expect(await findViolations(ada.visit)).toEqual([]);
      await ada.composer.press('Enter');
      await page.locator('.note-line').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('t');
      await page.getByRole('dialog', { name: 'Transfer chat' }).waitFor();
      expect(await findViolations(ada.visit)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find a chat or an action' }).waitFor();
      expect(await findViolations(ada.visit)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.evaluate(`document.documentElement.dir = 'rtl'`);
      expect(await findViolations(ada.visit)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  });
});
