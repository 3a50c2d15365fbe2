import type pg from 'pg';
import type { MigrationWait } from './migration-progress.js';

// pg_blocking_pids also has earlier waiters of the same lock, so the oldest transaction comes first. A prepared transaction has the pid 0.
// Another role's state and times are visible only with pg_read_all_stats.
const FIND_WAIT = `
  SELECT b.pid, a.application_name AS application, a.usename AS role, a.state,
    extract(epoch FROM clock_timestamp() - COALESCE(a.xact_start, x.prepared))::integer AS seconds, x.gid AS prepared,
    COALESCE(
      (SELECT l.relation::regclass::text FROM pg_locks l WHERE l.pid = $1 AND NOT l.granted AND l.relation IS NOT NULL LIMIT 1),
      (SELECT p.relid::regclass::text FROM pg_stat_progress_create_index p WHERE p.pid = $1)) AS table
  FROM unnest(pg_blocking_pids($1)) AS b (pid)
  LEFT JOIN pg_stat_activity a ON a.pid = b.pid
  LEFT JOIN LATERAL (
    SELECT gid, prepared FROM pg_prepared_xacts WHERE b.pid = 0 AND database = current_database()
    ORDER BY prepared LIMIT 1) x ON true
  ORDER BY COALESCE(a.xact_start, x.prepared) NULLS LAST LIMIT 1`;

/** What a backend waits for; null if it waits for nothing. */
export async function findWait(client: pg.Client, pid: number): Promise<MigrationWait | null> {
  return (await client.query<MigrationWait>(FIND_WAIT, [pid])).rows[0] ?? null;
}

// A lock with one key of 64 bits is stored in two halves.
const FIND_HOLDER = `
  SELECT l.pid, a.application_name AS application, a.usename AS role, a.state,
    extract(epoch FROM clock_timestamp() - a.xact_start)::integer AS seconds, NULL AS prepared, NULL AS table
  FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** The process that holds an advisory lock; null if none does. */
export async function findLockHolder(client: pg.Client, lock: number): Promise<MigrationWait | null> {
  return (await client.query<MigrationWait>(FIND_HOLDER, [lock])).rows[0] ?? null;
}

const FIND_BUILD = `
  SELECT relid::regclass::text AS table, round(100.0 * blocks_done / nullif(blocks_total, 0))::integer AS percent
  FROM pg_stat_progress_create_index WHERE pid = $1`;

/** The index that a backend is building; null if it builds none. `percent` is null in a step that counts no blocks. */
export async function findIndexBuild(client: pg.Client, pid: number) {
  return (await client.query<{ table: string; percent: number | null }>(FIND_BUILD, [pid])).rows[0] ?? null;
}
