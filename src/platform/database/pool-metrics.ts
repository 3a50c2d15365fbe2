import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Metrics } from '../telemetry/metrics.js';
import { QueueDepths } from '../telemetry/queue-depths.js';
import { POOL } from './pool.js';
import { Standby } from './standby.js';

@Injectable()
export class PoolMetrics {
  constructor(@Inject(POOL) pool: Pool, standby: Standby, metrics: Metrics, queues: QueueDepths) {
    const connections = 'Database connections of this process, by state';
    const add = metrics.gauges('parley_database_connections', connections, 'state');
    add('busy', () => pool.totalCount - pool.idleCount);
    add('idle', () => pool.idleCount);
    const max = 'Maximum database connections of this process (DATABASE_POOL_SIZE)';
    metrics.gauge('parley_database_connections_max', max, () => pool.options.max);
    const silent = '1 while commits hang because the synchronous standby does not respond, 0 otherwise';
    metrics.gauge('parley_standby_silent', silent, () => Number(standby.isSilent));
    queues.add('database_connection', () => pool.waitingCount);
  }
}
