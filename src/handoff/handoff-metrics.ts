import { sqlIsOfExisting } from '../organizations/organization-deletion.queries.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { sqlIsOnline } from '../agents/presence.queries.js';
import type { ChatOfferEnded } from '../chats/model/chats.events.js';
import { type How, HOWS } from '../chats/model/handoff.entity.js';
import { OFFER_ENDS } from '../chats/model/chat-offer.entity.js';
import { POOL } from '../platform/database/pool.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { countedGauges } from '../platform/telemetry/counted-gauges.js';
import { type Counter, type Family, type Histogram, Metrics } from '../platform/telemetry/metrics.js';

/** Histogram buckets up to an hour, in seconds. */
const WAIT_BUCKETS_SECONDS = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600];

// Counted at each scrape. Only waiting chats are in ix_chats_waiting, so this is cheap.
const WAITS = `c.status = 'QUEUED' AND c.erased_at IS NULL AND ${sqlIsOfExisting('c')}`;
const COUNT = `
  SELECT
    (SELECT count(*)::float8 FROM chats c WHERE ${WAITS}) AS waiting,
    (SELECT COALESCE(extract(epoch FROM now() - min(queued_at)), 0)::float8 FROM chats c WHERE ${WAITS}) AS longest,
    (SELECT count(*)::float8 FROM agents a WHERE ${sqlIsOnline('a')}) AS online,
    (SELECT count(DISTINCT (c.organization_id, c.group_id))::float8 FROM chats c
      WHERE ${WAITS} AND NOT EXISTS (
        SELECT FROM agent_groups m JOIN agents a ON a.organization_id = m.organization_id AND a.id = m.agent_id
        WHERE m.organization_id = c.organization_id AND m.group_id = c.group_id AND ${sqlIsOnline('a')})) AS deserted`;

type Counts = Record<'waiting' | 'longest' | 'online' | 'deserted', number>;

/** Metrics of hand-offs. They have no organization label, because the number of organizations is unbounded. */
@Injectable()
export class HandoffMetrics {
  private readonly offers: Family<Counter>;
  private readonly waits: Family<Histogram>;
  private readonly unanswered: Counter;
  private readonly drift: Counter;

  constructor(@Inject(POOL) pool: Pool, metrics: Metrics) {
    this.offers = metrics.counters('parley_offers_total');
    for (const reason of OFFER_ENDS) this.offers(reason);
    this.waits = metrics.histograms('parley_assignment_wait_seconds', WAIT_BUCKETS_SECONDS);
    for (const how of HOWS) this.waits(how);
    this.unanswered = metrics.counter('parley_handoffs_unanswered_total');
    this.drift = metrics.counter('parley_agent_load_corrections_total');
    const read = countedGauges<Counts>(pool, metrics, 'handoffs', COUNT);
    metrics.gauge('parley_chats_waiting', read('waiting'));
    metrics.gauge('parley_chats_waiting_oldest_seconds', read('longest'));
    metrics.gauge('parley_agents_online', read('online'));
    metrics.gauge('parley_groups_without_agents', read('deserted'));
  }

  @OnDomainEvent('chatOffer.ended')
  onOfferEnded({ reason }: ChatOfferEnded): void {
    this.offers(reason).add();
  }

  onAssigned(how: How, waitedMs: number): void {
    this.waits(how).observe(waitedMs / 1000);
  }

  onUnanswered(): void {
    this.unanswered.add();
  }

  onCorrected(): void {
    this.drift.add();
  }
}
