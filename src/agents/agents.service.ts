import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { foldText } from '../platform/locale/fold.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { transaction } from '../platform/database/transaction.js';
import { Agent } from './agent.entity.js';
import './agents.events.js';
import { type AgentRow, findAgent, lockGroups, listAgents, setGroups } from './agents.queries.js';
import type { Role } from './role.js';

export interface NewAgent {
  name: string;
  email: string;
  role?: Role;
  /** The most open chats that routing gives the agent, 1 to 100. */
  capacity?: number;
  isEnabled?: boolean;
  /** An https address; null: none. */
  avatarUrl?: string | null;
  groupIds?: string[];
  /** Whether they get mails about chats while no page of theirs is open. Default: true. */
  mailWhenAway?: boolean;
}

/** The fields to change; `groupIds` replaces all groups. */
export type AgentChange = Partial<NewAgent>;

/** People who answer chats, and the groups they are in. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  async list(organizationId: string, { limit, cursor }: PageQuery): Promise<Page<AgentRow>> {
    const rows = await listAgents(this.manager, organizationId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, (row) => row);
  }

  async get(organizationId: string, id: string, manager = this.manager): Promise<AgentRow> {
    return (await findAgent(manager, organizationId, id)) ?? notFound('Agent');
  }

  /** @throws Problem validation_failed for an unknown group; conflict when the address is taken */
  create(
    organizationId: string,
    { groupIds = [], ...fields }: NewAgent,
    hooks: ChangeHooks<AgentRow> = NO_HOOKS,
  ): Promise<AgentRow> {
    const emailKey = foldText(fields.email);
    const row = { ...fields, organizationId, id: newId('agt'), emailKey, createdAt: new Date() };
    return this.runChange(async (tx) => {
      if (!(await lockGroups(tx, organizationId, groupIds))) throw unknownGroup();
      await tx.insert(Agent, row);
      await setGroups(tx, organizationId, row.id, groupIds);
      const agent = await this.emitChanged(tx, organizationId, row.id);
      await hooks.record(tx, null, agent);
      return agent;
    });
  }

  /** @throws Problem not_found; validation_failed for an unknown group; conflict when the address is taken */
  update(
    organizationId: string,
    id: string,
    { groupIds, ...fields }: AgentChange,
    hooks: ChangeHooks<AgentRow> = NO_HOOKS,
  ): Promise<AgentRow> {
    return this.runChange(async (tx) => {
      const where = { organizationId, id };
      const areKnown = !groupIds || (await lockGroups(tx, organizationId, groupIds));
      const agent = await this.lock(tx, organizationId, id);
      hooks.before(agent);
      if (!areKnown) throw unknownGroup();
      const { email = agent.email } = fields;
      const emailKey = fields.email === undefined ? {} : { emailKey: foldText(email) };
      const sight = groupIds || fields.role ? { groupsLeftAt: () => 'statement_timestamp()' } : {};
      await tx.update(Agent, where, { ...fields, email, ...emailKey, ...sight });
      if (groupIds) await setGroups(tx, organizationId, id, groupIds);
      const changed = await this.emitChanged(tx, organizationId, id);
      await hooks.record(tx, agent, changed);
      return changed;
    });
  }

  /** Locks an agent until the end of the transaction. @throws Problem not_found */
  async lock(tx: EntityManager, organizationId: string, id: string): Promise<AgentRow> {
    await tx.findOne(Agent, { where: { organizationId, id }, lock: { mode: 'for_no_key_update' } });
    return this.get(organizationId, id, tx);
  }

  /** Removes an agent in the transaction `tx`. The agent must have no chats left. @throws Problem not_found */
  async remove(tx: EntityManager, organizationId: string, id: string): Promise<void> {
    const { affected } = await tx.delete(Agent, { organizationId, id });
    if (!affected) notFound('Agent');
    this.events.emit('agent.changed', { organizationId, agentId: id, rights: null }, tx);
  }

  private async emitChanged(tx: EntityManager, organizationId: string, agentId: string): Promise<AgentRow> {
    const agent = await this.get(organizationId, agentId, tx);
    const { role, groupIds, isEnabled } = agent;
    this.events.emit('agent.changed', { organizationId, agentId, rights: isEnabled ? { role, groupIds } : null }, tx);
    return agent;
  }

  private async runChange(work: (tx: EntityManager) => Promise<AgentRow>): Promise<AgentRow> {
    return transaction(this.manager, work).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'uq_agents_email') throw error;
      throw new Problem('conflict', 'Another agent in this organization already has this email address');
    });
  }
}

function unknownGroup(): Problem {
  return invalid('/groupIds', 'must contain only IDs of groups in this organization');
}
