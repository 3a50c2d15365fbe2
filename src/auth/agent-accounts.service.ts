import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AgentRow } from '../agents/agents.queries.js';
import { type AgentBefore, type AgentChange, AgentsService, type NewAgent } from '../agents/agents.service.js';
import { isAtLeast, type Role } from '../agents/role.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { Problem } from '../platform/http/problem.js';
import { endSessions } from './agent-sessions.queries.js';
import { AgentSession } from './agent-session.entity.js';
import './auth.events.js';
import { AuditService } from './audit.service.js';
import type { RequestContext } from './request-context.js';
import { SignInLink } from './sign-in-link.entity.js';

/**
 * What administrators change of agents, as far as it concerns who may sign in: it ends sessions and links, and is audited
 * (CONTRACT section 7).
 */
@Injectable()
export class AgentAccountsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
  ) {}

  create(context: RequestContext, agent: NewAgent): Promise<AgentRow> {
    return this.agents.create(context.organizationId, agent, (tx, id) =>
      this.audit.record(context, 'agent.created', id, tx),
    );
  }

  /** @throws Problem forbidden for an administrator who disables themselves or takes their own role; else as AgentsService */
  update(context: RequestContext, id: string, change: AgentChange): Promise<AgentRow> {
    return this.agents.update(context.organizationId, id, change, async (tx, before) => {
      await this.changeRole(tx, context, before, change.role);
      await this.changeEmail(tx, context, before, change.email);
      await this.enable(tx, context, before, change.isEnabled);
    });
  }

  /**
   * Removes what an agent signed in with, in the transaction that begins to delete the agent.
   * @throws Problem forbidden for an administrator's own agent
   */
  async delete(tx: EntityManager, context: RequestContext, agentId: string): Promise<void> {
    refuseOneself(context, agentId);
    const { organizationId } = context;
    await tx.delete(SignInLink, { organizationId, agentId });
    await tx.delete(AgentSession, { organizationId, agentId });
    await this.audit.record(context, 'agent.deleted', agentId, tx);
    this.events.emit('agentSession.ended', { organizationId, agentId, sessionIds: null, reason: 'DELETED' }, tx);
  }

  private async changeRole(tx: EntityManager, context: RequestContext, { id, role }: AgentBefore, to: Role = role) {
    if (to === role) return;
    if (!isAtLeast(to, role)) refuseOneself(context, id);
    await this.audit.record(context, 'agent.role_changed', id, tx);
  }

  // A link that was sent to the old address must not work any more.
  private async changeEmail(tx: EntityManager, context: RequestContext, { id, email }: AgentBefore, to = email) {
    if (to === email) return;
    await tx.delete(SignInLink, { organizationId: context.organizationId, agentId: id });
    await this.audit.record(context, 'agent.email_changed', id, tx);
  }

  private async enable(tx: EntityManager, context: RequestContext, before: AgentBefore, isEnabled = before.isEnabled) {
    const { id: agentId } = before;
    if (isEnabled === before.isEnabled) return;
    if (!isEnabled) await this.disable(tx, context, agentId);
    await this.audit.record(context, isEnabled ? 'agent.enabled' : 'agent.disabled', agentId, tx);
  }

  private async disable(tx: EntityManager, context: RequestContext, agentId: string): Promise<void> {
    refuseOneself(context, agentId);
    const { organizationId } = context;
    await endSessions(tx, organizationId, agentId, 'DISABLED');
    await tx.delete(SignInLink, { organizationId, agentId });
    this.events.emit('agentSession.ended', { organizationId, agentId, sessionIds: null, reason: 'DISABLED' }, tx);
  }
}

/**
 * Refuses what an administrator's session may not do to its own agent. Above it there is no role, so every other agent of
 * the organization is allowed. @throws Problem forbidden
 */
export function refuseOneself({ actor }: RequestContext, agentId: string): void {
  if (actor.id === agentId) throw new Problem('forbidden', 'Another administrator must do this');
}
