// Measures what a send and a connected visitor cost a node and the database, in CPU time and bytes. docs/operate/large.md calculates
// with these figures. CPU time hardly depends on other load. Linux only, because it reads /proc.
// node bench/cost.mjs [--rounds 5 --seconds 8 | --quick]
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, cpuOfDatabase } from './figures/cpu.mjs';
import { query, startPostgres } from './setup/database.mjs';
import { onEnd, runToEnd } from './setup/ending.mjs';
import { findLoad, send, writeRequests } from './load/load.mjs';
import { readOptions } from './options.mjs';
import { startParley } from './setup/parley.mjs';
import { createSessions } from './load/sessions.mjs';
import { median } from './figures/stats.mjs';
import { chatsOf, prepareTenants, someChatsOf } from './setup/tenants.mjs';
import { verifyStored } from './figures/verify.mjs';
import { connectVisitors, disconnectVisitors } from './load/visitors.mjs';

const LISTENING = 100;
const IDLE_SECONDS = 30;

await runToEnd(async () => {
  const options = readOptions([]);
  const directory = await mkdtemp(join(tmpdir(), 'parley-cost-'));
  onEnd(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755);
  const postgres = await startPostgres(directory);
  const bench = { ...options, directory, postgres, load: findLoad() };
  Object.assign(bench, await prepareTenants(postgres, directory));
  const parley = await startParley(bench, 'cost');
  for (const connections of [64, 1]) await costOfSends(bench, parley, connections);
  await costOfVisitors(bench, parley);
  await parley.stop();
});

// Sends over many connections share statements. Sends over one connection have a commit each.
async function costOfSends(bench, parley, connections) {
  const file = await writeRequests(bench, 'all-chats', chatsOf(bench.tenants));
  const visitors = await connectVisitors(parley, someChatsOf(bench.tenants, LISTENING));
  await send(bench, parley, file, connections);
  const rounds = [];
  for (let round = 0; round < bench.rounds; round++) {
    const before = await look(bench, parley);
    const { answers, perSecond } = await send(bench, parley, file, connections);
    const after = await look(bench, parley);
    const each = (key) => (after[key] - before[key]) / answers;
    rounds.push({
      perSecond,
      node: each('node'),
      database: each('database'),
      stored: each('stored'),
      log: each('log'),
    });
  }
  disconnectVisitors(visitors);
  await verifyStored(parley);
  const of = (key) => median(rounds.map((round) => round[key]));
  console.log(
    `sends over ${connections} connections: ${of('perSecond').toFixed(0)} /s, ${LISTENING} visitors listening, each send costs`,
  );
  console.log(`  ${(of('node') * 1e6).toFixed(0)} µs of CPU in the node`);
  console.log(`  ${(of('database') * 1e6).toFixed(0)} µs of CPU in PostgreSQL`);
  console.log(`  ${of('stored').toFixed(0)} bytes of tables and indexes, ${of('log').toFixed(0)} bytes of log (WAL)`);
}

async function costOfVisitors(bench, parley) {
  const people = await createSessions(parley, bench.tenants, bench.idleVisitors);
  const before = await look(bench, parley);
  const visitors = await connectVisitors(parley, people);
  const opened = await look(bench, parley);
  const cost = (key, from, to, by) => (((to[key] - from[key]) / by) * 1e6).toFixed(0);
  console.log(`visitors: ${people.length} connect and open a new chat, each for`);
  console.log(`  ${cost('node', before, opened, people.length)} µs of CPU in the node`);
  console.log(`  ${cost('database', before, opened, people.length)} µs of CPU in PostgreSQL`);
  await sleep(1_000 * IDLE_SECONDS);
  const idle = await look(bench, parley);
  console.log(`and then stay connected, each second of each for`);
  console.log(`  ${cost('node', opened, idle, people.length * IDLE_SECONDS)} µs of CPU in the node`);
  console.log(`  ${cost('database', opened, idle, people.length * IDLE_SECONDS)} µs of CPU in PostgreSQL`);
  disconnectVisitors(visitors);
}

/** CPU seconds and written bytes so far. */
async function look(bench, { pid, databaseUrl }) {
  const [{ stored }] = await query(databaseUrl, 'SELECT pg_database_size(current_database())::float8 AS stored');
  const [{ log }] = await query(
    bench.postgres.url,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log`,
  );
  return { stored, log, node: await cpuOf(pid), database: await cpuOfDatabase(bench) };
}
