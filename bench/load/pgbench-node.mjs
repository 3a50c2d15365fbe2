import pg from 'pg';
import { APPEND_MESSAGES } from '../../dist/src/messages/append.queries.js';
import { appendValues } from './pgbench-script.mjs';

/** Does what pgbench does, with clients in this process. It's slower than pgbench, so ratios look better. */
export async function runNodeClients({ databaseUrl, clients, seconds, tenants, planning }) {
  const connections = await Promise.all(Array.from({ length: clients }, () => connect(databaseUrl, planning)));
  const start = performance.now();
  const end = start + seconds * 1000;
  const counts = await Promise.all(connections.map((client) => appendUntil(client, tenants, end)));
  const elapsed = (performance.now() - start) / 1000;
  await Promise.all(connections.map((client) => client.end()));
  const transactions = counts.reduce((sum, count) => sum + count, 0);
  return { transactions, perSecond: transactions / elapsed };
}

async function connect(connectionString, options) {
  const client = new pg.Client({ connectionString, options });
  await client.connect();
  return client;
}

async function appendUntil(client, tenants, end) {
  let count = 0;
  for (; performance.now() < end; count++) {
    const values = appendValues(tenants[Math.floor(Math.random() * tenants.length)]);
    await client.query({ name: 'append', text: APPEND_MESSAGES, values });
  }
  return count;
}
