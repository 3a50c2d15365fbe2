import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Lifecycle } from '../common/lifecycle.js';
import { unavailable } from '../common/problem.js';
import { POOL } from '../database/database.module.js';

const PATIENCE = 2_000;

/** Whether this process can do its work, and what it measures of itself. */
@Injectable()
export class HealthService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(POOL) private readonly pool: Pool,
    private readonly lifecycle: Lifecycle,
    registry: Registry,
  ) {
    collectDefaultMetrics({ register: registry });
  }

  /** @throws Problem unavailable */
  async checkReady(): Promise<void> {
    if (this.lifecycle.isDraining) throw unavailable('Shutting down');
    const wanted = this.dataSource.migrations.map(({ constructor }) => constructor.name);
    const counted = this.pool.query<{ count: number }>({
      text: 'SELECT count(*)::integer AS count FROM migrations WHERE name = ANY ($1::text[])',
      values: [wanted],
      query_timeout: PATIENCE,
    } as never);
    const { rows } = await counted.catch(() => {
      throw unavailable('The database is not available');
    });
    if (rows[0]?.count !== wanted.length) throw unavailable('Migrations are missing');
  }
}
