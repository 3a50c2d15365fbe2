import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/support/browser.js';
import { anotherChat, type Desk } from '../browser/support/desk.js';
import { Client } from '../support/client.js';
import { until } from '../support/eventually.js';
import { Road } from '../support/road.js';
import { createTenant, type Tenant } from '../support/tenant.js';
import { VisitorSocket } from '../support/visitor.js';
import { ADMIN_TOKEN, Cluster } from './support/cluster.js';
import { type Footprint, measureFootprint, openConsole, signInAgain } from './support/console.js';

/**
 * The morning of a day, in less time: 40 chats with 8,000 visitors' messages. CONSOLE_DAY_MESSAGES=20000 with
 * CONSOLE_DAY_CHATS=500 is a day of eight hours in five minutes. The number of chats is a multiple of 4.
 */
const CHATS = Number(process.env.CONSOLE_DAY_CHATS ?? 40);
const MESSAGES = Number(process.env.CONSOLE_DAY_MESSAGES ?? 8_000) / CHATS;
/** How many chats start before the agent has ended the earlier ones. */
const AHEAD = 6;
/** How many messages a visitor sends together. */
const TOGETHER = 20;
/** One in this many chats is answered and ended in the page itself, the others by another session of the agent. */
const BY_HAND = 10;
/** Maximum lines of a list in the page. */
const MOST_LINES = 60;
const LINES = `...['.transcript-line', '.row-item'].map((lines) => document.querySelectorAll(lines).length)`;
/** In the page: opens a chat as soon as it's in the list, and waits until it shows this text. */
const SHOWS = `((chatId, words) => new Promise((resolve) => {
  const look = () => {
    const row = document.querySelector('.row[data-id="' + chatId + '"]');
    if (row && row.getAttribute('aria-current') !== 'true') row.click();
    const said = [...document.querySelectorAll('.conversation .words')];
    if (said.some(({ textContent }) => textContent === words)) resolve();
    else requestAnimationFrame(look);
  };
  look();
}))`;

const isSoak = process.env.FAULT_MINUTES !== undefined;

(isSoak ? describe.skip : describe)('the console of an agent', () => {
  let cluster: Cluster;
  let browser: Browser;
  let desk: Desk | undefined;
  let road: Road;
  let tenant: Tenant;

  beforeAll(async () => {
    [cluster, browser] = [await Cluster.start(), await launchBrowser()];
  }, 60_000);
  afterEach(async () => {
    await desk?.visit.close();
    await road.close();
  });
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
  }, 60_000);

  const open = async () => {
    const [node] = cluster.nodes;
    tenant = await createTenant(node!.url, ADMIN_TOKEN);
    road = await Road.to(node!.url);
    desk = await openConsole(browser, road.url, tenant);
    return desk;
  };

  it('the console says that its node was killed and continues on another one, without a lost or doubled message', async () => {
    const ada = await open();
    const { chatId, token, visitorToken } = tenant;
    await tenant.bot.post('/transfer', { chatId }).expect(200);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.say('Before');
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });

    const [killed, other] = cluster.nodes;
    const visitor = new Client(`${other!.url}/api/visitor`, visitorToken);
    const elsewhere = {
      ...tenant,
      bot: new Client(`${other!.url}/api/bot`, token),
      admin: new Client(`${other!.url}/api/admin/organizations/${tenant.id}`, ADMIN_TOKEN),
    };
    try {
      await killed!.end('SIGKILL');
      await ada.page.getByText('Reconnecting…').waitFor();
      await ada.composer.fill('Written meanwhile');
      await ada.composer.press('Enter');
      await ada.page.getByText('Waiting for connection').waitFor();
      await visitor.post(`/chats/${chatId}/messages`, { content: 'Said meanwhile' }).expect(201);
      const waiting = await anotherChat({ tenant: elsewhere }, 'Walter', 'I waited meanwhile');

      road.target = other!.url;
      const reachableAt = performance.now();
      await ada.page.getByText('Reconnecting…').waitFor({ state: 'detached' });
      await ada.sees('Said meanwhile');
      await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
      const took = (performance.now() - reachableAt) / 1000;
      process.stdout.write(`  the console was right again ${took.toFixed(1)} s after it could reach another node\n`);

      await ada.page.getByRole('link', { name: /^Waiting/ }).click();
      await ada.page.locator(`.row[data-id="${waiting}"]`).waitFor();
      await ada.page.getByRole('link', { name: /^Mine/ }).click();
      await ada.rows.filter({ hasText: 'Vera' }).click();
      await visitor.post(`/chats/${chatId}/messages`, { content: 'And now?' }).expect(201);
      await ada.sees('And now?');
      const { messages } = (await elsewhere.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body;
      const said = (messages as { content: string; sender: { type: string } }[])
        .filter(({ sender }) => sender.type !== 'SYSTEM')
        .map(({ content }) => content);
      expect(said.toSorted()).toEqual(['And now?', 'Before', 'Said meanwhile', 'Written meanwhile']);
      const shown = await ada.page.locator('.conversation .message .words').allTextContents();
      expect(shown).toEqual(said);
    } finally {
      await killed!.restart();
    }
  });

  it(`the console's memory doesn't grow over a day of ${CHATS} chats with ${MESSAGES} messages each`, async () => {
    const ada = await open();
    const { page } = ada;
    const session = await page.context().newCDPSession(page);
    const { url } = cluster.nodes[0]!;
    const agent = await signInAgain(url, tenant, ada.agentId);
    const begin = async (number: number) => {
      const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: `Visitor ${number}` } }).expect(201);
      const visitor = await VisitorSocket.connect(url, chat.visitorToken);
      const say = async (from: number, to: number) => {
        for (let index = from; index < to; index += TOGETHER) {
          const some = Array.from({ length: Math.min(TOGETHER, to - index) }, (_, place) => index + place);
          const answers = await Promise.all(
            some.map((place) =>
              visitor.ask('message:send', { chatId: chat.id, content: `Message ${place} of ${number}` }),
            ),
          );
          expect(answers.every(({ ok }) => ok)).toBe(true);
        }
      };
      await visitor.ask('chat:open', { chatId: chat.id });
      await say(0, MESSAGES / 2);
      await tenant.bot.post('/transfer', { chatId: chat.id }).expect(200);
      await agent.post(`/chats/${chat.id}/claim`, {}).expect(200);
      return { id: chat.id as string, say, close: () => visitor.close() };
    };
    const shows = (chatId: string, words: string) =>
      page.evaluate(`${SHOWS}(${JSON.stringify(chatId)}, ${JSON.stringify(words)})`);

    const begun = Array.from({ length: Math.min(AHEAD, CHATS) }, (_, number) => begin(number));
    const footprints: Footprint[] = [];
    let mostLines = 0;
    const startedAt = performance.now();
    for (let number = 0; number < CHATS; number++) {
      const chat = await begun[number]!;
      if (number + AHEAD < CHATS) begun.push(begin(number + AHEAD));
      await shows(chat.id, `Message ${MESSAGES / 2 - 1} of ${number}`);
      await chat.say(MESSAGES / 2, MESSAGES);
      await shows(chat.id, `Message ${MESSAGES - 1} of ${number}`);
      mostLines = Math.max(mostLines, await page.evaluate<number>(`Math.max(${LINES})`));
      if (number % BY_HAND === 0) {
        await ada.say(`Answer to ${number}`);
        await page.keyboard.press('Escape');
        await page.keyboard.press('e');
        const status = async () => (await tenant.admin.get(`/chats/${chat.id}`).expect(200)).body.status as string;
        await until('the chat has ended', async () => (await status()) === 'CLOSED');
      } else await agent.post(`/chats/${chat.id}/close`).expect(200);
      chat.close();
      if ((number + 1) % (CHATS / 4) === 0) footprints.push(await measureFootprint(session));
    }
    const took = ((performance.now() - startedAt) / 1000).toFixed(0);
    const words = footprints.map(
      ({ heapBytes, nodes, listeners }) =>
        `${(heapBytes / 2 ** 20).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`,
    );
    process.stdout.write(`  a day in ${took} s; after each quarter: ${words.join('; ')}; at most ${mostLines} lines\n`);
    const [, half, , whole] = footprints as [Footprint, Footprint, Footprint, Footprint];
    expect(whole.heapBytes).toBeLessThan(half.heapBytes * 1.1 + 2 ** 20);
    expect(whole.nodes).toBeLessThan(half.nodes * 1.1 + 500);
    expect(whole.listeners).toBeLessThan(half.listeners * 1.1 + 100);
    expect(mostLines).toBeLessThanOrEqual(MOST_LINES);
    expect(ada.visit.complaints).toEqual([]);
  }, 600_000);
});
