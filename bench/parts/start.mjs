import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BARE_NEST, PARLEY, parleySettings, TEMPLATE } from '../setup/parley.mjs';
import { hasEnded, spawnService } from '../setup/processes.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';

const POLL_MILLISECONDS = 3;

/** From the start of the process until it's ready, on a running and migrated database. */
export async function measureStart(bench) {
  const databaseUrl = await bench.postgres.createDatabase('start', TEMPLATE);
  const settings = parleySettings(bench, databaseUrl);
  const contenders = [
    { name: 'Parley', run: () => timeStart(PARLEY, settings) },
    { name: 'bare Nest', run: () => timeStart(BARE_NEST, settings) },
  ];
  const [ours, theirs] = await inTurns(contenders, bench.starts);
  return [
    row({
      key: 'start',
      measure: 'start until ready',
      unit: 'ms',
      ours: { name: 'Parley', values: pluck(ours, 'ms') },
      theirs: { name: 'bare Nest, same modules', values: pluck(theirs, 'ms') },
      atLeast: 1.5,
      aim: 1.2,
      isLessBetter: true,
    }),
  ];
}

async function timeStart(file, settings) {
  const start = performance.now();
  const service = await spawnService(file, settings);
  while (!(await isReady(`${service.url}/health/ready`))) {
    if (hasEnded(service.child)) throw new Error(`${file} ended before it was ready`);
    await sleep(POLL_MILLISECONDS);
  }
  const ms = performance.now() - start;
  await service.stop();
  return { ms };
}

function isReady(url) {
  return new Promise((resolve) => {
    request(url, { agent: false }, (response) => resolve(response.resume().statusCode === 200))
      .on('error', () => resolve(false))
      .end();
  });
}
