import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { countedGauges } from '../platform/telemetry/counted-gauges.js';
import { Metrics } from '../platform/telemetry/metrics.js';

// Each scrape counts at most MAX_COUNTED rows per subscription. OFFSET 0: reads each subscription once.
const MAX_COUNTED = 1_000;
const WAITING =
  'd.organization_id = s.organization_id AND d.receiver_id = s.id AND d.outcome IS NULL AND d.due_at IS NULL';
const COUNT_EVENTS = `
  SELECT COALESCE(sum(events), 0)::float8 AS waiting,
    COALESCE(extract(epoch FROM now() - min(since)), 0)::float8 AS oldest,
    COALESCE(extract(epoch FROM now() - min(polled)), 0)::float8 AS polled
  FROM (
    SELECT COALESCE(s.last_polled_at, s.awake_since) AS polled,
      (SELECT count(*) FROM (SELECT FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT ${MAX_COUNTED}) counted) AS events,
      (SELECT d.created_at FROM deliveries d WHERE ${WAITING} ORDER BY d.position LIMIT 1) AS since
    FROM subscriptions s WHERE NOT s.is_resting AND ${sqlIsOfExisting('s')}
    OFFSET 0
  ) AS waiting`;

/** Metrics of subscriptions and their waiting events. */
@Injectable()
export class PullMetrics {
  constructor(@Inject(POOL) pool: Pool, metrics: Metrics) {
    const read = countedGauges<Record<'waiting' | 'oldest' | 'polled', number>>(
      pool,
      metrics,
      'pull_events',
      COUNT_EVENTS,
    );
    metrics.gauge('parley_pull_events_waiting', read('waiting'));
    metrics.gauge('parley_pull_oldest_seconds', read('oldest'));
    metrics.gauge('parley_pull_last_poll_seconds', read('polled'));
  }
}
