import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../../platform/database/pool.js';
import { foldText } from '../../platform/locale/fold.js';
import { isStorable } from '../../platform/lib/json.js';
import { FairQueue } from '../../platform/lib/fair-queue.js';
import { Problem } from '../../platform/errors/problem.js';
import { sha256 } from '../../platform/lib/secrets.js';
import { type Counter } from '../../platform/telemetry/metrics.js';
import { addressKey, networkOf } from '../limits/address.js';
import { type Limit, RateLimits } from '../limits/rate-limit.js';
import {
  countFailure,
  findBlock,
  resetFailures,
  isKnownNetwork,
  type SignInAttempt,
} from './sign-in-failures.queries.js';

/** The allowed failures of an email address from one network, and from everywhere (CONTRACT section 7). */
const MAX_EMAIL_FAILURES = { ofNetwork: 10, ofAll: 100 };
/** The allowed failures of one source address in a window, and the window in seconds. */
const MAX_ADDRESS_FAILURES = 30;
const ADDRESS_WINDOW_SECONDS = 60;
/** How long a network is known after a sign-in from it, in milliseconds. */
const KNOWN_NETWORK_MS = 30 * 24 * 60 * 60 * 1000;

/** How many attempts are looked up in parallel, so that a flood of them leaves database connections to other work. */
const CONCURRENT_LOOKUPS = 2;

/**
 * Slows down guessing of passwords and links (CONTRACT section 7): per source address, per email address and source network,
 * and per email address from everywhere. A refused attempt costs no hash.
 */
@Injectable()
export class SignInThrottle {
  private readonly logger = new Logger(SignInThrottle.name);
  private readonly ofAddress: Limit;
  private readonly rejected: Counter;
  private readonly lookups = new FairQueue(CONCURRENT_LOOKUPS);

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    limits: RateLimits,
  ) {
    this.ofAddress = limits.make('sign_in_failures', MAX_ADDRESS_FAILURES, ADDRESS_WINDOW_SECONDS);
    this.rejected = limits.rejectionCounter('sign_in_email');
  }

  /** @param address the source address @throws Problem rate_limited */
  checkAddress(address: string): Promise<void> {
    return this.ofAddress.check(addressKey(address));
  }

  /** Counts a failure. @param address the source address @throws Problem rate_limited beyond the limit */
  async spendAddress(address: string): Promise<void> {
    await this.ofAddress.spend(addressKey(address));
  }

  /** Whether the agent has signed in from the network before. @throws Problem unavailable if too many lookups wait */
  isKnown(attempt: SignInAttempt): Promise<boolean> {
    return this.lookups.run(attempt.network, () => isKnownNetwork(this.pool, attempt, knownSince(new Date())));
  }

  /** @throws Problem rate_limited with the seconds to wait, even if the password is correct */
  async checkEmail(attempt: SignInAttempt): Promise<void> {
    const now = new Date();
    const until = await findBlock(this.pool, attempt, now, knownSince(now));
    if (until === null) return;
    this.rejected.add();
    const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
    throw new Problem('rate_limited', 'Too many failed sign-in attempts for this email address', undefined, seconds);
  }

  /** Counts a failure for both the email and the source address. @returns whether the email address is blocked now */
  async count(attempt: SignInAttempt, address: string): Promise<boolean> {
    this.ofAddress.count(addressKey(address));
    return countFailure(this.pool, attempt, new Date(), MAX_EMAIL_FAILURES);
  }

  /**
   * Resets the failures of an agent's email address, once the agent has signed in. If that fails, they count until their window ends.
   * @param address only from this source; null: from everywhere
   */
  async reset(
    organizationId: string,
    agent: { agentId: string; emailKey: string },
    address: string | null,
  ): Promise<void> {
    const { emailKey, agentId } = agent;
    const key = { emailKey, emailHash: sha256(emailKey) };
    const network = address === null ? null : networkKey(address);
    await resetFailures(this.pool, key, network, { organizationId, agentId }).catch((err: unknown) =>
      this.logger.warn({ err }, 'could not reset failures to sign in'),
    );
  }
}

/** The keys that an attempt is counted under. @param email in any case @param address the source address */
export function attemptOf(email: string, address: string): SignInAttempt {
  const key = foldText(email);
  // PostgreSQL can't store some texts, so no agent has such an address.
  return { emailKey: isStorable(key) ? key : '', emailHash: sha256(key), network: networkKey(address) };
}

function knownSince(now: Date): Date {
  return new Date(now.getTime() - KNOWN_NETWORK_MS);
}

// A closed connection has no address, and the empty network stands for everywhere.
function networkKey(address: string): string {
  return networkOf(address) || 'unknown';
}
