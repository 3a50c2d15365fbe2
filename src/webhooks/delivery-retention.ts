import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config.js';
import { idAt } from '../platform/lib/ids.js';
import { isDistributed } from '../platform/database/citus/per-organization.js';
import { POOL } from '../platform/database/pool.js';
import { PeriodicJob } from '../platform/lib/periodic-job.js';

/** The time between two removals of old deliveries, in milliseconds, and the most that one statement removes. */
const INTERVAL_MS = 10 * 60 * 1000;
const BATCH = 500;
/** Days that dead deliveries are kept, and waiting deliveries of a disabled receiver. */
const MAX_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

// Finds the receivers that have deliveries by a loose index scan of the primary key.
const FIND_LANES = `
  WITH RECURSIVE lane AS (
    (SELECT organization_id, receiver_id FROM deliveries ORDER BY organization_id, receiver_id LIMIT 1)
    UNION ALL
    SELECT next.organization_id, next.receiver_id FROM lane CROSS JOIN LATERAL (
      SELECT d.organization_id, d.receiver_id FROM deliveries d
      WHERE (d.organization_id, d.receiver_id) > (lane.organization_id, lane.receiver_id)
      ORDER BY d.organization_id, d.receiver_id LIMIT 1) next
  )
  SELECT l.organization_id AS "organizationId", l.receiver_id AS "receiverId", r.id IS NULL AS "isOrphan",
    COALESCE(NOT r.is_enabled, false) AS "isDisabled"
  FROM lane l LEFT JOIN receivers r ON r.organization_id = l.organization_id AND r.id = l.receiver_id`;

// On a Citus cluster, each shard reads the receivers of its deliveries.
const FIND_LANES_OF_SHARDS = `
  SELECT l.organization_id AS "organizationId", l.receiver_id AS "receiverId", r.id IS NULL AS "isOrphan",
    COALESCE(NOT r.is_enabled, false) AS "isDisabled"
  FROM (SELECT DISTINCT organization_id, receiver_id FROM deliveries) l
  LEFT JOIN receivers r ON r.organization_id = l.organization_id AND r.id = l.receiver_id`;

// Removes the oldest first. Ids sort by time, so the scan ends at the first id that is too new. Selects by id and not by ctid, so that
// it waits for a row that is being changed and checks it again.
const IS_OLD = `
  ($3 OR (outcome = 'delivered' AND created_at < $4) OR (created_at < $5 AND (outcome = 'dead' OR $6)))`;
const REMOVE = `
  DELETE FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND ${IS_OLD} AND id = ANY (ARRAY(
    SELECT id FROM deliveries WHERE organization_id = $1 AND receiver_id = $2 AND ${IS_OLD} AND ($3 OR id < $7)
    ORDER BY id LIMIT ${BATCH}))`;

interface LaneRow {
  organizationId: string;
  receiverId: string;
  isOrphan: boolean;
  isDisabled: boolean;
}

/** Removes deliveries that were delivered or given up long enough ago, and all deliveries of deleted receivers. */
@Injectable()
export class DeliveryRetention implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryRetention.name);
  private readonly job = new PeriodicJob((now) => this.pass(now), INTERVAL_MS);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.stop();
  }

  /** Runs one pass. Concurrent calls run one after the other. */
  run(now?: Date): Promise<void> {
    return this.job.run(now);
  }

  private async pass(now: Date): Promise<void> {
    if (this.config.DRILL) return;
    const find = isDistributed(this.pool) ? FIND_LANES_OF_SHARDS : FIND_LANES;
    const lanes = await this.pool.query<LaneRow>(find).catch((err: unknown) => this.warn(err));
    for (const lane of lanes?.rows ?? []) await this.removeOld(lane, now).catch((err: unknown) => this.warn(err));
  }

  private warn(err: unknown): void {
    this.logger.warn({ err }, 'could not remove old deliveries');
  }

  private async removeOld({ organizationId, receiverId, isOrphan, isDisabled }: LaneRow, now: Date): Promise<void> {
    const deliveredBefore = new Date(now.getTime() - this.config.WEBHOOK_RETENTION_DAYS * DAY_MS);
    const othersBefore = new Date(now.getTime() - MAX_DAYS * DAY_MS);
    const newestCutoff = deliveredBefore > othersBefore ? deliveredBefore : othersBefore;
    const values = [
      organizationId,
      receiverId,
      isOrphan,
      deliveredBefore,
      othersBefore,
      isDisabled,
      idAt('dlv', newestCutoff),
    ];
    for (let removed = BATCH; removed === BATCH && !this.job.isStopped;) {
      removed = (await this.pool.query(REMOVE, values)).rowCount ?? 0;
    }
  }
}
