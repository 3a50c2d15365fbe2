import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
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
export async function createClusterDatabase(name = newName()): Promise<TestDatabase> {
  const coordinator = new URL(clusterUrl());
  const [self, ...workers] = await listNodes(coordinator.href);
  const all = await listServers();
  for (const server of all) await run(server, [`CREATE DATABASE ${name}`]);
  for (const server of all) await run(within(server, name), ['CREATE EXTENSION citus']);
  const url = within(coordinator, name);
  await run(url, [
    `SELECT citus_set_coordinator_host('${self!.host}', ${self!.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
    `ALTER DATABASE ${name} SET citus.shard_count = 4`,
  ]);
  return { url: url.href, drop: () => dropEverywhere(name) };
}

/** Copies a migrated database on all nodes of the cluster. The first call of a run creates it, under this name. */
export async function copyClusterDatabase(template: string): Promise<TestDatabase> {
  const coordinator = new URL(clusterUrl());
  const client = new pg.Client(coordinator.href);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(1)');
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE 'migrated_%'`,
    );
    if (!rows.some(({ name }) => name === template)) {
      for (const { name } of rows) await dropEverywhere(name);
      await createTemplate(template);
    }
    const name = newName();
    for (const server of await listServers()) {
      await run(server, [`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`]);
    }
    return { url: within(coordinator, name).href, drop: () => dropEverywhere(name) };
  } finally {
    await client.end();
  }
}

// A database with connections can't be copied. Citus has a process of its own in each database, which starts with a connection.
async function createTemplate(name: string): Promise<void> {
  const { url } = await createClusterDatabase(name);
  await migrate(url);
  for (const server of await listServers()) {
    await run(server, [
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
    ]);
  }
}

function newName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

async function dropEverywhere(name: string): Promise<void> {
  for (const server of await listServers()) await run(server, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
}

/** The default databases of the coordinator and of the workers. */
async function listServers(): Promise<URL[]> {
  const coordinator = new URL(clusterUrl());
  const [, ...workers] = await listNodes(coordinator.href);
  return [coordinator, ...workers.map((node) => addressOf(coordinator, node))];
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

/** Moves an organization's rows to the other worker. */
export async function moveOrganization(url: string, organizationId: string): Promise<void> {
  await run(new URL(url), [
    `SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, o.nodename, o.nodeport)
     FROM citus_shards s JOIN pg_dist_node o ON o.groupid > 0 AND o.nodeport <> s.nodeport
     WHERE s.shardid = get_shard_id_for_distribution_column('chats', '${organizationId}') LIMIT 1`,
  ]);
}
