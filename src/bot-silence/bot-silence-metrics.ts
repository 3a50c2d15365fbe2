import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { countedGauges } from '../platform/telemetry/counted-gauges.js';
import { type Counter, type Family, Metrics } from '../platform/telemetry/metrics.js';
import { SILENCE_REASONS, type SilenceReason } from './silence-sql.js';

const COUNT = `
  SELECT count(*)::float8 AS chats, COALESCE(extract(epoch FROM now() - min(since)), 0)::float8 AS oldest
  FROM bot_silences s WHERE ${sqlIsOfExisting('s')}`;

/** Metrics of bots that take no messages. They have no organization label, because the number of organizations is unbounded. */
@Injectable()
export class BotSilenceMetrics {
  private readonly handovers: Family<Counter>;

  constructor(@Inject(POOL) pool: Pool, metrics: Metrics) {
    this.handovers = metrics.counters('parley_bot_silence_handovers_total');
    for (const reason of SILENCE_REASONS) this.handovers(reason);
    const read = countedGauges<Record<'chats' | 'oldest', number>>(pool, metrics, 'bot_silences', COUNT);
    metrics.gauge('parley_bot_silent_chats', read('chats'));
    metrics.gauge('parley_bot_silence_oldest_seconds', read('oldest'));
  }

  onHandedOver(reason: SilenceReason): void {
    this.handovers(reason).add();
  }
}
