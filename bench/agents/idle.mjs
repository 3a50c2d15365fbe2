import { setTimeout as sleep } from 'node:timers/promises';
import { connectAgents } from './prepare.mjs';
import { cpuFrom } from '../figures/cpu.mjs';
import { query } from '../setup/database.mjs';
import { hotUpdates } from '../figures/hot.mjs';
import { limit, ratioLimit } from '../figures/limits.mjs';
import { send, writeRequests } from '../load/load.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { pluck } from '../figures/stats.mjs';
import { verifyStored } from '../figures/verify.mjs';

/** How long to wait until the rows of closed connections are removed, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Sends into an organization's chats, with all its agents connected and with none, in turns on one service.
 */
export async function measureIdleAgents(bench, { agents, chats, start }) {
  const parley = await start('agents_idle');
  const requestsFile = await writeRequests(bench, 'chats-of-agents', chats);
  let sockets = [];
  const run = async () => {
    const countCpu = await cpuFrom(bench, parley);
    const figures = await send(bench, parley, requestsFile);
    return { ...figures, ...(await countCpu(figures.answers)) };
  };
  // If two runs in a row have the same agents, only the first one changes connections.
  const runWith = async () => {
    if (sockets.length === 0) sockets = await connectAgents(parley, agents);
    return run();
  };
  const runWithout = async () => {
    for (const socket of sockets.splice(0)) socket.disconnect();
    await areGone(parley);
    return run();
  };
  const countHot = await hotUpdates(parley.databaseUrl);
  const contenders = [
    { name: `${agents.length} agents`, run: runWith },
    { name: 'none', run: runWithout },
  ];
  const [busy, alone] = await inTurns(contenders, bench.heavyRounds);
  const hot = await countHot();
  await verifyStored(parley);
  await parley.stop();
  const [ours, theirs] = [busy, alone].map((results) => pluck(results, 'perSecond'));
  const title = `${agents.length} idle agents connected, by without`;
  return [
    ratioLimit({ measure: `sends a second with ${title}`, ours, theirs, atLeast: 0.9 }),
    ...['node', 'database'].map((key) =>
      ratioLimit({
        measure: `CPU of a send in the ${key} with ${title}`,
        ours: pluck(busy, key),
        theirs: pluck(alone, key),
      }),
    ),
    limit({ measure: 'share of HOT updates of chats under that load', unit: '', values: [hot], atLeast: 0.9 }),
  ];
}

async function areGone({ databaseUrl }) {
  const deadline = performance.now() + PATIENCE;
  while ((await query(databaseUrl, 'SELECT FROM agent_connections LIMIT 1')).length > 0) {
    if (performance.now() > deadline) throw new Error('connections of agents did not end');
    await sleep(200);
  }
}
