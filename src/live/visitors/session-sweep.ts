import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { Sweep } from '../../platform/lib/sweep.js';
import { VisitorFeed, type VisitorSocket, originOf } from '../feeds/visitor-feed.js';
import { LiveMetrics } from '../feeds/live-metrics.js';
import { Timings } from '../feeds/timings.js';
import { findEnded } from '../../auth/visitors/visitor-sessions.queries.js';

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
        if (isFirst) this.logger.warn({ err }, 'the sessions of sockets could not be checked');
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
    for (const place of await findEnded(this.pool, sessions)) sockets[place]!.disconnect(true);
  }
}
