import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { PeriodicJob } from '../../platform/lib/periodic-job.js';
import { MailSetup } from '../model/mail-setup.js';
import { ChatMails } from './chat-mails.service.js';
import { findMissed, findMissedAfter } from './missed.queries.js';
import { Transcripts } from './transcripts.service.js';

/** Milliseconds between two runs, and the largest share that is added at random: a mail leaves within 30 s of its time. */
const INTERVAL_MS = 10_000;
const JITTER = 0.3;
/** Seconds that a run searches back. Every tenth run searches further, to find what was missed while no node ran. */
const NEAR_SECONDS = 120;
const FAR_SECONDS = 86_400;
const FAR_EVERY = 10;

/**
 * Finds visitors who missed an answer, and queues one mail for each; then chats that ended, if their organization sends transcripts
 * (CONTRACT: E-mail). Every node searches, and a unique index decides which one queues. Storing a message needs no extra step: a run reads
 * the chats whose last message is about as old as the limit.
 */
@Injectable()
export class MissedAnswers implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Mail');
  private readonly job = new PeriodicJob(() => this.pass(), INTERVAL_MS, JITTER);
  private runs = 0;
  private isFailing = false;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly setup: MailSetup,
    private readonly mails: ChatMails,
    private readonly transcripts: Transcripts,
  ) {}

  onApplicationBootstrap(): void {
    if (this.setup.isOn) this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Searches once; concurrent calls run one after the other. */
  run(): Promise<void> {
    return this.job.run();
  }

  private async pass(): Promise<void> {
    try {
      const limits = await findMissedAfter(this.pool);
      const reach = this.runs++ % FAR_EVERY === 0 ? FAR_SECONDS : NEAR_SECONDS;
      const chats = limits.length > 0 ? await findMissed(this.pool, limits, reach) : [];
      for (const chat of chats)
        if (!this.job.isStopped) await this.mails.queue(chat, { kind: 'missed', afterSeq: chat.afterSeq });
      if (!this.job.isStopped) await this.transcripts.queueOfEnded(reach);
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing && !this.job.isStopped) this.logger.warn({ err }, 'failed to find missed answers');
      this.isFailing = true;
    }
  }
}
