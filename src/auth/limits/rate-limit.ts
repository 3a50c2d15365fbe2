import { Injectable } from '@nestjs/common';
import { crc32 } from 'node:zlib';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Counter, type Family, Metrics } from '../../platform/telemetry/metrics.js';
import { Problem } from '../../platform/errors/problem.js';
import { ALL_NODES, OtherNodes } from '../../platform/cluster/other-nodes.js';

/** A node publishes whenever it has allowed this share of a limit. */
const PUBLISH_SHARE = 1 / 20;

/** The most keys with their own count in a window, and the number of counts that all other keys share (50 MB). */
const MAX_KEYS = 100_000;
const SHARED_KEYS = 1_024;

/** Requests that another node allowed. */
export interface RateSpent {
  limit: string;
  key: string;
  points: number;
}

declare module '../../platform/cluster/other-nodes.js' {
  interface NodeFacts {
    'rate.spent': RateSpent;
  }
}

/** Counts requests per key and window of time. */
class RateLimit implements Limit {
  readonly policy: Policy;
  private readonly limiter: RateLimiterMemory;
  private readonly step: number;
  private newKeys = 0;
  private windowEnds = 0;

  constructor(
    private readonly name: string,
    private readonly points: number,
    private readonly seconds: number,
    private readonly rejected: Counter,
    private readonly publish: (key: string, points: number) => void,
  ) {
    this.policy = { name, points, seconds };
    this.limiter = new RateLimiterMemory({ points, duration: seconds });
    this.step = Math.max(1, Math.floor(points * PUBLISH_SHARE));
  }

  async spend(key: string): Promise<Left> {
    const counted = await this.bounded(key);
    const { consumedPoints, remainingPoints, msBeforeNext } = await this.limiter
      .consume(counted)
      .catch((left: RateLimiterRes) => {
        throw this.reject(left);
      });
    // Other nodes add whole steps only, so the remainder counts the requests of this node alone.
    if (consumedPoints % this.step === 0) this.publish(counted, this.step);
    if (consumedPoints === 1) this.newKeys++;
    return { remaining: remainingPoints, seconds: secondsOf(msBeforeNext) };
  }

  async check(key: string): Promise<void> {
    const left = await this.limiter.get(await this.bounded(key));
    if (left && left.consumedPoints >= this.points && left.msBeforeNext > 0) throw this.reject(left);
  }

  count(key: string): void {
    void this.spend(key).catch(() => undefined);
  }

  /** Counts what another node allowed. */
  async add(key: string, points: number): Promise<void> {
    const { consumedPoints } = await this.limiter.penalty(await this.bounded(key), points);
    if (consumedPoints === points) this.newKeys++;
  }

  // Beyond MAX_KEYS keys in a window, new keys share counts, so that a client with many addresses can't fill the memory.
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

  private reject(left: RateLimiterRes): Problem {
    this.rejected.add();
    const seconds = secondsOf(left.msBeforeNext);
    const limit = `${this.points} ${this.points === 1 ? 'request' : 'requests'} in ${this.seconds} s`;
    const detail = `Too many requests: the limit ${this.name} is ${limit}; retry in ${seconds} s`;
    return new Problem('rate_limited', detail, undefined, seconds);
  }
}

function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000) || 1;
}

/** What a limit allows: so many requests in so many seconds. */
export interface Policy {
  name: string;
  points: number;
  seconds: number;
}

/** What is left of a window, and the seconds until the next one. */
export interface Left {
  remaining: number;
  seconds: number;
}

/** Limits requests by key. */
export interface Limit {
  /** Null when the limit is off. */
  readonly policy: Policy | null;
  /** Counts one request. Returns null when the limit is off. @throws Problem rate_limited with the seconds to wait */
  spend(key: string): Promise<Left | null>;
  /** Checks without counting. @throws Problem rate_limited when nothing is left to spend */
  check(key: string): Promise<void>;
  /** Counts one request and never throws. */
  count(key: string): void;
}

const pass = () => Promise.resolve();
const UNLIMITED: Limit = { policy: null, spend: () => Promise.resolve(null), check: pass, count: pass };

/**
 * The rate limits, which count the requests of all nodes. A node decides from its own counts and the hints it has received, so
 * that no request waits for Redis. Nodes together may therefore exceed a limit slightly, by 5 % per node. Without Redis, each
 * node counts alone.
 */
@Injectable()
export class RateLimits {
  private readonly limits = new Map<string, RateLimit>();

  private readonly rejected: Family<Counter>;

  constructor(
    private readonly nodes: OtherNodes,
    metrics: Metrics,
  ) {
    this.rejected = metrics.counters('parley_rate_limited_total');
    nodes.on('rate.spent', ({ limit, key, points }) => this.limits.get(limit)?.add(key, points));
  }

  /** Returns the refusal counter of a limit that another class checks, such as `StorageQuota`. */
  rejectionCounter(name: string): Counter {
    return this.rejected(name);
  }

  /**
   * @param name the same name on every node
   * @param points the requests allowed in a window; 0 = unlimited
   * @param seconds the length of the window
   */
  make(name: string, points: number, seconds = 1): Limit {
    const refused = this.rejected(name);
    if (points === 0) return UNLIMITED;
    const publish = (key: string, spent: number) =>
      this.nodes.publish(ALL_NODES, 'rate.spent', { limit: name, key, points: spent });
    const limit = new RateLimit(name, points, seconds, refused, publish);
    this.limits.set(name, limit);
    return limit;
  }
}
