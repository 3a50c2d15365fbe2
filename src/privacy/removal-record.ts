import { Injectable } from '@nestjs/common';
import { AuditService } from '../auth/audit/audit.service.js';
import { systemContext } from '../auth/context/request-context.js';
import { type Counter, type Family, Metrics } from '../platform/telemetry/metrics.js';

const KINDS = ['chats', 'messages', 'visitors'] as const;

/** The number of rows that a run has removed, or emptied. */
export type RemovedRows = Record<(typeof KINDS)[number], number>;

export const noRows = (): RemovedRows => ({ chats: 0, messages: 0, visitors: 0 });

/** Records what runs of retention removed: in the audit log of the organization, one entry for each run, and in a metric. */
@Injectable()
export class RemovalRecord {
  private readonly removed: Family<Counter>;

  constructor(
    private readonly audit: AuditService,
    metrics: Metrics,
  ) {
    this.removed = metrics.counters('parley_retention_removed_total');
    for (const kind of KINDS) this.removed(kind);
  }

  /** Does nothing if no row was removed. */
  async add(
    organizationId: string,
    action: 'retention.removed' | 'anonymous.removed',
    rows: RemovedRows,
  ): Promise<void> {
    const kinds = KINDS.filter((kind) => rows[kind] > 0);
    if (kinds.length === 0) return;
    for (const kind of kinds) this.removed(kind).add(rows[kind]);
    const changes = kinds.map((kind) => ({ field: kind, from: null, to: rows[kind] }));
    await this.audit.record(systemContext(organizationId), { action, target: organizationId, changes });
  }
}
