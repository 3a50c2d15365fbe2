import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestDatabase } from './database.js';

interface WorkerNode {
  host: string;
  port: number;
}

function clusterUrl(): string {
  const url = process.env.CITUS_URL;
  if (!url) throw new Error('CITUS_URL must be the URL of a database on the coordinator of a Citus cluster');
  return url;
}

/**
 * Creates a database on all nodes of the cluster of `CITUS_URL`.
 * Few shards, because each of them costs a table on a worker, and creating them takes most of the time.
 */
export async function createClusterDatabase(): Promise<TestDatabase> {
  const coordinator = new URL(clusterUrl());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const [self, ...workers] = await listNodes(coordinator.href);
  const all = [coordinator, ...workers.map((node) => addressOf(coordinator, node))];
  for (const server of all) await run(server, [`CREATE DATABASE ${name}`]);
  for (const server of all) await run(within(server, name), ['CREATE EXTENSION citus']);
  const url = within(coordinator, name);
  await run(url, [
    `SELECT citus_set_coordinator_host('${self!.host}', ${self!.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
    `ALTER DATABASE ${name} SET citus.shard_count = 4`,
  ]);
  const drop = async () => {
    for (const server of all) await run(server, [`DROP DATABASE ${name} WITH (FORCE)`]);
  };
  return { url: url.href, drop };
}

/** The coordinator, then its workers. */
async function listNodes(url: string): Promise<WorkerNode[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const text = 'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid';
    return (await client.query<WorkerNode>(text)).rows;
  } finally {
    await client.end();
  }
}

function addressOf(coordinator: URL, { host, port }: WorkerNode): URL {
  return Object.assign(new URL(coordinator), { hostname: host, port: String(port) });
}

function within(server: URL, name: string): URL {
  return Object.assign(new URL(server), { pathname: `/${name}` });
}

async function run(url: URL, statements: string[]): Promise<void> {
  const client = new pg.Client(url.href);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
