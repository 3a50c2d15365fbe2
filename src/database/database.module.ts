import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { boundWaiting, poolOf, serviceDataSource } from './data-source.js';

/** The injection token of the raw connection pool: TypeORM's own, so that there is one limit for both. */
export const POOL = Symbol('pg pool');

/** The one connection pool of the process. */
@Global()
@Module({})
export class DatabaseModule {
  static connect(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...serviceDataSource(url, poolSize), retryAttempts: 0 })],
      providers: [
        { provide: POOL, useFactory: (source: DataSource): Pool => boundWaiting(poolOf(source)), inject: [DataSource] },
      ],
      exports: [POOL],
    };
  }
}
