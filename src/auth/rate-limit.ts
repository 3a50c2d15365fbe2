import { Injectable } from '@nestjs/common';
import { crc32 } from 'node:zlib';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Counter, type Family, Metrics } from '../platform/telemetry/metrics.js';
import { Problem } from '../platform/http/problem.js';
import { ALL_NODES, OtherNodes } from '../platform/cluster/other-nodes.js';

/** A node tells the others each time it has let through this part of a limit. */
const PART_TOLD = 1 / 20;

/** Keys that are counted one by one in a window, and those that all others share: about 50 MB at most. */
const MAX_KEYS = 100_000;
const SHARED_KEYS = 1_024;

/** Requests that another node let through. */
export interface RateSpent {
  limit: string;
  key: string;
  points: number;
}

declare module '../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    'rate.spent': RateSpent;
  }
}

/** Counts per key and window of time. */
class RateLimit implements Limit {
  private readonly limiter: RateLimiterMemory;
  private readonly step: number;
  private newKeys = 0;
  private windowEnds = 0;

  constructor(
    private readonly points: number,
    private readonly seconds: number,
    private readonly refused: Counter,
    private readonly publish: (key: string, points: number) => void,
  ) {
    this.limiter = new RateLimiterMemory({ points, duration: seconds });
    this.step = Math.max(1, Math.floor(points * PART_TOLD));
  }

  async spend(key: string): Promise<void> {
    const { consumedPoints } = await this.limiter.consume(await this.bounded(key)).catch((left: RateLimiterRes) => {
      throw this.refuse(left);
    });
    // What others tell comes in whole steps: so these are the requests of this node alone.
    if (consumedPoints % this.step === 0) this.publish(key, this.step);
    if (consumedPoints === 1) this.newKeys++;
  }

  async check(key: string): Promise<void> {
    const left = await this.limiter.get(await this.bounded(key));
    if (left && left.consumedPoints >= this.points && left.msBeforeNext > 0) throw this.refuse(left);
  }

  note(key: string): void {
    void this.spend(key).catch(() => undefined);
  }

  add(key: string, points: number): void {
    void this.limiter.penalty(key, points);
  }

  // Beyond a number of keys in a window new ones share some: who comes from many addresses costs no more memory.
  private bounded(key: string): string | Promise<string> {
    const now = Date.now();
    if (now > this.windowEnds) {
      this.windowEnds = now + this.seconds * 1000;
      this.newKeys = 0;
    }
    return this.newKeys < MAX_KEYS ? key : this.shared(key);
  }

  private async shared(key: string): Promise<string> {
    const isKnown = (await this.limiter.get(key)) !== null;
    return isKnown ? key : `shared ${crc32(key) % SHARED_KEYS}`;
  }

  private refuse(left: RateLimiterRes): Problem {
    this.refused.add();
    const seconds = Math.ceil(left.msBeforeNext / 1000) || 1;
    return new Problem('rate_limited', 'Too many requests', undefined, seconds);
  }
}

/** What limits somebody's requests. */
export interface Limit {
  /** Counts one. @throws Problem rate_limited with the seconds to wait */
  spend(key: string): Promise<void>;
  /** Counts nothing. @throws Problem rate_limited when there is nothing left to spend */
  check(key: string): Promise<void>;
  /** Counts one, and lets it pass. */
  note(key: string): void;
}

const nothing = () => Promise.resolve();
const NO_LIMIT: Limit = { spend: nothing, check: nothing, note: nothing };

/**
 * The limits of this node, which all nodes count towards: each decides at once by what it has heard, so that no request
 * waits for Redis, and several that are asked in the same moment may let through a little more together (5 % of the
 * limit each). Without Redis each counts for itself.
 */
@Injectable()
export class RateLimits {
  private readonly limits = new Map<string, RateLimit>();

  private readonly refused: Family<Counter>;

  constructor(
    private readonly nodes: OtherNodes,
    metrics: Metrics,
  ) {
    const help = 'Requests, sessions and socket events that were refused because there were too many, by limit';
    this.refused = metrics.counters('parley_rate_limited_total', help, ['limit']);
    nodes.on('rate.spent', ({ limit, key, points }) => this.limits.get(limit)?.add(key, points));
  }

  /** Counts what another kind of limit refuses. */
  refusals(name: string): Counter {
    return this.refused(name);
  }

  /**
   * @param name the same on every node
   * @param points what may be spent in the window; 0 lets everything pass
   * @param seconds the window
   */
  make(name: string, points: number, seconds = 1): Limit {
    const refused = this.refused(name);
    if (points === 0) return NO_LIMIT;
    const publish = (key: string, spent: number) =>
      this.nodes.publish(ALL_NODES, 'rate.spent', { limit: name, key, points: spent });
    const limit = new RateLimit(points, seconds, refused, publish);
    this.limits.set(name, limit);
    return limit;
  }
}
