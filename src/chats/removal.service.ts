import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AgentsService } from '../agents/agents.service.js';
import { GroupsService } from '../groups/groups.service.js';
import { transaction } from '../platform/database/transaction.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { moveChatsToDefault, unassignChats } from './chat-transitions.queries.js';
import './chats.events.js';

/** Removes groups and agents, after moving their chats. */
@Injectable()
export class RemovalService {
  constructor(
    private readonly manager: EntityManager,
    private readonly agents: AgentsService,
    private readonly groups: GroupsService,
    private readonly events: DomainEventBus,
  ) {}

  /** Moves the chats of the group to the default group. @throws Problem not_found; conflict for the default group */
  async removeGroup(organizationId: string, groupId: string): Promise<void> {
    // The group's row is locked before any chat's, as in a transfer.
    const moved = await transaction(this.manager, async (tx) => {
      await this.groups.lockToRemove(tx, organizationId, groupId);
      const chatIds = await moveChatsToDefault(tx, organizationId, groupId);
      await this.groups.remove(tx, organizationId, groupId);
      return chatIds;
    });
    this.announce(organizationId, moved);
  }

  /** Queues the chats of the agent. @throws Problem not_found */
  async removeAgent(organizationId: string, agentId: string): Promise<void> {
    const unassigned = await transaction(this.manager, async (tx) => {
      const chatIds = await unassignChats(tx, organizationId, agentId);
      await this.agents.remove(tx, organizationId, agentId);
      return chatIds;
    });
    this.announce(organizationId, unassigned);
  }

  private announce(organizationId: string, chatIds: readonly string[]): void {
    if (chatIds.length > 0) this.events.emit('chats.changed', { organizationId, chatIds });
  }
}
