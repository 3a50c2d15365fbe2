import type { LockHolder } from '../../errors/cause.js';
import { singleFlight } from '../../lib/single-flight.js';
import { type DatabaseHosts, WriterClient } from '../hosts.js';

/** How long a search may take, in milliseconds. */
const TIMEOUT_MS = 1_000;
/** How long what was found explains statements that ran out of time, in milliseconds: longer than a statement may take. */
const VALID_MS = 6_000;

/**
 * The session that keeps most statements of this role waiting, and isn't waiting itself. Checks 20 statements, because each check stops
 * all locks of the server for a moment. What waits for a row has a lock on the row's place in its table.
 */
const FIND_HOLDER = `
  WITH waiting AS MATERIALIZED (
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock' LIMIT 20
  ), blocked AS MATERIALIZED (
    SELECT w.pid, blocker FROM waiting w CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS blocker
  ), holder AS (
    SELECT blocker AS pid FROM blocked WHERE blocker NOT IN (SELECT pid FROM blocked)
    GROUP BY blocker ORDER BY count(*) DESC, blocker LIMIT 1
  )
  SELECT h.pid, NULLIF(a.application_name, '') AS application, a.state,
    floor(extract(epoch FROM clock_timestamp() - a.xact_start))::integer AS seconds,
    (SELECT l.relation::regclass::text FROM pg_locks l
      WHERE l.pid IN (SELECT pid FROM blocked) AND l.relation IS NOT NULL AND (NOT l.granted OR l.locktype = 'tuple')
      ORDER BY l.granted LIMIT 1) AS "table"
  FROM holder h LEFT JOIN pg_stat_activity a ON a.pid = h.pid`;

/** Finds out which session holds the lock that slow statements wait for. */
export class LockWatch {
  private found: { holder: LockHolder | null; at: number } = { holder: null, at: 0 };
  private isStopped = false;

  constructor(private readonly hosts: DatabaseHosts) {}

  /** The holder that was found during the last 6 s, or null. */
  get holder(): LockHolder | null {
    return performance.now() - this.found.at < VALID_MS ? this.found.holder : null;
  }

  /** A statement is slow: finds out whether it waits for a lock. One search at a time. */
  checkSoon(): void {
    if (!this.isStopped) this.check().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.isStopped = true;
  }

  // A search that finds nothing doesn't replace what was found: the statements that waited may have just been canceled.
  private readonly check = singleFlight(async () => {
    const holder = await this.find();
    if (holder) this.found = { holder, at: performance.now() };
  });

  // Uses its own connection, because all of the pool's may wait.
  private async find(): Promise<LockHolder | null> {
    const { hosts } = this;
    const client = new WriterClient({ hosts, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
    try {
      await client.connect();
      return (await client.query<LockHolder>(FIND_HOLDER)).rows[0] ?? null;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
