import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { ChangesService } from '../../changes/changes.service.js';
import { ThisNode } from '../../platform/cluster/this-node.js';
import { Config } from '../../platform/config/config.js';
import { FaultLog } from '../../platform/database/faults/fault-log.js';
import { POOL } from '../../platform/database/pool.js';
import { transaction } from '../../platform/database/transaction.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import {
  type Behind,
  beginIndex,
  endRebuild,
  findBehind,
  findNew,
  lease,
  READER,
  REBUILDER,
  release,
} from './feed.queries.js';
import { Indexer } from './indexer.js';
import { SearchLag } from './search-lag.js';

/** Milliseconds between two runs: a message is found within 5 s. */
const INTERVAL_MS = 500;
/** How many changes of a page are applied together, and how many at a time. */
const PAGE = 100;
const CONCURRENCY = 2;
/** How many organizations a node follows at a time. */
const ORGANIZATIONS = 3;

/**
 * Keeps the index up to date, by the changes of each organization (decision 23). One node at a time does so for an organization, under a
 * lease: if it dies, another one continues with the page that wasn't stored. Sending a message doesn't wait for it.
 */
@Injectable()
export class SearchFeed implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Search');
  private readonly job = new PeriodicJob(() => this.run(), INTERVAL_MS, 1 / 5);
  private isFailing = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly manager: EntityManager,
    private readonly changes: ChangesService,
    private readonly indexer: Indexer,
    private readonly lag: SearchLag,
    private readonly node: ThisNode,
    private readonly config: Config,
    private readonly faults: FaultLog,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.DRILL) this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Stops the feed of this node. */
  stop(): Promise<void> {
    return this.job.stop();
  }

  private async run(): Promise<void> {
    try {
      for (const id of await findNew(this.pool)) await beginIndex(this.pool, id);
      const behind = await findBehind(this.pool);
      this.lag.onFound(behind.filter(({ isBehind }) => isBehind).map(({ id }) => id));
      const limit = pLimit(ORGANIZATIONS);
      await Promise.all(behind.map((one) => limit(() => this.follow(one))));
      this.isFailing = false;
    } catch (error) {
      this.warn(error);
    }
  }

  // An organization that fails doesn't stop the others. It's tried again in the next run.
  private async follow({ id, isRebuilding }: Behind): Promise<void> {
    if (this.job.isStopped || !(await this.lease(id))) return;
    try {
      while (!this.job.isStopped && (await this.applyPages(id, isRebuilding))) if (!(await this.lease(id))) return;
    } catch (error) {
      this.warn(error);
    } finally {
      await release(this.pool, id, this.node.id).catch(() => undefined);
    }
  }

  private async lease(organizationId: string): Promise<boolean> {
    const isOurs = await lease(this.pool, organizationId, this.node.id);
    // The other node says how far it's behind.
    if (!isOurs) this.lag.onDone(organizationId);
    return isOurs;
  }

  // Returns whether there may be more pages. A rebuild waits for the changes, so that it delays no new message.
  private async applyPages(organizationId: string, isRebuilding: boolean): Promise<boolean> {
    if (await this.applyPage(organizationId, READER)) return true;
    this.lag.onDone(organizationId);
    if (!isRebuilding || (await this.applyPage(organizationId, REBUILDER))) return isRebuilding;
    await endRebuild(this.pool, organizationId);
    return false;
  }

  // What was applied is right even if another process has moved the position.
  private async applyPage(organizationId: string, reader: string): Promise<boolean> {
    const page = await this.changes.read(organizationId, reader, PAGE);
    const limit = pLimit(CONCURRENCY);
    await Promise.all(page.changes.map((change) => limit(() => this.indexer.apply(organizationId, change))));
    const hasMoved = await transaction(this.manager, (tx) => this.changes.advance(tx, page));
    return hasMoved && page.changes.length > 0;
  }

  // Without a known cause, no details: they may quote what someone wrote.
  private warn(error: unknown): void {
    if (!this.isFailing && !this.job.isStopped) {
      const cause = this.faults.noteError(error);
      this.logger.warn(
        cause ? { cause } : { error: (error as Error).name },
        'the search index is behind, and is tried again',
      );
    }
    this.isFailing = true;
  }
}
