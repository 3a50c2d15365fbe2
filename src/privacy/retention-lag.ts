import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/telemetry/metrics.js';

/** How far retention lags behind: the time since the oldest chats that a pass must still remove became due. */
@Injectable()
export class RetentionLag {
  /** In seconds, of the organizations that aren't done. A pass that failed or was stopped leaves its values, and so does an organization that failed. */
  private readonly seconds = new Map<string, number>();

  constructor(metrics: Metrics) {
    metrics.gauge('parley_retention_behind_seconds', () => Math.max(0, ...this.seconds.values()));
  }

  /** Called with each page of chats before they're removed. Chats come in the order of their beginning. */
  onPage(organizationId: string, chats: readonly { isOver: boolean; overdueSeconds: number }[]): void {
    const overdue = chats.filter(({ isOver }) => isOver).map(({ overdueSeconds }) => overdueSeconds);
    if (overdue.length > 0) this.seconds.set(organizationId, Math.max(...overdue));
    else this.seconds.delete(organizationId);
  }

  /** Called when a pass over all organizations has ended. */
  onEnd(failed: ReadonlySet<string>): void {
    for (const id of this.seconds.keys()) if (!failed.has(id)) this.seconds.delete(id);
  }
}
