import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { createServiceDataSource, serviceDataSource } from './data-source.js';
import { HeavyReads } from './pools/heavy-reads.js';
import { SEARCH_POOL, searchPoolOf } from './pools/search-pool.js';
import { PoolMetrics } from './pools/pool-metrics.js';
import { APPEND_POOL, appendPoolOf, limitWaiting, POOL, poolOf, REFERENCE_POOL, referencePoolOf } from './pool.js';
import { SilentWorkers } from './citus/silent-workers.js';
import { Lockout } from './key/lockout.js';
import { FaultLog } from './faults/fault-log.js';
import { LockWatch } from './faults/lock-watch.js';
import { Standby } from './standby.js';

/**
 * The database responded moments ago, when its schema was checked. But a process that is busy loading modules may
 * notice the answer too late, when the connection timeout has already passed.
 */
const RETRIES = { retryAttempts: 3, retryDelay: 500 };

/** The process's only connection pool. Features register their entities (`TypeOrmModule.forFeature`). */
@Global()
@Module({})
export class DatabaseModule {
  static connect(url: string, poolSize: number, faults: FaultLog): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...serviceDataSource(url, poolSize), autoLoadEntities: true, ...RETRIES }),
          dataSourceFactory: (options) => createServiceDataSource(options!),
        }),
      ],
      providers: [
        { provide: POOL, useFactory: (source: DataSource): Pool => limitWaiting(poolOf(source)), inject: [DataSource] },
        { provide: APPEND_POOL, useFactory: appendPoolOf, inject: [POOL] },
        { provide: REFERENCE_POOL, useFactory: referencePoolOf, inject: [POOL] },
        { provide: SEARCH_POOL, useFactory: searchPoolOf, inject: [POOL] },
        { provide: Standby, useFactory: (source: DataSource) => extraOf(source).standby, inject: [DataSource] },
        { provide: LockWatch, useFactory: (source: DataSource) => extraOf(source).locks, inject: [DataSource] },
        { provide: FaultLog, useFactory: () => faults },
        {
          provide: SilentWorkers,
          useFactory: (source: DataSource) => extraOf(source).silentWorkers,
          inject: [DataSource],
        },
        { provide: Lockout, useFactory: (source: DataSource) => extraOf(source).lockout, inject: [DataSource] },
        HeavyReads,
        PoolMetrics,
      ],
      exports: [POOL, APPEND_POOL, REFERENCE_POOL, SEARCH_POOL, FaultLog, HeavyReads, Lockout, Standby],
    };
  }
}

function extraOf({ options }: DataSource): {
  standby: Standby;
  silentWorkers: SilentWorkers;
  locks: LockWatch;
  lockout: Lockout;
} {
  return (options as unknown as { extra: ReturnType<typeof extraOf> }).extra;
}
