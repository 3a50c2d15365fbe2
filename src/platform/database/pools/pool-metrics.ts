import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { countedGauges } from '../../telemetry/counted-gauges.js';
import { Metrics } from '../../telemetry/metrics.js';
import { QueueDepths } from '../../telemetry/queue-depths.js';
import { CAUSE_NAMES } from '../faults/cause.js';
import { FaultLog } from '../faults/fault-log.js';
import { LockWatch } from '../faults/lock-watch.js';
import { APPEND_POOL, POOL, REFERENCE_POOL } from '../pool.js';
import { Standby } from '../standby.js';

/** What a scrape reads about the server: transactions of other roles only if the role may see them (`pg_read_all_stats`). */
const FIGURES = `
  SELECT extract(epoch FROM clock_timestamp())::float8 AS now,
    (SELECT COALESCE(extract(epoch FROM clock_timestamp() - min(xact_start)), 0) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend')::float8 AS oldest,
    (SELECT COALESCE(last_failed_time > COALESCE(last_archived_time, '-infinity'), false) AND current_setting('archive_mode') <> 'off'
      FROM pg_stat_archiver)::integer AS archive`;

interface Figures extends Record<string, number> {
  now: number;
  oldest: number;
  archive: number;
}

@Injectable()
export class PoolMetrics {
  constructor(
    @Inject(POOL) pool: Pool,
    @Inject(APPEND_POOL) appendPool: Pool,
    @Inject(REFERENCE_POOL) referencePool: Pool,
    standby: Standby,
    faults: FaultLog,
    locks: LockWatch,
    metrics: Metrics,
    queues: QueueDepths,
  ) {
    const pools = [...new Set([pool, appendPool, referencePool])];
    const sum = (count: (one: Pool) => number) => pools.reduce((total, one) => total + count(one), 0);
    const add = metrics.gauges('parley_database_connections');
    add('busy', () => sum(({ totalCount, idleCount }) => totalCount - idleCount));
    add('idle', () => sum(({ idleCount }) => idleCount));
    metrics.gauge('parley_database_connections_max', () => sum(({ options }) => options.max));
    metrics.gauge('parley_standby_silent', () => Number(standby.isSilent));
    const failures = metrics.counters('parley_faults_total');
    for (const name of CAUSE_NAMES) failures(name);
    faults.countIn(failures);
    faults.findHolderBy(() => locks.holder);
    const read = countedGauges<Figures>(pool, metrics, 'database', FIGURES);
    metrics.gauge('parley_database_oldest_transaction_seconds', read('oldest'));
    metrics.gauge('parley_database_archive_failing', read('archive'));
    metrics.gauge('parley_database_clock_ahead_seconds', async () => {
      const now = await read('now')();
      return now === null ? null : now - Date.now() / 1_000;
    });
    queues.add('database_connection', () => sum(({ waitingCount }) => waitingCount));
  }
}
