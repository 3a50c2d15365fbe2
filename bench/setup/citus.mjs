import { randomBytes } from 'node:crypto';
import { query } from './database.mjs';
import { onEnd } from './ending.mjs';

const NODES = 'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid';

/** The servers of the cluster of `CITUS_URL`: the coordinator, then its workers. */
export async function clusterServers() {
  const coordinator = process.env.CITUS_URL;
  if (!coordinator) throw new Error('CITUS_URL must be the URL of a database on the coordinator of a Citus cluster');
  const nodes = await query(coordinator, NODES);
  if (nodes.length < 2) throw new Error('the cluster of CITUS_URL has no workers');
  return nodes.map(({ host, port }) => at(coordinator, { hostname: host, port: String(port) }));
}

/** Creates a database on each server, and drops it at the end. Returns its URL on the first. */
export async function createOnServers(servers) {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  for (const server of servers) {
    await query(server, `CREATE DATABASE ${name}`);
    onEnd(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`));
  }
  return at(servers[0], { pathname: `/${name}` });
}

/** Creates a database on all servers of a cluster. Returns its URL on the coordinator. */
export async function createOnCluster(servers) {
  const url = await createOnServers(servers);
  const { pathname } = new URL(url);
  for (const server of servers) await query(at(server, { pathname }), 'CREATE EXTENSION citus');
  const [coordinator, ...workers] = servers.map((server) => new URL(server));
  await query(url, 'SELECT citus_set_coordinator_host($1, $2)', [coordinator.hostname, coordinator.port]);
  for (const { hostname, port } of workers) await query(url, 'SELECT citus_add_node($1, $2)', [hostname, port]);
  return url;
}

function at(url, parts) {
  return Object.assign(new URL(url), parts).href;
}
