import { launchChromium } from '../setup/chromium.mjs';
import { fillChat, openDesk, readWholeList } from './desk.mjs';
import { open, timeFirstLoad, timeMessages, timeOpening, timeScrolling } from './moments.mjs';
import { startParley } from '../setup/parley.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';
import { timeTyping, weighSwitches } from './work.mjs';

/** The messages in each opened chat. */
const MESSAGES = 60;

/** The console in a real browser, with many rows in its list. */
export async function measureConsole(bench) {
  const begin = performance.now();
  const { rows, opened, longChat, loads, hour, keys } = bench.console;
  const browser = await launchChromium();
  const parley = await startParley(bench, 'console');
  const { context, page, chats, organizationId, botToken } = await openDesk(bench, parley, browser);
  const [long, ...shown] = chats.slice(0, opened + 1);
  await fillChat(parley.databaseUrl, organizationId, long.id, longChat);
  for (const { id } of shown) await fillChat(parley.databaseUrl, organizationId, id, MESSAGES);
  console.log(`${rows} open chats (${secondsSince(begin)} s)`);
  await readWholeList(page, parley.url, rows);

  const lastOf = (chat, count) => ({ ...chat, last: `Line ${count}${' and some words more'.repeat(count % 7)}` });
  const read = shown.map((chat) => lastOf(chat, MESSAGES));
  const limits = await timeOpening(page, read, bench.console);
  limits.push(...(await weighSwitches(page, read, hour)));
  await open(page, read.at(-1));
  const visitors = await connectVisitors(parley, shown);
  const speakers = visitors.map(({ socket }, place) => ({ socket, chatId: shown[place].id }));
  const { seconds } = bench.console;
  const measure = 'a visitor’s message to its pixels';
  const inChat = { measure: `${measure} in the open chat`, selector: '.conversation .words', seconds, prefix: 'chat' };
  limits.push(...(await timeMessages(page, speakers.slice(opened - 1), inChat)));
  const inList = {
    measure: `${measure} in a list of ${rows} rows`,
    selector: '.row .last-words',
    seconds,
    prefix: 'list',
  };
  limits.push(...(await timeMessages(page, speakers.slice(0, 10), inList)));
  limits.push(...(await timeScrolling(page, lastOf(long, longChat), longChat)));
  limits.push(...(await timeFirstLoad(browser, context, parley.url, loads)));
  limits.push(...(await timeTyping(page, { url: parley.url, botToken, chats, keys })));
  disconnectVisitors(visitors);
  await browser.close();
  await parley.stop();
  return limits;
}

function secondsSince(begin) {
  return Math.round((performance.now() - begin) / 1000);
}
