import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type LaneKey, laneKeyOf, parseLane } from '../outbox/lane.js';
import type { DeliveriesQueued } from '../outbox/outbox.events.js';
import { ALL_NODES, OtherNodes } from '../platform/cluster/other-nodes.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { WaitingCalls } from './waiting-calls.js';

/** Milliseconds for which hints to other nodes are collected: one tells of all lanes of that time. */
const COLLECTING = 5;

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** Events wait for bots, in these lanes. */
    'events.queued': { lanes: LaneKey[] };
  }
}

/** Wakes the calls that wait, here and on other nodes; a lost hint delays them until their next look. */
@Injectable()
export class PullListener implements OnModuleDestroy {
  private readonly keys = new Set<LaneKey>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly calls: WaitingCalls,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('events.queued', ({ lanes }) => calls.wake(lanes.map(parseLane)));
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  @OnDomainEvent('deliveries.queued')
  onDeliveriesQueued(queued: DeliveriesQueued): void {
    const lanes = queued.lanes.filter(({ kind }) => kind === 'SUBSCRIPTION');
    if (lanes.length === 0) return;
    this.calls.wake(lanes);
    for (const lane of lanes) this.keys.add(laneKeyOf(lane));
    this.timer ??= setTimeout(() => this.publish(), COLLECTING);
  }

  private publish(): void {
    this.timer = undefined;
    this.nodes.publish(ALL_NODES, 'events.queued', { lanes: [...this.keys] });
    this.keys.clear();
  }
}
