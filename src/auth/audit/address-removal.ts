import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import '../../organizations/organizations.events.js';
import { Config } from '../../platform/config/config.js';
import { OnDomainEvent } from '../../platform/database/domain-events.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { findWithoutAddresses, removeAddresses } from './audit.queries.js';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Removes clients' addresses from the audit logs of organizations that store none: when one turns it off, and every hour, for what a
 * process left behind that died, or a node of an earlier release wrote.
 */
@Injectable()
export class AddressRemoval implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AddressRemoval.name);
  private readonly job = new PeriodicJob(() => this.remove(), HOUR_MS);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  @OnDomainEvent('organization.addressesOff')
  run(): Promise<void> {
    return this.job.run();
  }

  private async remove(): Promise<void> {
    if (this.config.DRILL) return;
    try {
      for (let ids = await findWithoutAddresses(this.pool, ''); ids.length > 0;) {
        for (const id of ids) while (!this.job.isStopped && (await removeAddresses(this.pool, id)));
        ids = this.job.isStopped ? [] : await findWithoutAddresses(this.pool, ids.at(-1)!);
      }
    } catch (err) {
      this.logger.warn({ err }, 'could not remove addresses from audit logs; the next pass retries');
    }
  }
}
