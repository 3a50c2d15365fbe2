import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { PeriodicJob } from '../platform/lib/periodic-job.js';
import { PresenceService } from './presence.service.js';

/** Milliseconds between two searches for connections whose grace period is over. */
const ENDED_INTERVAL_MS = 1_000;
/** Milliseconds between two searches for agents without input. */
const IDLE_INTERVAL_MS = 5_000;
/** The share of an interval that is random, so that nodes that start together spread out. */
const JITTER = 0.5;

/**
 * Finds agents who went offline without an announcement, because their grace period ended or their node was killed, and agents who made
 * no input for as long as their organization says. Every node searches. The node that changes the row announces it.
 */
@Injectable()
export class PresenceSweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PresenceSweep.name);
  private readonly jobs = [
    this.job(ENDED_INTERVAL_MS, () => this.presence.removeEnded(), 'could not remove ended agent connections'),
    this.job(IDLE_INTERVAL_MS, () => this.presence.findAway(), 'could not find idle agents'),
  ];

  constructor(private readonly presence: PresenceService) {}

  onModuleInit(): void {
    for (const job of this.jobs) job.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  /** @param failure the log line of the first failure after a success */
  private job(interval: number, work: () => Promise<void>, failure: string): PeriodicJob {
    let isFailing = false;
    const run = async () => {
      try {
        await work();
        isFailing = false;
      } catch (err) {
        if (!isFailing && !job.isStopped) this.logger.warn({ err }, failure);
        isFailing = true;
      }
    };
    const job = new PeriodicJob(run, interval, JITTER);
    return job;
  }
}
