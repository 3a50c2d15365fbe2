import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { ALL_NODES, OtherNodes } from '../platform/cluster/other-nodes.js';
import { POOL } from '../platform/database/pool.js';
import { hasSubscriptions } from './subscriptions.queries.js';

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    /** An agent of the organization has a new subscription. */
    'push.subscribed': { organizationId: string };
  }
}

/** How long an answer counts, in milliseconds. */
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 10_000;

interface Known {
  hasAny: Promise<boolean>;
  until: number;
}

/** Knows which organizations have subscriptions, so that a visitor's message costs the others nothing. */
@Injectable()
export class PushRecipients {
  private readonly known = new Map<string, Known>();

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly nodes: OtherNodes,
  ) {
    nodes.on('push.subscribed', ({ organizationId }) => this.known.delete(organizationId));
  }

  /** Whether any agent of the organization has a subscription. May be wrong for 10 s if another node's hint is lost. */
  hasAny(organizationId: string): Promise<boolean> {
    const now = performance.now();
    const known = this.known.get(organizationId);
    if (known && known.until > now) return known.hasAny;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    const hasAny = hasSubscriptions(this.pool, organizationId);
    this.known.set(organizationId, { hasAny, until: now + KNOWN_FOR_MS });
    hasAny.catch(() => this.known.delete(organizationId));
    return hasAny;
  }

  /** The organization has a new subscription. */
  announce(organizationId: string): void {
    this.known.delete(organizationId);
    this.nodes.publish(ALL_NODES, 'push.subscribed', { organizationId });
  }
}
