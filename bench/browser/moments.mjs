import { setTimeout as sleep } from 'node:timers/promises';
import { askSocket } from '../agents/prepare.mjs';
import { limit } from '../figures/limits.mjs';
import { percentile } from '../figures/stats.mjs';
import { openBareTab } from './bare-tab.mjs';
import { clockAhead, VIEWPORT } from './desk.mjs';

/** Messages a second, from as many visitors as one agent can talk with. */
const PACE = 5;
/** The slowdown of the processor for the first load. */
const SLOWDOWN = 4;
/** How many chats the agent switches between. */
const AMONG = 8;

/**
 * From a visitor's message to its pixels.
 * @param visitors each with a socket and a chat id; they send in turn
 * @param selector where the page shows the message's text
 */
export async function timeMessages(page, visitors, { measure, selector, seconds, prefix }) {
  await page.evaluate((where) => window.pixels.watch(where), selector);
  const ahead = await clockAhead(page);
  const sentAt = new Map();
  const start = performance.now();
  const sending = [];
  for (let count = 0; count < seconds * PACE; count++) {
    const due = start + (count * 1000) / PACE;
    if (performance.now() < due) await sleep(due - performance.now());
    const content = `ping ${prefix} ${count}`;
    const { socket, chatId } = visitors[count % visitors.length];
    sentAt.set(content, performance.timeOrigin + performance.now());
    sending.push(askSocket(socket, 'message:send', { chatId, content }));
  }
  await Promise.all(sending);
  await page.waitForFunction(
    ([start_, wanted]) =>
      [...window.pixels.seen].filter(([text, at]) => text.startsWith(start_) && at).length === wanted,
    [`ping ${prefix} `, sentAt.size],
  );
  const seen = new Map(await page.evaluate(() => [...window.pixels.seen]));
  const delays = [...sentAt].map(([content, at]) => seen.get(content) - ahead - at);
  return [
    limit({ measure: `${measure}, p50`, unit: 'ms', values: [percentile(delays, 50)] }),
    limit({ measure: `${measure}, p99`, unit: 'ms', values: [percentile(delays, 99)] }),
  ];
}

/** Times opening chats from the list, and switching between opened chats. */
export async function timeOpening(page, chats, { opened, switches }) {
  const first = [];
  for (const chat of chats.slice(0, opened)) first.push(await open(page, chat));
  const among = chats.slice(opened - AMONG, opened);
  const again = [];
  for (let count = 0; count < switches; count++) again.push(await open(page, among[count % AMONG]));
  return [
    limit({ measure: 'opening a chat, p50', unit: 'ms', values: [percentile(first, 50)] }),
    limit({ measure: 'opening a chat, p95', unit: 'ms', values: [percentile(first, 95)] }),
    limit({ measure: 'switching to a chat that was open before, p50', unit: 'ms', values: [percentile(again, 50)] }),
    limit({
      measure: 'switching to a chat that was open before, p95',
      unit: 'ms',
      values: [percentile(again, 95)],
      below: 100,
    }),
  ];
}

/** From the click on the row to the frame with the name and the last message. */
export function open(page, { id, last }) {
  return page.evaluate(
    async ([chatId, words]) => {
      const row = document.querySelector(`.row[data-id="${chatId}"]`);
      const name = row.querySelector('.row-name').textContent;
      const begin = performance.timeOrigin + performance.now();
      row.click();
      const end = await window.pixels.painted(
        () =>
          document.querySelector('.chat-head h1')?.textContent === name &&
          [...document.querySelectorAll('.conversation .words')].some(({ textContent }) => textContent === words),
      );
      return end - begin;
    },
    [id, last],
  );
}

/**
 * From the address to the list with its rows, in a fresh tab without injected tools, on a slow processor. In turns with a page of one
 * line of text, which shows how much of the time is the browser's and the machine's.
 */
export async function timeFirstLoad(browser, context, url, count) {
  const root = await browser.newBrowserCDPSession();
  const cookies = await context.cookies();
  const consoles = [];
  const plain = [];
  for (let time = 0; time < count; time++) {
    consoles.push(await load(root, cookies, `${url}/console/open`, '.rows[aria-busy=false] .row'));
    plain.push(await load(root, cookies, `${url}/health/ready`, 'pre'));
  }
  const slow = `processor ${SLOWDOWN} times slower`;
  return [
    limit({ measure: `first load to the list of chats, ${slow}`, unit: 'ms', values: consoles, below: 1_000 }),
    limit({ measure: `the same of a page with a line of text, ${slow}`, unit: 'ms', values: plain }),
  ];
}

async function load(root, cookies, address, ready) {
  const tab = await openBareTab(root, cookies, VIEWPORT);
  // Starts the tab's process before the measurement.
  await tab.go(new URL('/health/live', address).href);
  await tab.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const source = `window.readyAt = (${paintedAt.toString()})(${JSON.stringify(ready)})`;
  await tab.send('Page.addScriptToEvaluateOnNewDocument', { source });
  await tab.go(address);
  const readyAt = await tab.read('window.readyAt');
  await tab.close();
  return readyAt;
}

/** Runs in the page. Resolves with the time after the first frame with an element that matches. */
function paintedAt(selector) {
  return new Promise((resolve) => {
    const begin = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      begin.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    });
    begin.observe(document, { subtree: true, childList: true, attributes: true });
  });
}

/** Scrolls through a long conversation, to its beginning and back to its end. */
export async function timeScrolling(page, { id, last }, length) {
  await open(page, { id, last });
  const { longest, long, lines } = await page.evaluate(async () => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
    const scroller = document.querySelector('.scroller');
    let lines_ = 0;
    const step = async (by) => {
      scroller.scrollTop += by;
      await new Promise(requestAnimationFrame);
      lines_ = Math.max(lines_, scroller.querySelectorAll('li').length);
    };
    const isAtBegin = () => scroller.querySelector('li[data-index="0"] .line-middle:not(.day)') !== null;
    while (!isAtBegin()) await step(-1_500);
    while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 2) await step(6_000);
    return { longest: Math.max(0, ...tasks), long: tasks.length, lines: lines_ };
  });
  const measure = `scrolling through ${length.toLocaleString('en-US')} messages`;
  return [
    limit({ measure: `${measure}, longest task`, unit: 'ms', values: [longest], atMost: 50 }),
    limit({ measure: `${measure}, tasks over 50 ms`, unit: '', values: [long] }),
    limit({ measure: `${measure}, lines in the page at most`, unit: '', values: [lines], atMost: 60 }),
  ];
}
