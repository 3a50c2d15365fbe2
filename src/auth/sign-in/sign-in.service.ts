import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { transaction } from '../../platform/database/transaction.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { Problem } from '../../platform/errors/problem.js';
import { isId } from '../../platform/lib/ids.js';
import { networkOf } from '../limits/address.js';
import { findAccount, lockAccount, type AgentAccount } from '../agents/agent-sessions.queries.js';
import { AgentSessionsService, type NewSession, type SignInSource } from '../agents/agent-sessions.service.js';
import { agentContext } from '../agents/agent-context.js';
import { AuditService } from '../audit/audit.service.js';
import { type Candidate, setPassword } from './candidates.queries.js';
import { PasswordChange } from './password-change.js';
import { saltedPrefixOf } from './password-hash.js';
import { type Hasher, PasswordsService } from './passwords.service.js';
import { SharedEmailCounter } from './shared-email-counter.js';
import type { SignInAttempt } from './sign-in-failures.queries.js';
import { type LinkTarget, redeemLink } from './sign-in-links.queries.js';
import { SignInLinksService } from './sign-in-links.service.js';
import { attemptOf, SignInThrottle } from './sign-in-throttle.js';
import { readToken } from '../context/token-format.js';

/**
 * The most hashes that a password is compared with. Agents with one address share a salt, and so a hash, unless their password was set
 * by an earlier release or under another address. Signing in with it gives them the shared one.
 */
const MAX_HASHES = 5;

/** An email address and a password, in any form. */
export interface PasswordSignIn {
  email: string;
  password: string;
  /** The only organization to try; undefined: all where an agent has the address. */
  organizationId?: string;
}

/** Whom a link signs in. */
export interface LinkAgent {
  name: string;
  email: string;
  organization: { id: string; name: string };
}

/** Signs agents in, with a password or a link (CONTRACT: Signing in). */
@Injectable()
export class SignInService {
  constructor(
    private readonly manager: EntityManager,
    private readonly sessions: AgentSessionsService,
    private readonly links: SignInLinksService,
    private readonly passwords: PasswordsService,
    private readonly change: PasswordChange,
    private readonly throttle: SignInThrottle,
    private readonly audit: AuditService,
    private readonly shared: SharedEmailCounter,
  ) {}

  /**
   * Signs in with a password. `SignInGuard` has checked the address. The throttles are checked again in the turn, right before the
   * hash, so that concurrent attempts can't all pass them. Guesses from elsewhere don't delay agents who sign in from a known network.
   * @throws Problem unauthorized, the same for a wrong address, a wrong password, no password and a disabled agent;
   * organization_required when the password is right in several organizations; rate_limited; unavailable
   */
  async withPassword(given: PasswordSignIn, source: SignInSource): Promise<NewSession> {
    const attempt = attemptOf(given.email, source.address);
    const { organizationId } = given;
    const only = organizationId === undefined || isId(organizationId) ? organizationId : '';
    const { candidates, failure } = await this.throttle.findCandidates(attempt, only);
    const organizationIds = candidates.flatMap((one) => (one.isKnown ? [one.organizationId] : []));
    const client = { network: attempt.network, organizationIds };
    const [agent, upgraded] = await this.passwords.enqueue(client, async (hasher) => {
      await this.throttle.checkAddress(source.address);
      const { agents, check } = await this.throttle.checkEmail(attempt, candidates);
      const right = await this.verify(hasher, given, attempt.emailKey, agents);
      if (right.length === 0 && failure) throw failure;
      if (right.length === 0) {
        await this.fail(attempt, await this.throttle.findMeant(candidates, only !== undefined), source);
        check();
        throw wrongPassword();
      }
      await this.throttle.countSuccess(attempt, right, only !== undefined);
      const [one, ...others] = right;
      if (others.length > 0) throw organizationRequired(right);
      return [one!, await this.upgrade(hasher, given.password, attempt.emailKey, one!)] as const;
    });
    // Not in the turn, because it waits for the agent's row.
    return this.begin(agent, upgraded, source);
  }

  /**
   * Uses a link up. If a password is given, sets it and ends the agent's other sessions. The throttle by address refuses wrong
   * links only.
   * @throws Problem unauthorized if the link is unknown, used, or expired, or its agent is disabled; rate_limited
   */
  async withLink(token: string, password: string | undefined, source: SignInSource): Promise<NewSession> {
    const presented = readToken('prl_lnk_', token);
    const target = presented && (await this.links.find(presented.hash));
    if (!target) return this.rejectLink(source);
    const passwordHash = password === undefined ? null : await this.hash(target, password, source);
    return (await this.redeem(target, presented.hash, passwordHash, source)) ?? this.rejectLink(source);
  }

  private async hash({ organizationId, agentId }: LinkTarget, password: string, source: SignInSource): Promise<string> {
    const agent = await findAccount(this.manager, organizationId, agentId);
    const client = { network: networkOf(source.address), organizationIds: [organizationId] };
    return this.passwords.enqueue(client, (hasher) => hasher.hash(agent?.emailKey ?? '', password));
  }

  /** The agent whom a link signs in. It isn't used up. @throws Problem the same as `withLink` */
  async findLinkAgent(token: string, source: Pick<SignInSource, 'address'>): Promise<LinkAgent> {
    const presented = readToken('prl_lnk_', token);
    const target = presented && (await this.links.find(presented.hash));
    const agent = target && (await findAccount(this.manager, target.organizationId, target.agentId));
    if (!agent?.maySignIn) return this.rejectLink(source);
    const { name, email, organizationName } = agent;
    return { name, email, organization: { id: target!.organizationId, name: organizationName } };
  }

  /**
   * The candidates whose password matches. A failure costs the same number of hashes for every address: as many as the most needed
   * for one. So the time doesn't reveal how many organizations know an address.
   */
  private async verify(
    hasher: Hasher,
    given: PasswordSignIn,
    emailKey: string,
    candidates: Candidate[],
  ): Promise<Candidate[]> {
    const right: Candidate[] = [];
    const groups = this.groupBySalt(emailKey, candidates).slice(0, MAX_HASHES);
    for (const group of groups) {
      const matches = await hasher.compare(given.password, group[0]!.passwordHash);
      right.push(...group.filter(({ passwordHash }) => matches(passwordHash)));
    }
    if (right.length > 0) return right;
    const tried = groups.length;
    const needed = given.organizationId === undefined ? Math.min(MAX_HASHES, await this.shared.count(tried)) : 1;
    for (let done = tried; done < Math.max(1, needed); done++) await hasher.compare(given.password, null);
    return right;
  }

  // The shared salt first, then the salts of agents who are known on the network. `candidates` has the oldest organization first.
  private groupBySalt(emailKey: string, candidates: readonly Candidate[]): Candidate[][] {
    const rank = ({ passwordHash, isKnown }: Candidate) =>
      this.passwords.isCurrent(emailKey, passwordHash) ? 0 : isKnown ? 1 : 2;
    const groups = new Map<string, Candidate[]>();
    for (const candidate of candidates.toSorted((a, b) => rank(a) - rank(b))) {
      const prefix = saltedPrefixOf(candidate.passwordHash);
      groups.set(prefix, [...(groups.get(prefix) ?? []), candidate]);
    }
    return [...groups.values()];
  }

  // Null if the hash is current.
  private async upgrade(hasher: Hasher, password: string, emailKey: string, { passwordHash }: Candidate) {
    return this.passwords.isCurrent(emailKey, passwordHash) ? null : hasher.hash(emailKey, password);
  }

  /** @param meant the agents in whose audit log it is */
  private async fail(attempt: SignInAttempt, meant: readonly Candidate[], { address }: SignInSource): Promise<void> {
    const isBlocked = await this.throttle.count(attempt, address);
    await this.audit.recordFailures(meant, 'session.failed', address);
    if (isBlocked) await this.audit.recordFailures(meant, 'session.throttled', address);
  }

  // Since the password was verified, it may have changed, or the agent may have been disabled. The locked row decides. Another sign-in may
  // have upgraded the hash: the same password then has the same hash.
  private begin(candidate: Candidate, upgraded: string | null, source: SignInSource): Promise<NewSession> {
    const { organizationId, agentId, passwordHash } = candidate;
    return transaction(this.manager, async (tx) => {
      const locked = await lockAccount(tx, organizationId, agentId);
      if (!locked?.maySignIn || ![passwordHash, upgraded].includes(locked.passwordHash)) throw wrongPassword();
      if (upgraded !== null) await setPassword(tx, candidate, upgraded);
      return this.createSession(tx, organizationId, locked, source);
    });
  }

  // Null if another request has used the link, or the agent is disabled.
  private async redeem(
    { organizationId, agentId }: LinkTarget,
    linkHash: Buffer,
    passwordHash: string | null,
    source: SignInSource,
  ): Promise<NewSession | null> {
    const redeemed = await transaction(this.manager, async (tx) => {
      const agent = await lockAccount(tx, organizationId, agentId);
      if (!agent?.maySignIn || !(await redeemLink(tx, organizationId, linkHash))) return null;
      const session = await this.createSession(tx, organizationId, agent, source);
      if (passwordHash !== null) await this.change.apply(tx, session.agent, passwordHash, source.address);
      return { agent, session };
    });
    if (!redeemed) return null;
    await this.throttle.forgive(organizationId, redeemed.agent, source.address);
    return redeemed.session;
  }

  private async createSession(tx: EntityManager, organizationId: string, agent: AgentAccount, source: SignInSource) {
    const session = await this.sessions.create(tx, organizationId, agent, source);
    await this.audit.record(
      agentContext(session.agent, source.address),
      { action: 'session.created', target: agent.agentId },
      tx,
    );
    return session;
  }

  private async rejectLink({ address }: Pick<SignInSource, 'address'>): Promise<never> {
    await this.throttle.spendAddress(address);
    throw unauthorized('The sign-in link is invalid, was already used, or has expired');
  }
}

function wrongPassword(): Problem {
  return unauthorized('Wrong email address or password');
}

function organizationRequired(candidates: readonly Candidate[]): Problem {
  const organizations = candidates.map(({ organizationId, organizationName }) => ({
    id: organizationId,
    name: organizationName,
  }));
  const detail = 'This email address and password match several organizations; set organizationId to one of them';
  return new Problem('organization_required', detail, undefined, undefined, { organizations });
}
