import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../common/problem.js';

/** Counts per key and second; `perSecond` 0 lets everything pass. */
export class RateLimit {
  private readonly limiter?: RateLimiterMemory;

  constructor(perSecond: number) {
    if (perSecond > 0) this.limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  }

  /** @throws Problem rate_limited with the seconds to wait */
  async spend(key: string): Promise<void> {
    await this.limiter?.consume(key).catch((left: RateLimiterRes) => {
      throw new Problem('rate_limited', 'Too many requests', undefined, Math.ceil(left.msBeforeNext / 1000) || 1);
    });
  }
}
