import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type LaneKey, laneKeyOf, parseLane } from '../receivers/lane.js';
import type { DeliveriesQueued } from '../receivers/deliveries.events.js';
import { ALL_NODES, OtherNodes } from '../platform/cluster/other-nodes.js';
import { OnDomainEvent } from '../platform/database/domain-events.js';
import { ActivePolls } from './active-polls.js';

/** How long hints to other nodes are collected, so that one hint names all lanes of that time. */
const COLLECT_MS = 5;

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** Events for bots were queued in these lanes. */
    'events.queued': { lanes: LaneKey[] };
  }
}

/** Wakes waiting polls, on this node and on others. A lost hint delays a poll until its state is next read. */
@Injectable()
export class PullListener implements OnModuleDestroy {
  private readonly keys = new Set<LaneKey>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly polls: ActivePolls,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('events.queued', ({ lanes }) => polls.wake(lanes.map(parseLane)));
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  @OnDomainEvent('deliveries.queued')
  onDeliveriesQueued(queued: DeliveriesQueued): void {
    const lanes = queued.lanes.filter(({ kind }) => kind === 'SUBSCRIPTION');
    if (lanes.length === 0) return;
    this.polls.wake(lanes);
    for (const lane of lanes) this.keys.add(laneKeyOf(lane));
    this.timer ??= setTimeout(() => this.publish(), COLLECT_MS);
  }

  private publish(): void {
    this.timer = undefined;
    this.nodes.publish(ALL_NODES, 'events.queued', { lanes: [...this.keys] });
    this.keys.clear();
  }
}
