import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { transaction } from '../../platform/database/transaction.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { Problem } from '../../platform/errors/problem.js';
import { networkOf } from '../limits/address.js';
import { agentContext } from '../agents/agent-context.js';
import {
  type AgentAccount,
  type AgentIdentity,
  endOtherSessions,
  findAccount,
  lockAccount,
} from '../agents/agent-sessions.queries.js';
import '../context/auth.events.js';
import { AuditService } from '../audit/audit.service.js';
import { setPassword } from './candidates.queries.js';
import { type Hasher, PasswordsService } from './passwords.service.js';
import { SignInLink } from '../agents/sign-in-link.entity.js';
import { attemptOf, SignInThrottle } from './sign-in-throttle.js';

/** Changes an agent's password (CONTRACT: Signing in). */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly manager: EntityManager,
    private readonly passwords: PasswordsService,
    private readonly throttle: SignInThrottle,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Changes the calling agent's password. Ends their other sessions and their links.
   * @param current the current password; not needed if there is none
   * @param address the source address
   * @throws Problem wrong_password, which counts as a failure to sign in; rate_limited; conflict; unavailable
   */
  async change(agent: AgentIdentity, current: string | undefined, password: string, address: string): Promise<void> {
    await this.throttle.checkAddress(address);
    const client = { network: networkOf(address), organizationIds: [agent.organizationId] };
    const [verified, hash] = await this.passwords.enqueue(client, async (hasher) => {
      const account = await findAccount(this.manager, agent.organizationId, agent.agentId);
      if (!account) throw unauthorized();
      await this.verify(hasher, agent, account, current, address);
      return [account, await hasher.hash(account.emailKey, password)] as const;
    });
    // Not in the turn, because it waits for the agent's row.
    await this.replace(agent, verified, hash, address);
  }

  private async verify(
    hasher: Hasher,
    agent: AgentIdentity,
    { passwordHash, emailKey }: AgentAccount,
    current: string | undefined,
    address: string,
  ): Promise<void> {
    if (passwordHash === null) return;
    const attempt = attemptOf(emailKey, address);
    await this.throttle.checkAddress(address);
    const { candidates } = await this.throttle.findCandidates(attempt, agent.organizationId);
    await this.throttle.checkEmail(attempt, candidates);
    if ((await hasher.compare(current ?? '', passwordHash))(passwordHash)) return;
    await this.throttle.count(attempt, address);
    await this.audit.recordFailures([agent], 'password.failed', address);
    throw new Problem('wrong_password', 'The current password is wrong');
  }

  // If two changes run concurrently, one succeeds and the other gets a conflict.
  private replace(agent: AgentIdentity, verified: AgentAccount, hash: string, address: string): Promise<void> {
    return transaction(this.manager, async (tx) => {
      const account = await lockAccount(tx, agent.organizationId, agent.agentId);
      if (!account?.maySignIn) throw unauthorized();
      if (account.passwordHash !== verified.passwordHash) {
        throw new Problem('conflict', 'Another request has changed the password; try again');
      }
      await this.apply(tx, agent, hash, address);
    });
  }

  /** Sets the password in the transaction `tx`, which has locked the agent's row. Ends other sessions and links. */
  async apply(tx: EntityManager, agent: AgentIdentity, hash: string, address: string): Promise<void> {
    const { organizationId, agentId } = agent;
    await setPassword(tx, agent, hash);
    await tx.delete(SignInLink, { organizationId, agentId });
    const sessionIds = await endOtherSessions(tx, agent, 'PASSWORD_CHANGED');
    await this.audit.record(agentContext(agent, address), { action: 'password.changed', target: agentId }, tx);
    const ended = { organizationId, agentId, sessionIds, reason: 'PASSWORD_CHANGED' } as const;
    if (sessionIds.length > 0) this.events.emit('agentSession.ended', ended, tx);
  }
}
