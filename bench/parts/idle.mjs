import { startBare } from '../bare-setup.mjs';
import { collectGarbage, inspectorFlags, residentKilobytes } from '../memory.mjs';
import { runParley, TEMPLATE } from '../parley.mjs';
import { freePort } from '../processes.mjs';
import { inTurns } from '../rounds.mjs';
import { number, row } from '../rows.mjs';
import { createSessions } from '../sessions.mjs';
import { pluck } from '../stats.mjs';
import { connectVisitors, disconnectVisitors } from '../visitors.mjs';

const WARM_UP = 200;

/** What a visitor who only listens costs in memory, by the growth of a new process. */
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

async function measureParley(bench, count) {
  const port = await freePort();
  const databaseUrl = await bench.postgres.createDatabase('idle', TEMPLATE);
  const side = await runParley(bench, databaseUrl, {}, inspectorFlags(port));
  return growth(side, port, await createSessions(side, bench.tenants, count));
}

async function measureBare(count) {
  const port = await freePort();
  const side = await startBare(inspectorFlags(port));
  return growth(
    side,
    port,
    Array.from({ length: count }, (_, index) => ({ id: `chat_${index}`, visitorToken: 'any' })),
  );
}

/** A few visitors come and go first, so that code that is loaded and made fast by then is not counted. */
async function growth(side, port, people) {
  disconnectVisitors(await connectVisitors(side, people.slice(0, WARM_UP)));
  await collectGarbage(port);
  const before = await residentKilobytes(side.pid);
  const visitors = await connectVisitors(side, people);
  await collectGarbage(port);
  const kilobytes = ((await residentKilobytes(side.pid)) - before) / people.length;
  disconnectVisitors(visitors);
  await side.stop();
  return { kilobytes };
}
