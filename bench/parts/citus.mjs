import { migrate } from '../../dist/src/platform/database/migrate.js';
import { cpuOf, cpuOfServer } from '../figures/cpu.mjs';
import { ratioLimit } from '../figures/limits.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { number } from '../figures/rows.mjs';
import { median, pluck } from '../figures/stats.mjs';
import { verifyStored } from '../figures/verify.mjs';
import { writeRequests } from '../load/load.mjs';
import { clusterServers, createOnCluster, createOnServers } from '../setup/citus.mjs';
import { query } from '../setup/database.mjs';
import { sender } from '../setup/pair.mjs';
import { runParley } from '../setup/parley.mjs';
import { chatsOf, prepareTenants } from '../setup/tenants.mjs';
import { openRoad } from './live.mjs';

/** Each connection of a cluster is slow until it has used each shard once, so more than one warm-up is left out. */
const WARM_UPS = 3;

/**
 * Parley on a Citus cluster against Parley on one PostgreSQL: a database without the extension on the coordinator's server, so that both
 * have the same version, settings, and cores. The chats are of one organization, and of one organization each.
 */
export async function measureCitus(bench) {
  const servers = await clusterServers();
  const limits = [];
  for (const organizations of [1, bench.citus.chats]) limits.push(...(await compare(bench, servers, organizations)));
  return limits;
}

async function compare(bench, servers, organizations) {
  const title = organizations === 1 ? 'one organization' : `${number(organizations)} organizations`;
  console.log(`  ${title}`);
  const sizes = { organizations, chatsEach: bench.citus.chats / organizations };
  const cluster = await start(bench, 'Citus', await createOnCluster(servers), sizes);
  const one = await start(bench, 'one PostgreSQL', await createOnServers(servers.slice(0, 1)), sizes);
  const [sends, sendsOfOne] = await measureSends(bench, [cluster, one], servers);
  const [ours, theirs] = await measureDelays(bench, [cluster, one]);
  for (const { parley } of [cluster, one]) {
    await verifyStored(parley);
    await parley.stop();
  }
  const rates = { ours: pluck(sends, 'perSecond'), theirs: pluck(sendsOfOne, 'perSecond') };
  const delays = { ours: pluck(ours, 'p99'), theirs: pluck(theirs, 'p99') };
  return [
    ratioLimit({ measure: `sends a second, ${title}: Citus by one PostgreSQL`, ...rates, atLeast: 0.2 }),
    ratioLimit({ measure: `POST to the visitor's socket, p99, ${title}: the same`, ...delays, atMost: 2 }),
  ];
}

/** Starts the service on an empty database, which may take longer to distribute than a service may to start. */
async function start(bench, name, url, sizes) {
  await migrate(url);
  const { settings, tenants } = await prepareTenants({ createDatabase: () => url }, bench.directory, sizes);
  return { parley: { ...(await runParley({ settings }, url)), name }, tenants };
}

async function measureDelays(bench, sides) {
  const roads = [];
  for (const { parley, tenants } of sides) roads.push(await openRoad({ ...bench, tenants }, parley));
  const delays = await inTurns(roads, bench.heavyRounds);
  for (const { close } of roads) await close();
  return delays;
}

async function measureSends(bench, sides, servers) {
  const cpu = await cpuCounter(servers);
  const contenders = [];
  for (const { parley, tenants } of sides) {
    const file = await writeRequests(bench, parley.name.replaceAll(' ', '-'), chatsOf(tenants));
    const { name, run } = sender(bench, parley, file);
    for (let count = 0; count < WARM_UPS; count++) await run();
    contenders.push({ name, run: () => cpu(parley, run) });
  }
  const sends = await inTurns(contenders, bench.heavyRounds);
  for (const [place, { name }] of contenders.entries()) {
    const costs = PARTS.map((part) => `${part} ${median(pluck(sends[place], part)).toFixed(0)} µs`);
    console.log(`  CPU of a send  ${name.padEnd(17)} ${costs.join(', ')}`);
  }
  return sends;
}

const PARTS = ['node', 'coordinator', 'workers'];

/** Measures the CPU of a send, in microseconds, of the node, of the coordinator's server, and of the workers. Linux only. */
async function cpuCounter(servers) {
  const directories = [];
  for (const server of servers) {
    const [{ data_directory: directory }] = await query(server, 'SHOW data_directory');
    directories.push(directory);
  }
  const look = async ({ pid }) => {
    const [coordinator, ...workers] = await Promise.all(directories.map(cpuOfServer));
    return { node: await cpuOf(pid), coordinator, workers: workers.reduce((sum, each) => sum + each, 0) };
  };
  return async (parley, run) => {
    const before = await look(parley);
    const figures = await run();
    const after = await look(parley);
    const costs = PARTS.map((part) => [part, ((after[part] - before[part]) * 1e6) / figures.answers]);
    return { ...figures, ...Object.fromEntries(costs) };
  };
}
