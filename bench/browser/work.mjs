import { setTimeout as sleep } from 'node:timers/promises';
import { limit } from '../figures/limits.mjs';
import { percentile } from '../figures/stats.mjs';
import { open } from './moments.mjs';

/** Chats that change each second while the agent types. */
const PACE = 50;
/** Milliseconds between two keys. */
const BETWEEN_KEYS = 80;
/** After so many switches, everything that is loaded once is loaded. */
const WARM_AFTER = 100;
const MIB = 2 ** 20;

/**
 * From a key to the frame with its letter, and the tasks that block the page, while many chats of the list change.
 * @param chats the page has their rows; the first one is open, and the bot has it. Taking it would show another list, so this types a note
 */
export async function timeTyping(page, { url, botToken, chats, keys }) {
  await page.keyboard.press('n');
  await page.locator('.composer textarea').focus();
  await page.evaluate(watchKeys);
  const changes = new AbortController();
  const changing = changeAll({ url, botToken, chats, signal: changes.signal });
  for (let count = 0; count < keys; count++) {
    await page.keyboard.press('a');
    await sleep(BETWEEN_KEYS);
  }
  changes.abort();
  await changing;
  const { typed, tasks } = await page.evaluate(() => window.keys);
  const measure = `${PACE} changed chats a second in a list of ${chats.length} rows`;
  return [
    limit({ measure: `${measure}: a key to its letter, p50`, unit: 'ms', values: [percentile(typed, 50)] }),
    limit({ measure: `${measure}: a key to its letter, p95`, unit: 'ms', values: [percentile(typed, 95)], below: 50 }),
    limit({ measure: `${measure}: tasks over 50 ms`, unit: '', values: [tasks.length] }),
    limit({ measure: `${measure}: longest task`, unit: 'ms', values: [Math.max(0, ...tasks)] }),
  ];
}

/** What the page keeps after an hour of work, and the tasks that blocked it. */
export async function weighSwitches(page, chats, switches) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const weigh = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  await page.evaluate(watchKeys);
  for (let count = 0; count < WARM_AFTER; count++) await open(page, chats[count % chats.length]);
  const warm = await weigh();
  for (let count = WARM_AFTER; count < switches; count++) await open(page, chats[count % chats.length]);
  const last = await weigh();
  const { tasks } = await page.evaluate(() => window.keys);
  await session.detach();
  const measure = `${switches} switches of chats`;
  const growth = last.JSHeapUsedSize / warm.JSHeapUsedSize;
  return [
    limit({ measure: `${measure}: heap`, unit: 'MB', values: [last.JSHeapUsedSize / MIB] }),
    limit({ measure: `${measure}: heap by that after ${WARM_AFTER}`, unit: '', values: [growth], below: 1.2 }),
    limit({ measure: `${measure}: nodes`, unit: '', values: [last.Nodes] }),
    limit({ measure: `${measure}: listeners`, unit: '', values: [last.JSEventListeners] }),
    limit({ measure: `${measure}: tasks over 50 ms`, unit: '', values: [tasks.length] }),
    limit({ measure: `${measure}: longest task`, unit: 'ms', values: [Math.max(0, ...tasks)] }),
  ];
}

async function changeAll({ url, botToken, chats, signal }) {
  const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
  const start = performance.now();
  const sending = [];
  for (let count = 0; !signal.aborted; count++) {
    const due = start + (count * 1000) / PACE;
    if (performance.now() < due) await sleep(due - performance.now());
    const body = JSON.stringify({ chatId: chats[count % chats.length].id, content: `Change ${count}` });
    sending.push(fetch(`${url}/api/bot/messages`, { method: 'POST', headers, body }));
  }
  const answers = await Promise.all(sending);
  if (answers.some(({ ok }) => !ok)) throw new Error('a change was refused');
}

/** Runs in the page. `keys.typed` has the milliseconds from each key to its frame, `keys.tasks` the milliseconds of each long task. */
function watchKeys() {
  const kept = { typed: [], tasks: [] };
  if (!window.keys) {
    addEventListener(
      'keydown',
      async ({ timeStamp }) => {
        const at = await window.pixels.painted(() => true);
        window.keys.typed.push(at - performance.timeOrigin - timeStamp);
      },
      true,
    );
    new PerformanceObserver((list) =>
      window.keys.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: 'longtask' });
  }
  window.keys = kept;
}
