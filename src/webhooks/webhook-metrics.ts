import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { Counter, Gauge, Registry } from 'prom-client';
import { POOL } from '../database/database.module.js';

// Looked up when it is asked for. Waiting ones are counted up to a bound: past it, how many there are tells nothing new.
const MAX_COUNTED = 10_000;
const IN_LANE = 'd.organization_id = w.organization_id AND d.webhook_id = w.id';
const LOOK = `
  SELECT COALESCE(sum(f.n + r.n), 0)::float8 AS due, COALESCE(sum(d.n), 0)::float8 AS dead,
    COALESCE(extract(epoch FROM now() - least(min(f.at), min(r.at))), 0)::float8 AS age
  FROM webhooks w
  CROSS JOIN LATERAL (SELECT count(*) AS n, min(at) AS at FROM (SELECT created_at AS at FROM deliveries d
    WHERE ${IN_LANE} AND d.outcome IS NULL AND d.due_at IS NULL ORDER BY d.position LIMIT ${MAX_COUNTED}) f) f
  CROSS JOIN LATERAL (SELECT count(*) AS n, min(at) AS at FROM (SELECT due_at AS at FROM deliveries d
    WHERE ${IN_LANE} AND d.outcome IS NULL AND d.due_at <= now() ORDER BY d.due_at LIMIT ${MAX_COUNTED}) r) r
  CROSS JOIN LATERAL (SELECT count(*) AS n FROM (SELECT FROM deliveries d
    WHERE ${IN_LANE} AND d.outcome = 'dead' LIMIT ${MAX_COUNTED}) d) d
  WHERE w.is_enabled`;

type Look = Record<'due' | 'dead' | 'age', number>;

/** What operators see of webhooks in /metrics. */
@Injectable()
export class WebhookMetrics {
  private readonly logger = new Logger(WebhookMetrics.name);
  private readonly attempts: Counter<'outcome'>;
  private readonly inFlight: Gauge;
  private looking?: Promise<Look | null>;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly registry: Registry,
  ) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'parley_webhook_attempts_total',
      help: 'Attempts of this process to deliver an event, by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.inFlight = new Gauge({
      name: 'parley_webhook_attempts_in_flight',
      help: 'Attempts of this process that are under way',
      registers,
    });
    this.gauge(
      'due',
      'deliveries_due',
      `Deliveries that enabled webhooks should have been sent by now, of all nodes; up to ${MAX_COUNTED} of each`,
    );
    this.gauge(
      'dead',
      'deliveries_dead',
      `Deliveries to enabled webhooks that were given up, of all nodes; up to ${MAX_COUNTED} of each`,
    );
    this.gauge('age', 'oldest_due_age_seconds', 'How long the delivery that is due the longest has been waiting');
  }

  started(): void {
    this.inFlight.inc();
  }

  ended(isSuccess: boolean): void {
    this.inFlight.dec();
    this.attempts.inc({ outcome: isSuccess ? 'delivered' : 'failed' });
  }

  private gauge(value: keyof Look, name: string, help: string): void {
    const gauge: Gauge = new Gauge({
      name: `parley_webhook_${name}`,
      help,
      registers: [this.registry],
      collect: async () => gauge.set((await this.look())?.[value] ?? Number.NaN),
    });
  }

  // One look for all that is collected together.
  private look(): Promise<Look | null> {
    this.looking ??= this.query().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async query(): Promise<Look | null> {
    try {
      const { rows } = await this.pool.query<Look>(LOOK);
      return rows[0] ?? null;
    } catch (err) {
      this.logger.warn({ err }, 'deliveries could not be counted');
      return null;
    }
  }
}
