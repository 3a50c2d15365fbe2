import { setTimeout as sleep } from 'node:timers/promises';
import { cpuFrom } from '../figures/cpu.mjs';
import { limit, ratioLimit } from '../figures/limits.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { percentile, pluck } from '../figures/stats.mjs';
import { SENDS_A_SECOND, sendSteadily } from '../load/steady.mjs';
import { Requests } from './prepare.mjs';

/** As in the console (`console/lib/pace.ts`). */
const INTERVAL_MS = 50;
const MAX_PAUSE_MS = 250;

const UNDO = { body: { undo: true } };
/** How often all chats are ended and reopened to measure the CPU time of a change. */
const CPU_ROUNDS = 5;

/** Sends at a fixed rate while an agent ends many chats in one step, and takes that back, again and again. */
export async function measureBulk(bench, { agents: [{ token }], chats, spare, start }) {
  const parley = await start('agents_bulk');
  const sends = new Requests(parley);
  const changes = new Requests(parley, 1);
  let changed = 0;
  /** Changes all chats, one at each step. */
  const change = async function* (action, { body = {}, hasPauses = true } = {}) {
    let fastest = Infinity;
    for (const chat of spare) {
      const begin = performance.now();
      await changes.get(token, 'POST', `/api/agent/chats/${chat.id}/${action}`, body);
      changed++;
      const took = performance.now() - begin;
      fastest = Math.min(fastest, took);
      if (hasPauses) await sleep(Math.min(Math.max(INTERVAL_MS - took, took - fastest), MAX_PAUSE_MS));
      yield;
    }
  };
  await toEnd(change('claim'));
  const cpu = await measureCpu(bench, parley, change, spare.length);
  // Continues in the next round where one ends, so that rounds alternate quickly.
  const steps = endAndReopen(change);
  const run = (isBulk) => async () => {
    const until = performance.now() + bench.seconds * 1000;
    const changing = isBulk ? stepUntil(steps, until) : null;
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
    ...cpu,
    limit({ measure: `${measure} beside no bulk action`, unit: 'ms', values: theirs }),
    ratioLimit({
      measure: `${measure} while an agent ends ${spare.length} chats in one step and takes that back, by without`,
      ours,
      theirs,
      atMost: 1.2,
    }),
  ];
}

/** Ends all chats and reopens them, again and again. */
async function* endAndReopen(change) {
  for (;;) {
    yield* change('close');
    yield* change('reopen', UNDO);
  }
}

async function stepUntil(steps, until) {
  while (performance.now() < until) await steps.next();
}

async function toEnd(steps) {
  for await (const _ of steps);
}

/** The CPU time of a change, the mean of ending a chat and of taking that back. */
async function measureCpu(bench, parley, change, count) {
  const run = async () => {
    await toEnd(change('close', { hasPauses: false }));
    await toEnd(change('reopen', { ...UNDO, hasPauses: false }));
  };
  await run();
  const countCpu = await cpuFrom(bench, parley);
  for (let round = 0; round < CPU_ROUNDS; round++) await run();
  return Object.entries(await countCpu(2 * CPU_ROUNDS * count)).map(([name, value]) =>
    limit({ measure: `CPU of a change in the ${name}`, unit: 'µs', values: [value] }),
  );
}
