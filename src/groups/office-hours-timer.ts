import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { transaction } from '../platform/database/transaction.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { storeOpening } from '../organizations/office-hours.queries.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { findDueHours, type GroupKey, listDueHours } from './groups.queries.js';
import './groups.events.js';

/** Milliseconds between two runs. Routing compares times itself, so a late run changes nothing that it does. */
const INTERVAL_MS = 5_000;
const JITTER = 0.3;
const FIRST_RUN_MS = 100;
const BATCH = 100;

/** Computes the next times of groups with office hours, when the current ones are over (CONTRACT: Office hours). */
@Injectable()
export class OfficeHoursTimer implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(OfficeHoursTimer.name);
  private readonly job = new PeriodicJob(() => this.run(), INTERVAL_MS, JITTER);

  constructor(
    private readonly manager: EntityManager,
    private readonly organizations: OrganizationsService,
    private readonly events: DomainEventBus,
  ) {}

  onModuleInit(): void {
    this.job.start(FIRST_RUN_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  private async run(): Promise<void> {
    const onError = (err: unknown, due?: GroupKey) =>
      this.logger.warn({ err, ...due }, 'failed to compute office hours; it will be retried');
    await handleDueRows(
      {
        list: (limit) => listDueHours(this.manager, limit),
        handle: (due) => this.renew(due),
        onError,
        isStopped: () => this.job.isStopped,
      },
      { limit: BATCH, concurrency: 1 },
    ).catch(onError);
  }

  private renew({ organizationId, groupId }: GroupKey): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const organization = await this.organizations.lock(tx, organizationId);
      const due = await findDueHours(tx, organizationId, groupId);
      if (!due) return;
      await storeOpening(tx, organizationId, due.officeHours ?? organization.officeHours, groupId);
      this.events.emit('group.changed', { organizationId, groupId }, tx);
      if (due.isDefault) this.events.emit('organization.widgetChanged', { organizationId }, tx);
    });
  }
}
