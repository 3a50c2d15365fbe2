import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { VisitorFeed, type VisitorSocket, originOf } from './visitor-feed.js';
import { LiveMetrics } from './live-metrics.js';
import { Timings } from './timings.js';
import { findEnded } from '../auth/visitor-sessions.queries.js';

/** The most sockets of one statement. */
const BATCH = 5_000;

/**
 * Disconnects sockets that a lost hint left open. At intervals it asks the database, for all sockets of this node, whether
 * their token was ended, their visitor or organization removed, or their origin disallowed. It asks nothing while there are
 * no sockets.
 */
@Injectable()
export class SessionSweep implements OnModuleDestroy {
  private readonly logger = new Logger(SessionSweep.name);
  private timer?: NodeJS.Timeout;
  private isSweeping = false;
  private isFailing = false;
  private isStopped = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: VisitorFeed,
    private readonly timings: Timings,
    private readonly metrics: LiveMetrics,
  ) {
    feed.onConnected(() => this.schedule());
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.timer || this.isSweeping || this.isStopped) return;
    this.timer = setTimeout(() => void this.sweep(), this.timings.sessions).unref();
  }

  // The next sweep is scheduled when this one has ended, so that two never overlap.
  private async sweep(): Promise<void> {
    this.timer = undefined;
    this.isSweeping = true;
    try {
      const sockets = this.feed.sockets();
      for (let from = 0; from < sockets.length; from += BATCH) await this.check(sockets.slice(from, from + BATCH));
      this.isFailing = false;
    } catch (err) {
      this.metrics.sessionSweepErrors.add();
      if (!this.isFailing && !this.isStopped) this.logger.warn({ err }, 'the sessions of sockets could not be checked');
      this.isFailing = true;
    }
    this.isSweeping = false;
    if (this.feed.sockets().length > 0) this.schedule();
  }

  private async check(sockets: readonly VisitorSocket[]): Promise<void> {
    const sessions = sockets.map((socket) => ({ ...socket.data.visitor, origin: originOf(socket) }));
    for (const place of await findEnded(this.pool, sessions)) sockets[place]!.disconnect(true);
  }
}
