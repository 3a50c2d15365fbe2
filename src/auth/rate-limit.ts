import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Count, type Family, Meters } from '../common/meters.js';
import { Problem } from '../common/problem.js';
import { EVERYBODY, OtherNodes } from '../nodes/other-nodes.js';

/** A node tells the others each time it has let through this part of a limit. */
const PART_TOLD = 1 / 20;

/** Requests that another node let through. */
export interface RateSpent {
  limit: string;
  key: string;
  points: number;
}

declare module '../nodes/other-nodes.js' {
  interface NodeFacts {
    'rate.spent': RateSpent;
  }
}

/** Counts per key and second. */
class RateLimit {
  private readonly limiter: RateLimiterMemory;
  private readonly step: number;

  constructor(
    perSecond: number,
    private readonly refused: Count,
    private readonly tell: (key: string, points: number) => void,
  ) {
    this.limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
    this.step = Math.max(1, Math.floor(perSecond * PART_TOLD));
  }

  /** @throws Problem rate_limited with the seconds to wait */
  async spend(key: string): Promise<void> {
    const { consumedPoints } = await this.limiter.consume(key).catch((left: RateLimiterRes) => {
      this.refused.add();
      throw new Problem('rate_limited', 'Too many requests', undefined, Math.ceil(left.msBeforeNext / 1000) || 1);
    });
    // What others tell comes in whole steps: so these are the requests of this node alone.
    if (consumedPoints % this.step === 0) this.tell(key, this.step);
  }

  add(key: string, points: number): void {
    void this.limiter.penalty(key, points);
  }
}

/** What limits somebody's requests. */
export interface Limit {
  /** @throws Problem rate_limited with the seconds to wait */
  spend(key: string): Promise<void>;
}

const NO_LIMIT: Limit = { spend: () => Promise.resolve() };

/**
 * The limits of this node, which all nodes count towards: each decides at once by what it has heard, so that no request
 * waits for Redis, and several that are asked in the same moment may let through a little more together (5 % of the
 * limit each). Without Redis each counts for itself.
 */
@Injectable()
export class RateLimits {
  private readonly limits = new Map<string, RateLimit>();

  private readonly refused: Family<Count>;

  constructor(
    private readonly nodes: OtherNodes,
    meters: Meters,
  ) {
    const help = 'Requests, sessions and socket events that were refused because there were too many, by limit';
    this.refused = meters.counters('parley_rate_limited_total', help, ['limit']);
    nodes.on('rate.spent', ({ limit, key, points }) => this.limits.get(limit)?.add(key, points));
  }

  /** @param name the same on every node; `perSecond` 0 lets everything pass */
  make(name: string, perSecond: number): Limit {
    const refused = this.refused(name);
    if (perSecond === 0) return NO_LIMIT;
    const tell = (key: string, points: number) =>
      this.nodes.tell(EVERYBODY, 'rate.spent', { limit: name, key, points });
    const limit = new RateLimit(perSecond, refused, tell);
    this.limits.set(name, limit);
    return limit;
  }
}
