import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { Sweep } from '../../platform/lib/sweep.js';
import { VisitorFeed, type VisitorSocket, originOf } from '../feeds/visitor-feed.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { Timings } from '../feeds/timings.js';
import { findEnded } from '../../auth/visitors/visitor-sessions.queries.js';

/** The most sockets that one statement checks. */
const BATCH = 5_000;

/**
 * Disconnects sockets that a lost hint left open. For all sockets of this node, it checks in the database at intervals whether
 * the token was ended, the visitor or the organization removed, or the origin disallowed. It sends no query while there are no
 * sockets.
 */
@Injectable()
export class SessionSweep implements OnModuleDestroy {
  private readonly logger = new Logger(SessionSweep.name);
  private readonly sweep: Sweep;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly feed: VisitorFeed,
    timings: Timings,
    metrics: LiveMetrics,
  ) {
    this.sweep = new Sweep({
      interval: () => timings.sessions,
      isNeeded: () => feed.sockets().length > 0,
      run: () => this.checkAll(),
      onError: (err, isFirst) => {
        metrics.sessionSweepErrors.add();
        if (isFirst) this.logger.warn({ err }, 'failed to check the sessions of sockets');
      },
    });
    feed.onConnected(() => this.sweep.schedule());
  }

  onModuleDestroy(): void {
    this.sweep.stop();
  }

  private async checkAll(): Promise<void> {
    const sockets = this.feed.sockets();
    for (let from = 0; from < sockets.length; from += BATCH) await this.check(sockets.slice(from, from + BATCH));
  }

  private async check(sockets: readonly VisitorSocket[]): Promise<void> {
    const sessions = sockets.map((socket) => ({ ...socket.data.visitor, origin: originOf(socket) }));
    for (const index of await findEnded(this.pool, sessions)) this.feed.end(sockets[index]!, 'session_ended');
  }
}
