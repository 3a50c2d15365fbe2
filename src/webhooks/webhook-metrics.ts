import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { countedGauges } from '../platform/telemetry/counted-gauges.js';
import { type Counter, type Histogram, type Family, Metrics } from '../platform/telemetry/metrics.js';
import { POOL } from '../platform/database/pool.js';
import { type Verdict, VERDICTS } from './dispatch.queries.js';
import { type AttemptResult, isSuccess } from '../platform/outbound/attempt.js';

// Each scrape counts at most MAX_COUNTED rows per webhook in each of ix_deliveries_first, ix_deliveries_retry, and ix_deliveries_dead,
// because a higher number says nothing new. OFFSET 0 counts each webhook once.
const MAX_COUNTED = 1_000;
const IN_LANE = 'd.organization_id = l.organization_id AND d.receiver_id = l.webhook_id';
const FIRST = `${IN_LANE} AND d.outcome IS NULL AND d.due_at IS NULL`;
const RETRY = `${IN_LANE} AND d.outcome IS NULL AND d.due_at <= now()`;
const count = (where: string, order: string) =>
  `(SELECT count(*) FROM (SELECT FROM deliveries d WHERE ${where} ORDER BY ${order} LIMIT ${MAX_COUNTED}) counted)`;
const COUNT_DELIVERIES = `
  SELECT COALESCE(sum(due), 0)::float8 AS due, COALESCE(sum(dead), 0)::float8 AS dead,
    COALESCE(extract(epoch FROM now() - min(since) FILTER (WHERE NOT is_failing)), 0)::float8 AS healthy,
    COALESCE(extract(epoch FROM now() - min(since) FILTER (WHERE is_failing)), 0)::float8 AS failing,
    count(*) FILTER (WHERE is_failing)::float8 AS "failingWebhooks"
  FROM (
    SELECT l.failing_since IS NOT NULL AS is_failing,
      ${count(FIRST, 'd.position')} + ${count(RETRY, 'd.due_at')} AS due,
      ${count(`${IN_LANE} AND d.outcome = 'dead'`, 'd.id')} AS dead,
      least((SELECT d.created_at FROM deliveries d WHERE ${FIRST} ORDER BY d.position LIMIT 1),
        (SELECT d.due_at FROM deliveries d WHERE ${RETRY} ORDER BY d.due_at LIMIT 1)) AS since
    FROM receivers r
    JOIN webhook_lanes l ON l.organization_id = r.organization_id AND l.webhook_id = r.id
    WHERE r.is_enabled AND ${sqlIsOfExisting('r')}
    OFFSET 0
  ) AS waiting`;

const ATTEMPT_OUTCOMES = ['delivered', 'failed'] as const;

type DeliveryCounts = Record<'due' | 'dead' | 'healthy' | 'failing' | 'failingWebhooks', number>;

/** Metrics of webhooks. */
@Injectable()
export class WebhookMetrics {
  private readonly attempts: Family<Counter>;
  private readonly durations: Family<Histogram>;
  private readonly deliveries: Family<Counter>;
  private inFlight = 0;

  constructor(@Inject(POOL) pool: Pool, metrics: Metrics) {
    this.attempts = metrics.counters('parley_webhook_attempts_total');
    this.durations = metrics.histograms('parley_webhook_attempt_duration_seconds');
    for (const outcome of ATTEMPT_OUTCOMES) {
      this.attempts(outcome);
      this.durations(outcome);
    }
    this.deliveries = metrics.counters('parley_webhook_deliveries_total');
    for (const verdict of VERDICTS) this.deliveries(verdict);
    metrics.gauge('parley_webhook_attempts_in_flight', () => this.inFlight);
    addGauges(metrics, countedGauges(pool, metrics, 'webhook_deliveries', COUNT_DELIVERIES));
  }

  started(): void {
    this.inFlight++;
  }

  ended(result: AttemptResult): void {
    this.inFlight--;
    const outcome: (typeof ATTEMPT_OUTCOMES)[number] = isSuccess(result) ? 'delivered' : 'failed';
    this.attempts(outcome).add();
    this.durations(outcome).observe(result.durationMs / 1000);
  }

  /** Counts the written outcome of an attempt. */
  judged(verdict: Verdict): void {
    this.deliveries(verdict).add();
  }
}

function addGauges(metrics: Metrics, read: (count: keyof DeliveryCounts) => () => Promise<number | null>): void {
  metrics.gauge('parley_webhook_deliveries_due', read('due'));
  metrics.gauge('parley_webhook_deliveries_dead', read('dead'));
  metrics.gauge('parley_webhook_failing', read('failingWebhooks'));
  const add = metrics.gauges('parley_webhook_oldest_due_age_seconds');
  add('healthy', read('healthy'));
  add('failing', read('failing'));
}
