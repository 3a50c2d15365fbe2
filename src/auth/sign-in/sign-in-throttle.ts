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
import { type Candidate, type Candidates, findCandidates, hasOneOrganization } from './candidates.queries.js';
import {
  type Block,
  countFailure,
  countSuccess,
  EVERYWHERE,
  findBlocks,
  findForgiven,
  forgive,
  type Forgiven,
  type SignInAttempt,
} from './sign-in-failures.queries.js';

/** The allowed failures of an email address from one network, and from everywhere (CONTRACT: Signing in). */
const MAX_EMAIL_FAILURES = { ofNetwork: 10, ofAll: 100 };
/** The allowed failures of one source address in a window, and the window in seconds. */
const MAX_ADDRESS_FAILURES = 30;
const ADDRESS_WINDOW_SECONDS = 60;
/** How long a network is known after a sign-in from it, in milliseconds. */
const KNOWN_NETWORK_MS = 30 * 24 * 60 * 60 * 1000;

/** How many attempts are looked up in parallel, so that a flood of them leaves database connections to other work. */
const CONCURRENT_LOOKUPS = 2;

/** An agent, and whether they signed in from the attempt's network before. */
interface ThrottledAgent {
  organizationId: string;
  agentId: string;
  isKnown: boolean;
}

/** The agents that an attempt may try. */
interface Allowed<A> {
  agents: A[];
  /** Throws rate_limited if the address is blocked for agents who haven't signed in since. For a wrong password. */
  check: () => void;
}

/**
 * Slows down guessing of passwords and links (CONTRACT: Signing in): per source address, per email address and source network,
 * and per email address from everywhere. A refused attempt costs no hash.
 *
 * Every organization can have agents with an email address. So failures are counted under the address, even if no agent has it, and
 * nothing resets them. A sign-in resets the count for its own agent only (`forgiven_failures`). The answer to a wrong password depends on
 * the address's failures alone, so it reveals nothing about its agents.
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

  /**
   * The agents whom an attempt may mean, and where they are known.
   * @param organizationId searches this organization only
   * @throws Problem unavailable if too many lookups wait
   */
  findCandidates({ emailKey, network }: SignInAttempt, organizationId?: string): Promise<Candidates> {
    const wanted = { emailKey, network, knownSince: new Date(Date.now() - KNOWN_NETWORK_MS), organizationId };
    return this.lookups.run(network, () => findCandidates(this.pool, wanted));
  }

  /**
   * The agents who aren't blocked.
   * @throws Problem rate_limited with the seconds to wait, if the address is blocked and none is left, even if the password is correct
   */
  async checkEmail<A extends ThrottledAgent>(attempt: SignInAttempt, agents: readonly A[]): Promise<Allowed<A>> {
    const now = new Date();
    const blocks = await findBlocks(this.pool, attempt, now);
    const check = () => this.rejectBlocked(blocks, now);
    if (blocks.length === 0) return { agents: [...agents], check };
    const forgiven = await findForgiven(this.pool, agents, attempt.network);
    const left = agents.filter((agent) => !blocks.some((block) => isBlocked(agent, block, forgiven)));
    if (left.length === 0) check();
    return { agents: left, check };
  }

  /** Counts a failure for both the email and the source address. @returns whether the email address is blocked now */
  async count(attempt: SignInAttempt, address: string): Promise<boolean> {
    this.ofAddress.count(addressKey(address));
    return countFailure(this.pool, attempt, new Date(), MAX_EMAIL_FAILURES);
  }

  /** Counts a right password for `agents`, and a wrong one for all others with the address. @param isOfOne whether no other was tried */
  async countSuccess(attempt: SignInAttempt, agents: readonly ThrottledAgent[], isOfOne: boolean): Promise<void> {
    if (!isOfOne) await countSuccess(this.pool, attempt, agents, new Date(), MAX_EMAIL_FAILURES);
    else for (const agent of agents) await forgive(this.pool, attempt.emailHash, agent, [attempt.network]);
  }

  /**
   * Forgives the failures of an agent who has used a link, from the link's network and from everywhere. If that fails, they count until
   * their window ends.
   */
  async forgive(organizationId: string, agent: { agentId: string; emailKey: string }, address: string): Promise<void> {
    const networks = [networkKey(address), EVERYWHERE];
    const { agentId, emailKey } = agent;
    await forgive(this.pool, sha256(emailKey), { organizationId, agentId }, networks).catch((err: unknown) =>
      this.logger.warn({ err }, 'could not reset failures to sign in'),
    );
  }

  /**
   * The agents whose audit log has a failure. Without an organization, a failure may mean any agent with the address. Then it's recorded
   * only for the one agent who is known on the network, or if there's no other organization. So no organization learns of sign-ins to
   * another one, or of its agents.
   */
  async findMeant(candidates: readonly Candidate[], isOfOne: boolean): Promise<readonly Candidate[]> {
    if (isOfOne || (await hasOneOrganization(this.pool))) return candidates;
    const known = candidates.filter(({ isKnown }) => isKnown);
    return known.length === 1 ? known : [];
  }

  private rejectBlocked(blocks: readonly Block[], now: Date): void {
    if (blocks.length === 0) return;
    this.rejected.add();
    const until = Math.max(...blocks.map((block) => block.until.getTime()));
    const seconds = Math.ceil((until - now.getTime()) / 1000);
    throw new Problem('rate_limited', 'Too many failed sign-in attempts for this email address', undefined, seconds);
  }
}

function isBlocked(agent: ThrottledAgent, block: Block, forgiven: readonly Forgiven[]): boolean {
  const isEverywhere = block.network === EVERYWHERE;
  if (isEverywhere && agent.isKnown) return false;
  const own = forgiven.find(
    (one) =>
      one.organizationId === agent.organizationId &&
      one.agentId === agent.agentId &&
      one.network === block.network &&
      one.windowBeganAt.getTime() === block.windowBeganAt.getTime(),
  );
  const { ofNetwork, ofAll } = MAX_EMAIL_FAILURES;
  return block.failures - (own?.failures ?? 0) > (isEverywhere ? ofAll : ofNetwork);
}

/** The keys that an attempt is counted under. @param email in any case @param address the source address */
export function attemptOf(email: string, address: string): SignInAttempt {
  const key = foldText(email);
  // PostgreSQL can't store some texts, so no agent has such an address.
  return { emailKey: isStorable(key) ? key : '', emailHash: sha256(key), network: networkKey(address) };
}

// A closed connection has no address, and the empty network stands for everywhere.
function networkKey(address: string): string {
  return networkOf(address) || 'unknown';
}
