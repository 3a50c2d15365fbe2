import { escapeLiteral, type Pool } from 'pg';
import { writeCopies } from '../database/citus/copies.js';
import { isDistributed } from '../database/citus/per-organization.js';

/** SQL: a node that hasn't been seen for this long counts as ended. It survives three missed heartbeats. */
const ENDED_AFTER = `interval '15 s'`;
/** SQL: after this long without a heartbeat, other nodes may have counted this one as ended. */
const LAPSED_AFTER = `interval '10 s'`;

/** SQL: whether a row of `nodes` belongs to a running process, by the database's clock. @param node the row's alias */
export const sqlIsRunning = (node: string) => `${node}.seen_at > clock_timestamp() - ${ENDED_AFTER}`;

const beat = (nodes: string, id: string) => `
  WITH before AS (
    SELECT seen_at FROM ${nodes} WHERE id = ${id}
  ), beat AS (
    INSERT INTO ${nodes} (id, started_at, seen_at) VALUES (${id}, clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
  )
  SELECT COALESCE((SELECT seen_at < clock_timestamp() - ${LAPSED_AFTER} FROM before), true) AS "hasLapsed"`;
const FIND_SILENT = `SELECT n.id FROM nodes n WHERE n.id <> $1 AND NOT (${sqlIsRunning('n')})`;
const RECORD_HEARTBEAT = `${beat('nodes', '$1')}, ARRAY(${FIND_SILENT}) AS "silentNodes"`;

/** The result of a heartbeat. */
export interface Heartbeat {
  /** Whether other nodes may have counted this one as ended, or don't know it yet. */
  hasLapsed: boolean;
  /** The other nodes that ended without signing off. */
  silentNodes: string[];
  /** Whether every node of the database knows of it. Without a Citus cluster, there's only one. */
  isComplete: boolean;
}

export async function recordHeartbeat(pool: Pool, id: string): Promise<Heartbeat> {
  if (isDistributed(pool)) return recordOnCluster(pool, id);
  const { rows } = await pool.query<Omit<Heartbeat, 'isComplete'>>(RECORD_HEARTBEAT, [id]);
  return { ...rows[0]!, isComplete: true };
}

async function recordOnCluster(pool: Pool, id: string): Promise<Heartbeat> {
  const { results, isComplete } = await writeCopies(pool, 'nodes', beat('%1$s', escapeLiteral(id)));
  const { rows } = await pool.query<{ id: string }>(FIND_SILENT, [id]);
  return { hasLapsed: results.includes('t'), silentNodes: rows.map((node) => node.id), isComplete };
}

export async function ping(pool: Pool): Promise<void> {
  await pool.query('SELECT');
}

const remove = (nodes: string, condition: string) => `DELETE FROM ${nodes} WHERE ${condition}`;

export async function removeNode(pool: Pool, id: string): Promise<void> {
  if (isDistributed(pool)) await writeCopies(pool, 'nodes', remove('%1$s', `id = ${escapeLiteral(id)}`));
  else await pool.query(remove('nodes', 'id = $1'), [id]);
}

// Everything that depended on them ended long ago.
const HAS_ENDED = `seen_at < now() - interval '1 day'`;

/** Removes the nodes that ended at least a day ago. */
export async function removeEndedNodes(pool: Pool): Promise<void> {
  if (isDistributed(pool)) await writeCopies(pool, 'nodes', remove('%1$s', HAS_ENDED));
  else await pool.query(remove('nodes', HAS_ENDED));
}

/** Which database this is. Null: the server doesn't say. */
export interface DatabaseIdentity {
  /** The server's system identifier, and the database's number in it. A standby has the same as its primary. */
  system: string | null;
  /** Counts the failovers; null on a standby. */
  timeline: number | null;
}

// The first 8 digits of a WAL file's name are the timeline; the control file has the new one only after a checkpoint.
const READ_IDENTITY = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS system,
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline`;

export async function readDatabaseIdentity(pool: Pool): Promise<DatabaseIdentity> {
  const { rows } = await pool.query<{ system: string; timeline: string | null }>(READ_IDENTITY);
  const [{ system, timeline }] = rows as [{ system: string; timeline: string | null }];
  return { system, timeline: timeline === null ? null : Number.parseInt(timeline, 16) };
}
