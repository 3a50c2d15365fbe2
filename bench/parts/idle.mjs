import { startBare } from '../setup/bare-setup.mjs';
import { COLLECTABLE, residentKilobytes } from '../figures/memory.mjs';
import { runParley, TEMPLATE } from '../setup/parley.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { number, row } from '../figures/rows.mjs';
import { createSessions } from '../load/sessions.mjs';
import { pluck } from '../figures/stats.mjs';
import { connectVisitors, disconnectVisitors } from '../load/visitors.mjs';

const WARM_UP_VISITORS = 200;

/** The memory of a visitor who only listens, measured by the growth of a new process. */
export async function measureIdle(bench) {
  const count = bench.idleVisitors;
  const contenders = [
    { name: 'Parley', run: () => measureParley(bench, count) },
    { name: 'bare Socket.IO', run: () => measureBare(count) },
  ];
  const [ours, theirs] = await inTurns(contenders, bench.heavyRounds, { warmUp: false });
  return [
    row({
      key: 'idle',
      measure: `memory of each of ${number(count)} idle visitors`,
      unit: 'kB',
      ours: { name: 'Parley', values: pluck(ours, 'kilobytes') },
      theirs: { name: 'bare Socket.IO', values: pluck(theirs, 'kilobytes') },
      atLeast: 1.3,
      aim: 1.1,
      isLessBetter: true,
    }),
  ];
}

// Another process creates the sessions, so that the measured one does the same work as the bare one.
async function measureParley(bench, count) {
  const databaseUrl = await bench.postgres.createDatabase('idle', TEMPLATE);
  const other = await runParley(bench, databaseUrl);
  const people = await createSessions(other, bench.tenants, count);
  await other.stop();
  return growth(await runParley(bench, databaseUrl, {}, COLLECTABLE), people);
}

async function measureBare(count) {
  const people = Array.from({ length: count }, (_, index) => ({ id: `chat_${index}`, visitorToken: 'any' }));
  return growth(await startBare(COLLECTABLE), people);
}

/** Connects a few visitors first, so that the process's initial growth isn't counted. */
async function growth(side, people) {
  disconnectVisitors(await connectVisitors(side, people.slice(0, WARM_UP_VISITORS)));
  const before = await residentKilobytes(side);
  const visitors = await connectVisitors(side, people);
  const kilobytes = ((await residentKilobytes(side)) - before) / people.length;
  disconnectVisitors(visitors);
  await side.stop();
  return { kilobytes };
}
