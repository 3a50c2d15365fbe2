import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import type { AgentRow } from '../../agents/agents.queries.js';
import { type AgentChange, AgentsService, type NewAgent } from '../../agents/agents.service.js';
import { isAtLeast } from '../../agents/role.js';
import { findGroupNames } from '../../groups/groups.queries.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { Problem } from '../../platform/errors/problem.js';
import { endSessions } from './agent-sessions.queries.js';
import { AgentSession } from './agent-session.entity.js';
import '../context/auth.events.js';
import { AuditService } from '../audit/audit.service.js';
import type { RequestContext } from '../context/request-context.js';
import { SignInLink } from './sign-in-link.entity.js';

/**
 * Changes of agents by administrators. Ends sessions and links as needed, and writes to the audit log (CONTRACT: Signing in).
 */
@Injectable()
export class AgentAccountsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly audit: AuditService,
    private readonly events: DomainEventBus,
  ) {}

  create(context: RequestContext, agent: NewAgent): Promise<AgentRow> {
    return this.agents.create(context.organizationId, agent, {
      before: () => undefined,
      record: (tx, _, made) => this.record(tx, context, null, made),
    });
  }

  /** @throws Problem as AgentsService does; forbidden if administrators disable themselves or lower their own role */
  update(
    context: RequestContext,
    id: string,
    change: AgentChange,
    precondition: Precondition | null = null,
  ): Promise<AgentRow> {
    return this.agents.update(context.organizationId, id, change, {
      before: (agent) => {
        rejectLossOfOwnRights(context, agent, change);
        precondition?.check(agent);
      },
      record: async (tx, before, after) => {
        if (change.role !== undefined || change.isEnabled === false) await requireAdmin(tx, context);
        await this.endAccess(tx, context.organizationId, before!, after!);
        await this.record(tx, context, before, after);
      },
    });
  }

  /**
   * Removes an agent's sessions and links, in the transaction that starts to delete the agent.
   * @throws Problem not_found; forbidden for an administrator's own agent
   */
  async delete(tx: EntityManager, context: RequestContext, agentId: string): Promise<void> {
    rejectOwnAgent(context, agentId);
    const { organizationId } = context;
    const agent = await this.agents.lock(tx, organizationId, agentId);
    await requireAdmin(tx, context);
    await tx.delete(SignInLink, { organizationId, agentId });
    await tx.delete(AgentSession, { organizationId, agentId });
    await this.record(tx, context, agent, null);
    this.events.emit('agentSession.ended', { organizationId, agentId, sessionIds: null, reason: 'DELETED' }, tx);
  }

  private async record(tx: EntityManager, context: RequestContext, before: AgentRow | null, after: AgentRow | null) {
    const { id, name } = (after ?? before)!;
    const ids = [before, after].flatMap((agent) => agent?.groupIds ?? []);
    const names = await findGroupNames(tx, context.organizationId, ids);
    const [then, now] = [before, after].map((agent) => agent && withGroups(agent, names));
    await this.audit.recordChange(tx, context, { kind: 'agent', id, name, before: then!, after: now! });
  }

  // A link that was sent to the old address must stop working.
  private async endAccess(tx: EntityManager, organizationId: string, before: AgentRow, after: AgentRow): Promise<void> {
    const { id: agentId } = after;
    const isDisabled = before.isEnabled && !after.isEnabled;
    if (isDisabled || before.email !== after.email) await tx.delete(SignInLink, { organizationId, agentId });
    if (!isDisabled) return;
    await endSessions(tx, organizationId, agentId, 'DISABLED');
    this.events.emit('agentSession.ended', { organizationId, agentId, sessionIds: null, reason: 'DISABLED' }, tx);
  }
}

/**
 * Checks that the agent who acts is still an administrator. Changes of rights in an organization end one after the other, so that of two
 * administrators who take each other's rights away, one stays. @throws Problem forbidden
 */
async function requireAdmin(tx: EntityManager, { organizationId, actor }: RequestContext): Promise<void> {
  // ADMIN_TOKEN has no id, and operators have others.
  if (!actor.id?.startsWith('agt_')) return;
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('rights of agents ' || $1, 0))", [organizationId]);
  const isAdmin = await tx.existsBy(Agent, { organizationId, id: actor.id, role: 'ADMIN', isEnabled: true });
  if (!isAdmin) throw new Problem('forbidden', 'Your account is no longer an administrator');
}

// Records the names as they are now, because groups can be renamed and removed.
function withGroups({ groupIds, ...agent }: AgentRow, names: ReadonlyMap<string, string>): object {
  return { ...agent, groups: groupIds.map((id) => ({ id, name: names.get(id) ?? null })) };
}

/** Administrators can't take away their own rights. @throws Problem forbidden */
function rejectLossOfOwnRights(context: RequestContext, { id, role, isEnabled }: AgentRow, change: AgentChange): void {
  const losesRole = change.role !== undefined && !isAtLeast(change.role, role);
  if (losesRole || (isEnabled && change.isEnabled === false)) rejectOwnAgent(context, id);
}

/**
 * Refuses actions that administrators may not do to their own account. ADMIN is the highest role, so they may do them to every
 * other agent. @throws Problem forbidden
 */
export function rejectOwnAgent({ actor }: RequestContext, agentId: string): void {
  if (actor.id === agentId)
    throw new Problem('forbidden', 'You cannot do this to your own account; ask another administrator');
}
