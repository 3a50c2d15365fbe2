import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import './auth.events.js';
import { StorageQuota } from './storage-quota.js';
import type { VisitorIdentity } from './visitor-auth.service.js';
import { insertEnded, removeExpired } from './visitor-sessions.queries.js';
import { VisitorTurns } from './visitor-turns.js';

/** How often expired tokens are removed, in milliseconds, and how many a statement removes at most. */
const INTERVAL = 60 * 60 * 1000;
const BATCH = 1_000;
/** The clocks of two nodes differ by less than this, in milliseconds: one must not forget what the other still lets in. */
const CLOCK_TOLERANCE = 24 * 60 * 60 * 1000;

/** What a token that was ended takes in the database, with its indexes: it counts for what its visitor stores. */
const ROW_BYTES = 200;

/** Tokens of visitors who signed out; one that has expired is refused without them. */
@Injectable()
export class EndedTokensService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(EndedTokensService.name);
  private timer?: NodeJS.Timeout;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly events: DomainEventBus,
    private readonly quota: StorageQuota,
    private readonly turns: VisitorTurns,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.removeExpired(), INTERVAL).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * Ends a token (CONTRACT section 3): when this returns, every node refuses it. Its sockets end at once here, on other nodes
   * with the hint, and with their next look at the database when the hint is lost (`SessionSweep`).
   */
  async end(session: VisitorIdentity): Promise<void> {
    const { organizationId, tokenId, address } = session;
    const expiresAt = new Date(session.expiresAt * 1000);
    await this.quota.store(session, { messages: 0, bytes: ROW_BYTES }, () =>
      this.turns.run(address, () => insertEnded(this.pool, organizationId, tokenId, expiresAt)),
    );
    this.events.emit('visitorToken.ended', { organizationId, tokenId });
  }

  async removeExpired(now = new Date()): Promise<void> {
    const before = new Date(now.getTime() - CLOCK_TOLERANCE);
    try {
      while ((await removeExpired(this.pool, before, BATCH)) === BATCH);
    } catch (err) {
      this.logger.warn({ err }, 'expired visitor tokens were not removed');
    }
  }
}
