import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Metrics } from '../telemetry/metrics.js';
import { QueueDepths } from '../telemetry/queue-depths.js';
import { POOL } from './pool.js';
import { Standby } from './standby.js';

@Injectable()
export class PoolMetrics {
  constructor(@Inject(POOL) pool: Pool, standby: Standby, metrics: Metrics, queues: QueueDepths) {
    const add = metrics.gauges('parley_database_connections');
    add('busy', () => pool.totalCount - pool.idleCount);
    add('idle', () => pool.idleCount);
    metrics.gauge('parley_database_connections_max', () => pool.options.max);
    metrics.gauge('parley_standby_silent', () => Number(standby.isSilent));
    queues.add('database_connection', () => pool.waitingCount);
  }
}
