import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { countedGauges } from '../platform/telemetry/counted-gauges.js';
import { type Counter, type Family, Metrics } from '../platform/telemetry/metrics.js';

/** The most due notifications that are counted. A higher number says nothing new. */
const MAX_COUNTED = 1_000;
const COUNT = `
  SELECT COALESCE(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age, count(*)::float8 AS due
  FROM (SELECT due_at FROM push_notifications WHERE due_at <= now() ORDER BY due_at LIMIT ${MAX_COUNTED}) AS due`;

/**
 * What came of an attempt. `later`: it's retried. `refused`: another 4xx, which isn't retried. `gone`: the subscription ended.
 */
const OUTCOMES = ['sent', 'later', 'refused', 'gone'] as const;
export type PushOutcome = (typeof OUTCOMES)[number];

/** The metrics of push notifications (CONTRACT: Push). */
@Injectable()
export class PushMetrics {
  private readonly attempts: Family<Counter>;
  private readonly lapsed: Counter;

  constructor(metrics: Metrics, @Inject(POOL) pool: Pool) {
    this.attempts = metrics.counters('parley_push_attempts_total');
    for (const outcome of OUTCOMES) this.attempts(outcome);
    this.lapsed = metrics.counter('parley_push_lapsed_total');
    const counted = countedGauges<{ due: number; age: number }>(pool, metrics, 'push', COUNT);
    metrics.gauge('parley_push_due', counted('due'));
    metrics.gauge('parley_push_oldest_due_age_seconds', counted('age'));
  }

  onAttempt(outcome: PushOutcome): void {
    this.attempts(outcome).add();
  }

  /** A notification wasn't sent, because it wasn't wanted anymore. */
  onLapsed(): void {
    this.lapsed.add();
  }
}
