import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { OutboundAgent } from '../../platform/outbound/outbound-agent.js';
import { findConnection } from '../connections/connections.queries.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { DRIVERS } from '../drivers/drivers.js';
import { isEndpoint } from '../model/connection.js';
import { RunFailure } from '../model/turn.js';
import { sendAside } from '../wire/exchange.js';
import { deleteRemoval, findDueRemovals, type Removal, takeRemoval } from './conversation-removals.queries.js';

const INTERVAL_MS = 5_000;
const JITTER = 0.5;
/** Seconds until the second request. Each later pause is twice as long, up to an hour. */
const FIRST_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3_600;
/** How long an endpoint is asked, and at least how often. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MIN_TRIES = 5;
/** How many organizations' endpoints are asked at a time. */
export const CONCURRENCY = 8;
/** How long a pass asks an organization's endpoints, in milliseconds; the last request may take as long again. */
export const SLICE_MS = 10_000;

/** Asks endpoints to remove the conversations of erased chats (CONTRACT: Records). Every node does. */
@Injectable()
export class ConversationRemovals implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ConversationRemovals.name);
  private readonly job = new PeriodicJob(() => this.removeDue(), INTERVAL_MS, JITTER);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
    private readonly manager: EntityManager,
    private readonly connections: ConnectionsService,
    private readonly agent: OutboundAgent,
  ) {}

  onModuleInit(): void {
    if (!this.config.DRILL) this.job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
  }

  /** Asks for what is due. Never rejects. */
  async removeDue(): Promise<void> {
    try {
      const due = await findDueRemovals(this.pool);
      const turns = pLimit(CONCURRENCY);
      const ofOne = (id: string) => due.filter(({ organizationId }) => organizationId === id);
      const ids = new Set(due.map(({ organizationId }) => organizationId));
      await Promise.all(Array.from(ids, (id) => turns(() => this.removeOfOrganization(ofOne(id)))));
    } catch (err) {
      this.logger.warn({ err }, 'could not remove conversations from endpoints');
    }
  }

  // An endpoint that fails, or takes its time, is asked again in the next pass: other organizations wait for the end of this one.
  private async removeOfOrganization(removals: readonly Removal[]): Promise<void> {
    const end = performance.now() + SLICE_MS;
    for (const removal of removals)
      if (this.job.isStopped || performance.now() > end || !(await this.remove(removal))) return;
  }

  /** Returns whether the endpoint may be asked for more. */
  private async remove(removal: Removal): Promise<boolean> {
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** removal.tries, MAX_PAUSE_SECONDS);
    if (!(await takeRemoval(this.pool, removal, pause))) return true;
    const hasEnded = await this.ask(removal);
    if (!hasEnded && !this.isToGiveUp(removal)) return false;
    if (!hasEnded) {
      const { organizationId, botId } = removal;
      this.logger.warn({ organizationId, botId }, 'an endpoint did not remove the conversation of an erased chat');
    }
    await deleteRemoval(this.pool, removal);
    return hasEnded;
  }

  private isToGiveUp({ createdAt, tries }: Removal): boolean {
    return !this.job.isStopped && tries + 1 >= MIN_TRIES && Date.now() - createdAt.getTime() > MAX_AGE_MS;
  }

  /** Whether nothing more is to be done: the endpoint no longer has the conversation, or the connection was removed. */
  private async ask({ organizationId, botId, connectionId, remoteId, remoteUser }: Removal): Promise<boolean> {
    const row = await findConnection(this.manager, organizationId, botId);
    if (row?.id !== connectionId) return true;
    const connection = this.connections.open(row);
    if (!connection) return false;
    const request = isEndpoint(row.kind) && DRIVERS[row.kind].forget?.(connection, remoteId, remoteUser);
    if (!request) return true;
    try {
      await sendAside(this.agent, request);
      return true;
    } catch (error) {
      return error instanceof RunFailure && error.httpStatus === 404;
    }
  }
}
