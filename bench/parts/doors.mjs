import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONTENT, PATH } from '../load/load.mjs';
import { startParley } from '../setup/parley.mjs';
import { outputOf } from '../setup/processes.mjs';
import { median, percentile } from '../figures/stats.mjs';

const FLOOD = fileURLToPath(new URL('../load/flood.mjs', import.meta.url));
/** Milliseconds between two sends of the other organization. */
const PAUSE = 20;
/** The default limits. */
const LIMITS = {
  BOT_RATE_LIMIT: '500',
  VISITOR_RATE_LIMIT: '100',
  VISITOR_CONNECTION_LIMIT: '1000',
  WRONG_TOKEN_LIMIT: '300',
  NEW_VISITOR_LIMIT: '300',
};
/** The results that refuse access. `ended`: the service closed the connection. */
const REFUSED = new Set(['401', '403', '404', '429', 'ended']);

/** How a flood of each route affects another organization's sends from another address. */
export async function measureDoors(bench) {
  const parley = await startParley(bench, 'doors', LIMITS);
  const [stranger, other] = bench.tenants;
  const known = {
    widgetKey: stranger.widgetKey,
    visitorToken: stranger.chats[0].visitorToken,
    chatId: stranger.chats[0].id,
  };
  const doors = JSON.parse(await outputOf(process.execPath, [FLOOD]));
  const idle = await sendByClock(parley, other, sleep(bench.seconds * 1000));
  console.log(line('(idle)', '', '', '', idle));
  for (const door of doors) {
    const flood = outputOf(process.execPath, [FLOOD, door, parley.url, String(bench.seconds), JSON.stringify(known)]);
    const sends = await sendByClock(parley, other, flood);
    const { answers, seconds } = JSON.parse((await flood).trim());
    const total = (wanted) =>
      Object.entries(answers)
        .filter(([how]) => REFUSED.has(how) === wanted)
        .reduce((sum, [, count]) => sum + count, 0);
    console.log(line(door, total(true) / seconds, total(false) / seconds, JSON.stringify(answers), sends));
  }
  await parley.stop();
  return [];
}

/** Sends at a fixed rate until it's over, without waiting for earlier responses. */
async function sendByClock({ url }, { token, chats }, over) {
  const times = [];
  let failures = 0;
  let isOver = false;
  void over.finally(() => (isOver = true));
  const sends = [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let count = 0; !isOver; count++) {
    const startedAt = performance.now();
    const body = JSON.stringify({ chatId: chats[count % chats.length].id, content: CONTENT });
    sends.push(
      fetch(url + PATH, { method: 'POST', headers, body })
        .then(async (response) => {
          await response.text();
          times.push(performance.now() - startedAt);
          if (!response.ok) failures++;
        })
        .catch(() => failures++),
    );
    await sleep(PAUSE);
  }
  await Promise.all(sends);
  return { p50: median(times), p99: percentile(times, 99), failures, count: times.length };
}

function line(door, refused, let_in, answers, { p50, p99, failures, count }) {
  const rate = (value) => (value === '' ? '' : Math.round(value));
  return [
    door.padEnd(42),
    String(rate(refused)).padStart(8),
    String(rate(let_in)).padStart(8),
    `${p50.toFixed(1)} ms`.padStart(10),
    `${p99.toFixed(1)} ms`.padStart(10),
    `${failures} of ${count}`.padStart(12),
    answers,
  ].join('  ');
}
