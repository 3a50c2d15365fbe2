import type { Pool } from 'pg';

/** SQL: the node that was not seen for this time counts as ended. Three beats may fail. */
const ENDED_AFTER = `interval '15 s'`;
/** SQL: after this time without a beat, others may have counted the node as ended a moment ago. */
const LAPSED_AFTER = `interval '10 s'`;

/** SQL: whether a row of `nodes` is that of a process that runs, by the database's clock. @param node its alias */
export const sqlIsRunning = (node: string) => `${node}.seen_at > clock_timestamp() - ${ENDED_AFTER}`;

const RECORD_HEARTBEAT = `
  WITH before AS (SELECT seen_at FROM nodes WHERE id = $1)
  INSERT INTO nodes (id, started_at, seen_at) VALUES ($1, clock_timestamp(), clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
  RETURNING COALESCE((SELECT seen_at < clock_timestamp() - ${LAPSED_AFTER} FROM before), true) AS "hasLapsed",
    ARRAY(SELECT n.id FROM nodes n WHERE n.id <> $1 AND NOT (${sqlIsRunning('n')})) AS "silentNodes"`;

/** What a beat finds. */
export interface Heartbeat {
  /** Whether others may have counted the node as ended before, or do not know it yet. */
  hasLapsed: boolean;
  /** The other nodes that have ended without a word. */
  silentNodes: string[];
}

/** Writes that a node runs. */
export async function recordHeartbeat(pool: Pool, id: string): Promise<Heartbeat> {
  const { rows } = await pool.query<Heartbeat>(RECORD_HEARTBEAT, [id]);
  return rows[0]!;
}

/** Resolves when the database answers. */
export async function ping(pool: Pool): Promise<void> {
  await pool.query('SELECT');
}

export async function removeNode(pool: Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM nodes WHERE id = $1', [id]);
}

// What hung on them has ended long ago.
const REMOVE_ENDED = `DELETE FROM nodes WHERE seen_at < now() - interval '1 day'`;

/** Removes the nodes that ended a day ago or before. */
export async function removeEndedNodes(pool: Pool): Promise<void> {
  await pool.query(REMOVE_ENDED);
}
