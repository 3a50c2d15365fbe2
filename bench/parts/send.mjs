import { get } from '../load/load.mjs';
import { sender, verifyPair } from '../setup/pair.mjs';
import { BARE_NEST, parleySettings, TEMPLATE } from '../setup/parley.mjs';
import { startPgbench } from '../load/pgbench.mjs';
import { startService } from '../setup/processes.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';
import { someChatsOf } from '../setup/tenants.mjs';
import { Arrivals } from '../figures/verify.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';

const VISITORS = 100;

/** Sends under load while visitors receive, compared with the baseline, our cheapest response, and the database's limit. */
export async function measureSends(bench) {
  const { parley, baseline, requestsFile } = await bench.pair();
  const pgbench = await startPgbench(bench);
  const databaseUrl = await bench.postgres.createDatabase('bare_nest', TEMPLATE);
  const nest = await startService('bare Nest', BARE_NEST, parleySettings(bench, databaseUrl));
  const receiving = [await receive(bench, parley), await receive(bench, baseline)];
  const [ours, theirs, live, framework, database] = await inTurns(
    [
      sender(bench, parley, requestsFile),
      sender(bench, baseline, requestsFile),
      { name: 'GET /health/live', run: () => get(bench, parley, '/health/live') },
      { name: 'plain Nest', run: () => get(bench, nest, '/health/live') },
      pgbench,
    ],
    bench.rounds,
  );
  for (const finish of receiving) await finish();
  await nest.stop();
  await verifyPair(await bench.pair());
  return rowsOf({ ours, theirs, live, framework, database, pgbench: pgbench.name });
}

/** Connects visitors. Returns a function that disconnects them and verifies what they received. */
async function receive({ tenants }, side) {
  const chats = someChatsOf(tenants, VISITORS);
  const arrivals = new Arrivals(side, chats);
  await arrivals.begin();
  const visitors = await connectVisitors(side, chats, arrivals.take);
  return async () => {
    await arrivals.verify();
    disconnectVisitors(visitors);
  };
}

function rowsOf({ ours, theirs, live, framework, database, pgbench }) {
  const of = (key) => (name, results) => ({ name, values: pluck(results, key) });
  const rate = of('perSecond');
  const p99 = of('p99');
  const sends = rate('Parley', ours);
  const title = 'sends a second, 64 connections, 100 visitors receiving';
  const unit = '/s';
  return [
    row({
      key: 'sends',
      measure: title,
      unit,
      ours: sends,
      theirs: rate('baseline', theirs),
      atLeast: 2.5,
      aim: 4,
    }),
    row({
      key: 'p99',
      measure: 'p99 of that load',
      unit: 'ms',
      ours: p99('Parley', ours),
      theirs: p99('baseline', theirs),
      atLeast: 1,
      aim: 0.5,
      isLessBetter: true,
    }),
    row({
      key: 'health',
      measure: 'the same sends a second against our own cheapest answer',
      unit,
      ours: sends,
      theirs: rate('GET /health/live', live),
      atLeast: 0.5,
      aim: 0.7,
    }),
    row({
      key: 'framework',
      measure: 'the same against the cheapest answer of Nest as it comes',
      unit,
      ours: sends,
      theirs: rate('plain Nest', framework),
      atLeast: 0.5,
      aim: 0.7,
    }),
    row({
      key: 'pgbench',
      measure: "the same against the database's line without sharing commits",
      unit,
      ours: sends,
      theirs: rate(pgbench, database),
      atLeast: 0.7,
      aim: 1,
    }),
  ];
}
