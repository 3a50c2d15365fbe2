import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { removeOlder } from '../platform/database/remove-older.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import './auth.events.js';
import { StorageQuota } from './storage-quota.js';
import type { VisitorIdentity } from './visitor-auth.service.js';
import { insertEnded } from './visitor-sessions.queries.js';
import { VisitorTurns } from './visitor-turns.js';

/** The time between two removals of expired tokens, in milliseconds. */
const INTERVAL = 60 * 60 * 1000;
/**
 * The most that the clocks of two nodes may differ, in milliseconds: no node may remove a token that another still
 * accepts.
 */
const CLOCK_TOLERANCE = 24 * 60 * 60 * 1000;

/** What an ended token takes in the database, with its indexes. */
export const ENDED_TOKEN = { messages: 0, bytes: 200 } as const;

/** The tokens of visitors who signed out. Rows of expired tokens are removed, because expiry alone refuses them. */
@Injectable()
export class EndedTokensService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(EndedTokensService.name);
  private readonly job = new PeriodicJob((now) => this.removeExpired(now), INTERVAL);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly events: DomainEventBus,
    private readonly quota: StorageQuota,
    private readonly turns: VisitorTurns,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /**
   * Ends a token (CONTRACT section 3): every node refuses it when this returns. Its sockets end at once on this node,
   * on other nodes when the hint arrives, and with their next check of the database if the hint is lost
   * (`SessionSweep`). The storage quota counts it and never refuses it: others at the address may have used it up.
   */
  async end(session: VisitorIdentity): Promise<void> {
    const { organizationId, tokenId, address } = session;
    const expiresAt = new Date(session.expiresAt * 1000);
    await this.turns.run(address, () => insertEnded(this.pool, organizationId, tokenId, expiresAt));
    this.quota.record(session, ENDED_TOKEN);
    this.events.emit('visitorToken.ended', { organizationId, tokenId });
  }

  async removeExpired(now = new Date()): Promise<void> {
    const before = new Date(now.getTime() - CLOCK_TOLERANCE);
    try {
      await removeOlder(this.pool, 'ended_visitor_tokens', 'expires_at', before);
    } catch (err) {
      this.logger.warn({ err }, 'expired visitor tokens were not removed');
    }
  }
}
