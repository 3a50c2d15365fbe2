import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLANNING } from '../../dist/src/platform/database/data-source.js';
import { query } from '../setup/database.mjs';
import { TEMPLATE } from '../setup/parley.mjs';
import { CHAT_PREFIX, FIRST_CHAT, pgbenchScript } from './pgbench-script.mjs';
import { runNodeClients } from './pgbench-node.mjs';
import { outputOf } from '../setup/processes.mjs';

const CLIENTS = 32;
const INSTALLED = '/usr/lib/postgresql';
// Chats with ids that a script can compute from a number.
const NUMBER_CHATS = `
  UPDATE chats c SET id = '${CHAT_PREFIX}' || n.number
  FROM (SELECT organization_id, id, ${FIRST_CHAT - 1} + row_number() OVER (PARTITION BY organization_id ORDER BY id) AS number
    FROM chats) AS n
  WHERE n.organization_id = c.organization_id AND n.id = c.id`;

/**
 * Runs Parley's statement for a single message with pgbench, or with as many Node clients if pgbench isn't installed, on a database
 * with the same chats. A contender for `inTurns`.
 */
export async function startPgbench(bench) {
  const databaseUrl = await bench.postgres.createDatabase('pgbench', TEMPLATE);
  await query(databaseUrl, NUMBER_CHATS);
  await query(databaseUrl, 'VACUUM ANALYZE');
  const command = await findPgbench();
  const plan = { databaseUrl, clients: CLIENTS, seconds: bench.seconds, tenants: bench.tenants, planning: PLANNING };
  if (!command)
    return {
      name: `${CLIENTS} Node clients (no pgbench)`,
      run: () => proven(plan, () => runNodeClients(plan)),
    };
  const file = join(bench.directory, 'append.sql');
  await writeFile(file, pgbenchScript(bench.tenants));
  return { name: 'pgbench', run: () => proven(plan, () => runPgbench(command, file, plan)) };
}

/** Every transaction must have stored its message, because a statement that finds no chat would be faster. */
async function proven({ databaseUrl }, run) {
  const count = async () => Number((await query(databaseUrl, 'SELECT count(*) AS count FROM messages'))[0].count);
  const before = await count();
  const { transactions, perSecond } = await run();
  const stored = (await count()) - before;
  if (stored !== transactions) throw new Error(`${transactions} transactions stored ${stored} messages`);
  return { perSecond };
}

async function findPgbench() {
  const versions = await readdir(INSTALLED).catch(() => []);
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const places = ['pgbench', ...newestFirst.map((version) => join(INSTALLED, version, 'bin', 'pgbench'))];
  return places.find((place) => spawnSync(place, ['--version']).status === 0);
}

async function runPgbench(command, file, { databaseUrl, clients, seconds, planning }) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const where = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', file];
  const output = await outputOf(command, options, { ...process.env, ...where, PGOPTIONS: planning });
  const [, perSecond] = /^tps = ([\d.]+)/m.exec(output) ?? [];
  const transactions = Number(/^number of transactions actually processed: (\d+)/m.exec(output)?.[1]);
  const failed = /^number of failed transactions: (\d+)/m.exec(output)?.[1] ?? '0';
  if (!perSecond || failed !== '0') throw new Error(`pgbench failed: ${output}`);
  return { transactions, perSecond: Number(perSecond) };
}
