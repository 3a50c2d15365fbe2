import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { VisitorFeed } from '../../live/feeds/visitor-feed.js';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';

/** How long other nodes have to answer, in milliseconds. */
const ANSWER_MS = 500;

interface WantedVisitor {
  organizationId: string;
  visitorId: string;
}

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    'visitor.wanted': WantedVisitor;
    'visitor.found': WantedVisitor;
  }
}

/** Knows whether a visitor has an open socket on any node. */
@Injectable()
export class VisitorPresence {
  /** Who waits for a visitor. Several mails to one visitor may wait at the same time. */
  private readonly waiting = new Set<{ visitorId: string; find: () => void }>();

  constructor(
    private readonly feed: VisitorFeed,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('visitor.wanted', (visitor) => {
      if (this.isHere(visitor)) nodes.publish(ALL_NODES, 'visitor.found', visitor);
    });
    nodes.on('visitor.found', ({ visitorId }) => {
      for (const waiter of this.waiting) if (waiter.visitorId === visitorId) waiter.find();
    });
  }

  /** Whether the visitor has an open socket. Asks the other nodes too: one that doesn't answer within 500 ms counts as having none. */
  async isOnline(organizationId: string, visitorId: string): Promise<boolean> {
    const visitor = { organizationId, visitorId };
    if (this.isHere(visitor)) return true;
    if (this.nodes.redis === null) return false;
    const waiter = { visitorId, find: () => {} };
    const found = new Promise<true>((resolve) => (waiter.find = () => resolve(true)));
    this.waiting.add(waiter);
    this.nodes.publish(ALL_NODES, 'visitor.wanted', visitor);
    const isFound = await Promise.race([found, sleep(ANSWER_MS, false)]);
    this.waiting.delete(waiter);
    return isFound;
  }

  private isHere({ organizationId, visitorId }: WantedVisitor): boolean {
    return this.feed.hasSocketOf(organizationId, visitorId);
  }
}
