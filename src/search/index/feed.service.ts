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
import { beginIndex, endRebuild, findBehind, findNew, lease, READER, REBUILDER, release } from './feed.queries.js';
import { Indexer } from './indexer.js';
import { SearchLag } from './search-lag.js';

/** Milliseconds between two runs: a message is found within 5 s. */
const INTERVAL_MS = 500;
/** The most changes of a page, and how many of them are applied at a time. */
const PAGE = 100;
const CONCURRENCY = 2;
/**
 * Milliseconds that an organization is followed before the next one's turn, and that all rebuilds may take in a pass. A node follows one
 * organization at a time: with three, indexing slowed down the senders of messages.
 */
export const SLICE_MS = 250;
const REBUILDS_MS = 2_000;

/**
 * Keeps the index up to date from each organization's changes (decision 23). One node at a time follows an organization, under a lease. If
 * that node dies, another one continues with the page that wasn't stored. Sending a message doesn't wait for the index.
 */
@Injectable()
export class SearchFeed implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Search');
  private readonly job = new PeriodicJob(() => this.run(), INTERVAL_MS, 1 / 5);
  /** The last organization that had a slice for its rebuild. */
  private lastRebuilt = '';
  private hasFailed = false;
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
    this.hasFailed = false;
    try {
      while (!this.job.isStopped && (await this.pass()));
    } catch (error) {
      this.warn(error);
    }
    this.isFailing = this.hasFailed;
  }

  // Organizations take turns of one slice each, so one with many changes or a rebuild doesn't delay the others. A rebuild waits until the
  // changes of its organization are applied, so that it doesn't delay new messages. Returns whether work is left.
  private async pass(): Promise<boolean> {
    for (const id of await findNew(this.pool)) await beginIndex(this.pool, id);
    const found = await findBehind(this.pool);
    const behind = found.filter(({ isBehind }) => isBehind).map(({ id }) => id);
    this.lag.onFound(behind);
    const left = await this.followAll(behind, READER, Infinity);
    const rebuilding = found.filter(({ id, isRebuilding }) => isRebuilding && !left.includes(id)).map(({ id }) => id);
    const end = performance.now() + (left.length > 0 ? SLICE_MS : REBUILDS_MS);
    const leftRebuilds = await this.followAll(inTurn(rebuilding, this.lastRebuilt), REBUILDER, end);
    return left.length + leftRebuilds.length > 0;
  }

  // Returns the organizations that have more.
  private async followAll(ids: readonly string[], reader: string, end: number): Promise<string[]> {
    const left: string[] = [];
    for (const id of ids) if (performance.now() >= end || (await this.follow(id, reader))) left.push(id);
    return left;
  }

  // An organization that fails doesn't stop the others. It's tried again in the next run.
  private async follow(id: string, reader: string): Promise<boolean> {
    if (reader === REBUILDER) this.lastRebuilt = id;
    try {
      return await this.applySlice(id, reader);
    } catch (error) {
      this.warn(error);
      return false;
    } finally {
      await release(this.pool, id, this.node.id).catch(() => undefined);
    }
  }

  // Returns whether there may be more pages.
  private async applySlice(id: string, reader: string): Promise<boolean> {
    const end = performance.now() + SLICE_MS;
    do {
      if (this.job.isStopped || !(await this.lease(id))) return false;
      const { isLast, isHeldUp } = await this.applyPage(id, reader);
      if (isLast) {
        if (reader === REBUILDER) await endRebuild(this.pool, id);
        else if (!isHeldUp) this.lag.onDone(id);
        return false;
      }
    } while (performance.now() < end);
    return true;
  }

  private async lease(organizationId: string): Promise<boolean> {
    const isOurs = await lease(this.pool, organizationId, this.node.id);
    // The other node reports how far this organization is behind.
    if (!isOurs) this.lag.onDone(organizationId);
    return isOurs;
  }

  // Unless it's the last page, more may be waiting: it was full, and this process has moved the position past it. Changes after a page that
  // wasn't full wait for the next run, so that a chat's messages are read together. The rows are right even if another process has moved
  // the position.
  private async applyPage(organizationId: string, reader: string): Promise<{ isLast: boolean; isHeldUp: boolean }> {
    const page = await this.changes.read(organizationId, reader, PAGE);
    const limit = pLimit(CONCURRENCY);
    await Promise.all(page.changes.map((change) => limit(() => this.indexer.apply(organizationId, change))));
    const hasMoved = await transaction(this.manager, (tx) => this.changes.advance(tx, page));
    return { isLast: !hasMoved || page.changes.length < PAGE, isHeldUp: page.isHeldUp };
  }

  // The details of an unknown error aren't logged, because they may quote what someone wrote.
  private warn(error: unknown): void {
    if (!this.isFailing && !this.job.isStopped) {
      const cause = this.faults.noteError(error);
      this.logger.warn(
        cause ? { cause } : { error: (error as Error).name },
        'the search index is behind, and is tried again',
      );
    }
    this.hasFailed = true;
    this.isFailing = true;
  }
}

/** The ids in their order, beginning with the first one after `last`. */
function inTurn(ids: readonly string[], last: string): string[] {
  const sorted = ids.toSorted();
  return [...sorted.filter((id) => id > last), ...sorted.filter((id) => id <= last)];
}
