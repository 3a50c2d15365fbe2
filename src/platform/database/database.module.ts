import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { serviceDataSource } from './data-source.js';
import { PoolMetrics } from './pool-metrics.js';
import { limitWaiting, POOL, poolOf } from './pool.js';

/** The one connection pool of the process. Features register their entities (`TypeOrmModule.forFeature`). */
@Global()
@Module({})
export class DatabaseModule {
  static connect(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({ ...serviceDataSource(url, poolSize), autoLoadEntities: true, retryAttempts: 0 }),
      ],
      providers: [
        { provide: POOL, useFactory: (source: DataSource): Pool => limitWaiting(poolOf(source)), inject: [DataSource] },
        PoolMetrics,
      ],
      exports: [POOL],
    };
  }
}
