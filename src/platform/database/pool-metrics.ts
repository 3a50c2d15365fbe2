import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Metrics } from '../telemetry/metrics.js';
import { QueueDepths } from '../telemetry/queue-depths.js';
import { CAUSE_NAMES } from './faults/cause.js';
import { FaultLog } from './faults/fault-log.js';
import { LockWatch } from './faults/lock-watch.js';
import { APPEND_POOL, POOL, REFERENCE_POOL } from './pool.js';
import { Standby } from './standby.js';

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
    queues.add('database_connection', () => sum(({ waitingCount }) => waitingCount));
  }
}
