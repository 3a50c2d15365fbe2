import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { Counter, Gauge, Registry } from 'prom-client';
import { POOL } from '../database/database.module.js';

// Looked up when it is asked for. Waiting ones are counted up to a bound: past it, how many there are tells nothing new.
const MAX_COUNTED = 100_000;
const LOOK = `
  SELECT
    (SELECT count(*) FROM (SELECT FROM deliveries WHERE outcome IS NULL AND due_at IS NULL LIMIT ${MAX_COUNTED}) f)::float8
    + (SELECT count(*) FROM (SELECT FROM deliveries WHERE outcome IS NULL AND due_at <= now() LIMIT ${MAX_COUNTED}) r)
      AS due,
    (SELECT count(*) FROM (SELECT FROM deliveries WHERE outcome = 'dead' LIMIT ${MAX_COUNTED}) d)::float8 AS dead,
    COALESCE(extract(epoch FROM now() - (SELECT min(first.at) FROM webhooks w CROSS JOIN LATERAL (
      (SELECT d.created_at AS at FROM deliveries d WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id
        AND d.outcome IS NULL AND d.due_at IS NULL ORDER BY d.position LIMIT 1)
      UNION ALL
      (SELECT d.due_at FROM deliveries d WHERE d.organization_id = w.organization_id AND d.webhook_id = w.id
        AND d.outcome IS NULL AND d.due_at <= now() ORDER BY d.due_at LIMIT 1)
    ) first WHERE w.is_enabled)), 0)::float8 AS age`;

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
      `Deliveries of all nodes that should be sent now; counted up to ${MAX_COUNTED}`,
    );
    this.gauge('dead', 'deliveries_dead', `Deliveries of all nodes that were given up; counted up to ${MAX_COUNTED}`);
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
