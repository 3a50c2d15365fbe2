import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Config, DRILL_DETAIL } from '../../../platform/config/config.js';
import { Lifecycle } from '../../../platform/http/server/lifecycle.js';
import { singleFlight } from '../../../platform/lib/single-flight.js';
import { TIME_LIMITS_MS } from '../../../platform/lib/time-limits.js';
import { because, Fault } from '../../../platform/errors/problem.js';
import { POOL } from '../../../platform/database/pool.js';
import { causeOf, textOf } from '../../../platform/database/faults/cause.js';
import { SILENT } from '../../../platform/database/database-problem.js';
import { Lockout } from '../../../platform/database/key/lockout.js';
import { Neighbors } from '../../../platform/cluster/neighbors.js';
import { WriteFaults } from './write-faults.js';
import { Standby } from '../../../platform/database/standby.js';

/** `degraded`: reads work and writes don't, on every node alike, so taking this one out of service would only end the reads. Or nodes use different databases, and which one is right isn't known. */
export type Readiness = { status: 'ok'; detail?: string } | { status: 'degraded'; detail: string };

/** Whether this process can do its work. */
@Injectable()
export class HealthService {
  private readonly findMigrations = singleFlight(() => this.countMigrations());

  constructor(
    private readonly dataSource: DataSource,
    @Inject(POOL) private readonly pool: Pool,
    private readonly lifecycle: Lifecycle,
    private readonly standby: Standby,
    private readonly writes: WriteFaults,
    private readonly lockout: Lockout,
    private readonly neighbors: Neighbors,
    private readonly config: Config,
  ) {}

  /** Resolves when the process is ready; takes 2 s at most. @throws Problem unavailable */
  async checkReady(): Promise<Readiness> {
    if (this.lifecycle.isDraining) throw notReady('This node is shutting down');
    if (this.lockout.reason !== null) throw notReady(this.lockout.reason);
    const found = await this.findMigrations().catch((error: unknown) => {
      throw this.unavailable(error);
    });
    if (found !== this.dataSource.migrations.length)
      throw notReady('The database schema is out of date: migrations are missing');
    if (this.standby.isSilent) return { status: 'degraded', detail: SILENT };
    const fault = await this.writes.find();
    if (fault) return { status: 'degraded', detail: `Writes fail: ${textOf(fault.cause)}` };
    const { problem } = this.neighbors;
    if (problem !== null) return { status: 'degraded', detail: problem };
    return this.config.DRILL ? { status: 'ok', detail: DRILL_DETAIL } : { status: 'ok' };
  }

  private unavailable(error: unknown): Fault {
    const cause = this.writes.current?.cause ?? causeOf(error);
    if (!cause) return notReady('The database is unavailable');
    return because(notReady(`The database is unavailable: ${textOf(cause)}`), cause);
  }

  private async countMigrations(): Promise<number | undefined> {
    const wanted = this.dataSource.migrations.map(({ constructor }) => constructor.name);
    const { rows } = await this.pool.query<{ count: number }>({
      text: 'SELECT count(*)::integer AS count FROM migrations WHERE name = ANY ($1::text[])',
      values: [wanted],
      query_timeout: TIME_LIMITS_MS.scrape,
    } as never);
    return rows[0]?.count;
  }
}

function notReady(detail: string): Fault {
  return new Fault('unavailable', detail, undefined, 1);
}
