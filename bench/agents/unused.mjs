import { join } from 'node:path';
import { notMeasured, ratioLimit } from '../limits.mjs';
import { send, writeRequests } from '../load.mjs';
import { runParley, startParley } from '../parley.mjs';
import { inTurns } from '../rounds.mjs';
import { pluck } from '../stats.mjs';
import { chatsOf, prepareTenants } from '../tenants.mjs';
import { verifyStored } from '../verify.mjs';

const MEASURE = 'sends a second without agents, by another commit';

/** Sends where no agent signs in, against another built commit on a database that it migrated itself. */
export async function measureUnused(bench) {
  if (!bench.against) return [notMeasured(MEASURE, '--against <directory of another built commit>')];
  const ours = await startParley(bench, 'unused_ours');
  const theirs = await startOther(bench, join(bench.against, 'dist/src/main.js'));
  const contenders = [
    { ...ours, tenants: bench.tenants, file: 'all-chats' },
    { ...theirs.parley, tenants: theirs.tenants, file: 'all-chats-of-the-other' },
  ];
  for (const side of contenders) side.requests = await writeRequests(bench, side.file, chatsOf(side.tenants));
  const runs = contenders.map((side) => ({ name: side.name, run: () => send(bench, side, side.requests) }));
  const results = await inTurns(runs, bench.rounds);
  for (const side of contenders) {
    await verifyStored(side);
    await side.stop();
  }
  const [we, they] = results.map((figures) => pluck(figures, 'perSecond'));
  return [ratioLimit({ measure: MEASURE, ours: we, theirs: they, atLeast: 0.97 })];
}

async function startOther(bench, file) {
  const template = 'tenants_of_the_other';
  const { settings, tenants } = await prepareTenants(bench.postgres, bench.directory, { template, file });
  const databaseUrl = await bench.postgres.createDatabase('unused_theirs', template);
  const parley = await runParley({ ...bench, settings }, databaseUrl, {}, [], file);
  return { tenants, parley: { ...parley, name: 'the other commit' } };
}
