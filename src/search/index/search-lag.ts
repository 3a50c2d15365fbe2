import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/telemetry/metrics.js';

/** How far this node's part of the index is behind. */
@Injectable()
export class SearchLag {
  /** When this node first found the changes of an organization that aren't indexed yet, by `performance.now()`. */
  private readonly since = new Map<string, number>();

  constructor(metrics: Metrics) {
    metrics.gauge('parley_search_behind_seconds', () => {
      const oldest = Math.min(...this.since.values());
      return this.since.size === 0 ? 0 : (performance.now() - oldest) / 1_000;
    });
  }

  /** Called with all organizations that are behind. */
  onFound(organizationIds: readonly string[]): void {
    for (const id of this.since.keys()) if (!organizationIds.includes(id)) this.since.delete(id);
    for (const id of organizationIds) if (!this.since.has(id)) this.since.set(id, performance.now());
  }

  /** Called when the index has every change of an organization, or another node writes it. */
  onDone(organizationId: string): void {
    this.since.delete(organizationId);
  }
}
