import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { PresenceService } from './presence.service.js';

/** Milliseconds between two searches for agents without input. */
const INTERVAL_MS = 5_000;
/** The share of the interval that is random, so that nodes that start together spread out. */
const JITTER = 0.5;

/** Finds agents who made no input for as long as their organization says. Every node searches; the one that marks an agent announces it. */
@Injectable()
export class AwaySweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AwaySweep.name);
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
      await this.presence.findAway();
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped) this.logger.warn({ err }, 'could not find idle agents');
      this.isFailing = true;
    }
  }
}
