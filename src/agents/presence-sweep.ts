import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { PresenceService } from './presence.service.js';

/** Milliseconds between two searches for connections whose grace period is over. */
const INTERVAL_MS = 1_000;
/** The share of the interval that is random, so that nodes that start together spread out. */
const JITTER = 0.5;

/**
 * Finds agents who went offline without an announcement, because their grace period ended or their node was killed. Every node
 * searches. The node that removes the row announces it.
 */
@Injectable()
export class PresenceSweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PresenceSweep.name);
  private readonly job = new PeriodicJob(() => this.sweep(), INTERVAL_MS, JITTER);
  private isFailing = false;

  constructor(private readonly presence: PresenceService) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  private async sweep(): Promise<void> {
    try {
      await this.presence.removeEnded();
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped) this.logger.warn({ err }, 'could not remove ended agent connections');
      this.isFailing = true;
    }
  }
}
