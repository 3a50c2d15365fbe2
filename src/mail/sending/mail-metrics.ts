import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { countedGauges } from '../../platform/telemetry/counted-gauges.js';
import { type Counter, type Family, Metrics } from '../../platform/telemetry/metrics.js';
import { MAIL_STATUSES, type MailStatus } from '../model/mail.js';
import type { SmtpOutcome } from './smtp.js';

/** The most due mails that are counted. A higher number says nothing new. */
const MAX_COUNTED = 1_000;
const COUNT = `
  SELECT count(*)::float8 AS due, COALESCE(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
  FROM (SELECT due_at FROM mails WHERE status = 'WAITING' AND due_at <= now() ORDER BY due_at LIMIT ${MAX_COUNTED}) AS due`;

const OUTCOMES = ['sent', 'later', 'blocked', 'refused'] as const satisfies readonly SmtpOutcome['type'][];

/** What became of a mail that arrived: the result, or `ignored` (not ours), or `failed` (skipped after several tries). */
const RECEIVED = ['stored', 'to_check', 'duplicate', 'refused', 'processed', 'ignored', 'failed'] as const;
export type ReceivedStatus = (typeof RECEIVED)[number];

/** The metrics of mail (CONTRACT: E-mail). */
@Injectable()
export class MailMetrics {
  private readonly attempts: Family<Counter>;
  private readonly ended: Family<Counter>;
  private readonly received: Family<Counter>;
  private isMailboxConnected: (() => boolean) | null = null;

  constructor(metrics: Metrics, @Inject(POOL) pool: Pool) {
    this.attempts = metrics.counters('parley_mail_attempts_total');
    for (const outcome of OUTCOMES) this.attempts(outcome);
    this.ended = metrics.counters('parley_mail_ended_total');
    for (const status of MAIL_STATUSES) if (status !== 'WAITING') this.ended(status);
    this.received = metrics.counters('parley_mail_received_total');
    for (const status of RECEIVED) this.received(status);
    metrics.gauge('parley_mail_mailbox_connected', () =>
      this.isMailboxConnected === null ? null : Number(this.isMailboxConnected()),
    );
    const counted = countedGauges<{ due: number; age: number }>(pool, metrics, 'mails', COUNT);
    metrics.gauge('parley_mail_due', counted('due'));
    metrics.gauge('parley_mail_oldest_due_age_seconds', counted('age'));
  }

  onAttempt(outcome: SmtpOutcome['type']): void {
    this.attempts(outcome).add();
  }

  onReceived(status: ReceivedStatus): void {
    this.received(status).add();
  }

  /** Measures from now on whether this node is connected to the mailbox. */
  watchMailbox(isConnected: () => boolean): void {
    this.isMailboxConnected = isConnected;
  }

  onEnded(status: MailStatus): void {
    if (status !== 'WAITING') this.ended(status).add();
  }
}
