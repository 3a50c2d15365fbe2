import type { Pool } from 'pg';

/** SQL: a node that hasn't been seen for this long counts as ended. It survives three missed heartbeats. */
const ENDED_AFTER = `interval '15 s'`;
/** SQL: after this long without a heartbeat, other nodes may have counted this one as ended. */
const LAPSED_AFTER = `interval '10 s'`;

/** SQL: whether a row of `nodes` belongs to a running process, by the database's clock. @param node the row's alias */
export const sqlIsRunning = (node: string) => `${node}.seen_at > clock_timestamp() - ${ENDED_AFTER}`;

const RECORD_HEARTBEAT = `
  WITH before AS (
    SELECT seen_at FROM nodes WHERE id = $1
  ), silent AS (
    SELECT n.id FROM nodes n WHERE n.id <> $1 AND NOT (${sqlIsRunning('n')})
  ), beat AS (
    INSERT INTO nodes (id, started_at, seen_at) VALUES ($1, clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
  )
  SELECT COALESCE((SELECT seen_at < clock_timestamp() - ${LAPSED_AFTER} FROM before), true) AS "hasLapsed",
    ARRAY(SELECT id FROM silent) AS "silentNodes"`;

/** The result of a heartbeat. */
export interface Heartbeat {
  /** Whether other nodes may have counted this one as ended, or don't know it yet. */
  hasLapsed: boolean;
  /** The other nodes that ended without signing off. */
  silentNodes: string[];
}

export async function recordHeartbeat(pool: Pool, id: string): Promise<Heartbeat> {
  const { rows } = await pool.query<Heartbeat>(RECORD_HEARTBEAT, [id]);
  return rows[0]!;
}

export async function ping(pool: Pool): Promise<void> {
  await pool.query('SELECT');
}

export async function removeNode(pool: Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM nodes WHERE id = $1', [id]);
}

// Everything that depended on them ended long ago.
const REMOVE_ENDED = `DELETE FROM nodes WHERE seen_at < now() - interval '1 day'`;

/** Removes the nodes that ended at least a day ago. */
export async function removeEndedNodes(pool: Pool): Promise<void> {
  await pool.query(REMOVE_ENDED);
}
