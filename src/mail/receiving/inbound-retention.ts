import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { FileRemovals } from '../../files/removals.service.js';
import { attemptEach } from '../../platform/database/due-rows.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { MailSetup } from '../model/mail-setup.js';
import { findOld, type OldMail } from './inbound-mails.queries.js';
import { InboundStore } from './inbound-store.service.js';

/** Milliseconds between two runs, and the largest share that is added at random. */
const INTERVAL_MS = 3_600_000;
const JITTER = 0.3;
const RETENTION_MS = 30 * 24 * 3_600_000;
const MAX_OF_RUN = 500;

/** Removes mails that became no message, after 30 days (CONTRACT: E-mail). */
@Injectable()
export class InboundRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Mail');
  private readonly job = new PeriodicJob(() => this.pass(), INTERVAL_MS, JITTER);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly setup: MailSetup,
    private readonly store: InboundStore,
    private readonly removals: FileRemovals,
  ) {}

  onApplicationBootstrap(): void {
    if (this.setup.isOn) this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Removes what's old now. */
  run(): Promise<void> {
    return this.job.run();
  }

  private async pass(): Promise<void> {
    try {
      const mails = await findOld(this.pool, new Date(Date.now() - RETENTION_MS), MAX_OF_RUN);
      const { pool: database, logger } = this;
      const nameOf = ({ organizationId, id }: OldMail) => ({ organizationId, id });
      const failure = 'failed to remove an old mail; it will be tried again';
      const attempts = { database, logger, failure, nameOf, shouldStop: () => this.job.isStopped };
      await attemptEach(attempts, mails, (mail) => this.store.removeOld(mail));
      if (mails.some(({ chatId }) => chatId !== null)) this.removals.wake();
    } catch (err) {
      this.logger.warn({ err }, 'failed to remove old mails; it will be tried again');
    }
  }
}
