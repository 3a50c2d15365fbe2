import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { handleDueRows } from '../platform/database/due-rows.js';
import { POOL } from '../platform/database/pool.js';
import { transaction } from '../platform/database/transaction.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { findChange, findChanging, removeStep, renameStep } from './tag-changes.queries.js';
import './tags.events.js';

/** Milliseconds between two runs that continue what a node has left. */
const INTERVAL_MS = 30_000;
const INTERVAL_SPREAD = 1 / 2;
/** The most tags of a run. */
const MAX_TAGS = 100;

/** Renames, merges, and deletes tags in the chats that have them. Any node can continue where another stopped. */
@Injectable()
export class TagChanges implements OnApplicationBootstrap, OnModuleDestroy {
  /** How long a request waits for a change to finish, in milliseconds. */
  timeout = 3_000;
  private readonly logger = new Logger(TagChanges.name);
  private readonly job = new PeriodicJob(() => this.pass(), INTERVAL_MS, INTERVAL_SPREAD);
  private readonly shouldStop = () => this.job.isStopped;

  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly events: DomainEventBus,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Continues a tag's change. Returns false if that takes longer than a request may wait: it then continues in the background. */
  async finish(organizationId: string, id: string): Promise<boolean> {
    const end = performance.now() + this.timeout;
    const isDone = await this.proceed(organizationId, id, () => this.job.isStopped || performance.now() > end);
    if (!isDone) void this.run();
    return isDone;
  }

  /** Continues the changes of all tags. Concurrent calls run one after the other. */
  run(): Promise<void> {
    return this.job.run();
  }

  private async pass(): Promise<void> {
    if (this.config.DRILL) return;
    const onError = (err: unknown) =>
      this.logger.warn({ err }, 'a tag was not changed in all chats; it will be retried');
    await handleDueRows(
      {
        list: (limit) => findChanging(this.pool, limit),
        handle: async ({ organizationId, id }) => void (await this.proceed(organizationId, id, this.shouldStop)),
        onError,
        isStopped: this.shouldStop,
      },
      { limit: MAX_TAGS, concurrency: 1 },
    ).catch(onError);
  }

  private async proceed(organizationId: string, id: string, shouldStop: () => boolean): Promise<boolean> {
    for (let hasMore = true; hasMore;) {
      if (shouldStop()) return false;
      const change = await findChange(this.manager, organizationId, id);
      if (!change || (!change.isRemoved && change.renamedTo === null)) break;
      const { isRemoved, mergedInto, renamedTo } = change;
      hasMore = await transaction(this.manager, (tx) =>
        isRemoved ? removeStep(tx, organizationId, id, mergedInto) : renameStep(tx, organizationId, id, renamedTo!),
      );
    }
    this.events.emit('tags.changed', { organizationId });
    return true;
  }
}
