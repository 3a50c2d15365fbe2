import type pg from 'pg';
import type { MigrationWait } from '../../platform/database/migrating/migration-progress.js';

/** A transaction that's older than this is reported, in seconds. Parley's own end sooner. */
const LONG_SECONDS = 10;

// An index build doesn't wait for autovacuum. Another role's kind of backend isn't visible without pg_read_all_stats.
const FIND_TRANSACTIONS = `
  SELECT pid, application_name AS application, usename AS role, state,
    extract(epoch FROM clock_timestamp() - xact_start)::integer AS seconds, NULL AS prepared, NULL AS table
  FROM pg_stat_activity
  WHERE datname = current_database() AND COALESCE(backend_type, 'client backend') = 'client backend'
    AND pid <> pg_backend_pid() AND xact_start < clock_timestamp() - interval '${LONG_SECONDS} s'
  UNION ALL
  SELECT 0, NULL, owner, NULL, extract(epoch FROM clock_timestamp() - prepared)::integer, gid, NULL
  FROM pg_prepared_xacts WHERE database = current_database()
  ORDER BY seconds DESC NULLS LAST LIMIT 20`;

/** Transactions of the database that run for more than 10 s, and prepared ones; the oldest first, at most 20. */
export async function findTransactions(client: pg.Client): Promise<MigrationWait[]> {
  return (await client.query<MigrationWait>(FIND_TRANSACTIONS)).rows;
}

const FIND_SLOTS = `
  SELECT slot_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS bytes
  FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL ORDER BY 2 DESC LIMIT 20`;

/** Slots that no standby reads, and the bytes of log that they keep; at most 20. */
export async function findIdleSlots(client: pg.Client): Promise<{ name: string; bytes: number }[]> {
  return (await client.query<{ name: string; bytes: number }>(FIND_SLOTS)).rows;
}

const FIND_INVALID = `
  SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE NOT i.indisvalid AND c.relnamespace = to_regnamespace(quote_ident(current_schema())) ORDER BY 1 LIMIT 20`;

/** Indexes that an interrupted build left; at most 20. */
export async function findInvalidIndexes(client: pg.Client): Promise<{ name: string; table: string }[]> {
  return (await client.query<{ name: string; table: string }>(FIND_INVALID)).rows;
}

const FIND_SIZES = `
  SELECT relname AS name, pg_table_size(oid)::float8 AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace = to_regnamespace(quote_ident(current_schema())) AND relname = ANY ($1)`;

/** The sizes of the tables that exist, without their indexes, in bytes. */
export async function readSizes(client: pg.Client, tables: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: number }>(FIND_SIZES, [tables]);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
