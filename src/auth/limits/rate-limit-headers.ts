import type { Response } from 'express';
import { Problem } from '../../platform/errors/problem.js';
import type { Left, Limit, Policy } from './rate-limit.js';

/**
 * Counts a request, and sends its client the RateLimit header fields for HTTP (IETF draft).
 * @throws Problem rate_limited
 */
export async function spendAndReport(limit: Limit, key: string, response: Response): Promise<void> {
  try {
    report(response, limit.policy, await limit.spend(key));
  } catch (error) {
    if (error instanceof Problem)
      report(response, limit.policy, { remaining: 0, seconds: error.retryAfterSeconds ?? 1 });
    throw error;
  }
}

function report(response: Response, policy: Policy | null, left: Left | null): void {
  if (!policy || !left) return;
  response.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.points};w=${policy.seconds}`);
  response.setHeader('RateLimit', `"${policy.name}";r=${left.remaining};t=${left.seconds}`);
}
