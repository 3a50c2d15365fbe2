import { fill } from '../lists/fill.mjs';
import { writeRequests } from '../load/load.mjs';
import { sender } from '../setup/pair.mjs';
import { runParley, startParley, TEMPLATE } from '../setup/parley.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { number, row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';
import { chatsOf } from '../setup/tenants.mjs';
import { verifyStored } from '../figures/verify.mjs';

/** Compares sends on a large database with sends on an empty one. */
export async function measureFull(bench) {
  const requestsFile = await writeRequests(bench, 'all-chats', chatsOf(bench.tenants));
  const full = await startFull(bench);
  const empty = { ...(await startParley(bench, 'empty_one')), title: 'empty' };
  const contenders = [full, empty].map((side) => sender(bench, side, requestsFile, { name: `${side.title} database` }));
  const results = await inTurns(contenders, bench.rounds);
  for (const side of [full, empty]) {
    await verifyStored(side);
    await side.stop();
  }
  const [ours, theirs] = results.map((result) => pluck(result, 'perSecond'));
  const { messages, chats } = bench.fill;
  return [
    row({
      key: 'full',
      measure: `sends a second with ${number(messages)} messages in ${number(chats)} chats`,
      unit: '/s',
      ours: { name: 'Parley', values: ours },
      theirs: { name: 'Parley, empty database', values: theirs },
      atLeast: 0.9,
      aim: 1,
    }),
  ];
}

async function startFull(bench) {
  const databaseUrl = await bench.postgres.createDatabase('full_one', TEMPLATE);
  await fill(databaseUrl, bench.fill);
  return { ...(await runParley(bench, databaseUrl)), title: 'full', before: bench.fill.messages };
}
