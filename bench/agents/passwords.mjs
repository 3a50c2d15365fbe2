import { setTimeout as sleep } from 'node:timers/promises';
import { Requests } from './prepare.mjs';
import { limit, ratioLimit } from '../figures/limits.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { SENDS_A_SECOND, sendSteadily } from '../load/steady.mjs';
import { percentile, pluck } from '../figures/stats.mjs';

const PASSWORDS_A_MINUTE = 1_000;

/** Sends at a fixed rate while an attacker guesses passwords from many networks, so that only the last throttle helps. */
export async function measurePasswords(bench, { agents, chats, start }) {
  // Otherwise the log would have a line for each password that waited too long.
  const parley = await start('agents_passwords', { TRUST_PROXY: 'loopback', LOG_LEVEL: 'fatal' });
  const sends = new Requests(parley);
  const guesses = new Requests(parley);
  const answers = new Map();
  const run = (isAttacked) => async () => {
    const until = performance.now() + bench.seconds * 1000;
    const attack = isAttacked ? guess(guesses, agents, until, answers) : null;
    const times = await sendSteadily(sends, chats, until);
    await attack;
    return { p50: percentile(times, 50), p99: percentile(times, 99) };
  };
  const contenders = [
    { name: `${PASSWORDS_A_MINUTE} passwords/min`, run: run(true) },
    { name: 'none', run: run(false) },
  ];
  const [attacked, calm] = await inTurns(contenders, bench.rounds);
  await sends.close();
  await guesses.close();
  await parley.stop();
  console.log(`  the passwords were answered ${JSON.stringify(Object.fromEntries(answers))}`);
  const [ours, theirs] = [attacked, calm].map((results) => pluck(results, 'p99'));
  const measure = `p99 of ${SENDS_A_SECOND} sends/s`;
  return [
    limit({ measure, unit: 'ms', values: theirs }),
    ratioLimit({
      measure: `${measure} with ${PASSWORDS_A_MINUTE} wrong passwords a minute, by without`,
      ours,
      theirs,
      below: 1.1,
    }),
  ];
}

/** Guesses at a fixed rate, each from another network and for another agent. */
async function guess(requests, agents, until, answers) {
  const guessing = [];
  for (let number = 0; performance.now() < until; number++) {
    const { email } = agents[number % agents.length];
    const address = `10.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}.1`;
    const body = { email, password: 'not the right one', mode: 'token' };
    const asked = requests.ask(null, 'POST', '/api/agent/session', body, { 'x-forwarded-for': address });
    guessing.push(asked.then(({ status }) => answers.set(status, (answers.get(status) ?? 0) + 1)));
    await sleep(60_000 / PASSWORDS_A_MINUTE);
  }
  await Promise.all(guessing);
}
