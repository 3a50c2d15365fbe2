import { setTimeout as sleep } from 'node:timers/promises';
import { limit, ratioLimit } from '../figures/limits.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { SENDS_A_SECOND, sendSteadily } from '../load/steady.mjs';
import { Requests } from './prepare.mjs';

/** The longest pause after a change, in milliseconds. Like the console, this pauses as long as the change took. */
const MAX_PAUSE_MS = 250;

/** Sends at a fixed rate while an agent ends many chats in one step, and takes that back, again and again. */
export async function measureBulk(bench, { agents: [{ token }], chats, spare, start }) {
  const parley = await start('agents_bulk');
  const sends = new Requests(parley);
  const changes = new Requests(parley, 1);
  let changed = 0;
  const change = async (action) => {
    for (const chat of spare) {
      const begin = performance.now();
      await changes.get(token, 'POST', `/api/agent/chats/${chat.id}/${action}`, {});
      changed++;
      await sleep(Math.min(performance.now() - begin, MAX_PAUSE_MS));
    }
  };
  await change('claim');
  const run = (isBulk) => async () => {
    const until = performance.now() + bench.seconds * 1000;
    const isOver = () => performance.now() >= until;
    const changing = isBulk ? changeUntil(isOver, change) : null;
    const times = await sendSteadily(sends, chats, until);
    await changing;
    return { p99: percentile(times, 99) };
  };
  const begin = performance.now();
  changed = 0;
  const [bulk, calm] = await inTurns(
    [
      { name: 'chats ended and reopened', run: run(true) },
      { name: 'none', run: run(false) },
    ],
    bench.rounds,
  );
  console.log(`  ${changed} chats changed in ${Math.round((performance.now() - begin) / 2000)} s`);
  await sends.close();
  await changes.close();
  await parley.stop();
  const [ours, theirs] = [bulk, calm].map((results) => pluck(results, 'p99'));
  const measure = `p99 of ${SENDS_A_SECOND} sends/s`;
  return [
    limit({ measure: `${measure} beside no bulk action`, unit: 'ms', values: theirs }),
    ratioLimit({
      measure: `${measure} while an agent ends ${spare.length} chats in one step and takes that back, by without`,
      ours,
      theirs,
      atMost: 1.2,
    }),
  ];
}

/** Ends all chats and reopens them. Ends with all of them open. */
async function changeUntil(isOver, change) {
  while (!isOver()) {
    await change('close');
    await change('reopen');
  }
}
