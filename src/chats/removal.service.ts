import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { GroupsService } from '../groups/groups.service.js';
import { transaction } from '../platform/database/transaction.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { addLoad, moveChatsToDefault, withdrawOffers } from './chat-transitions.queries.js';
import './chats.events.js';

/** Removes groups, after moving their chats. */
@Injectable()
export class RemovalService {
  constructor(
    private readonly manager: EntityManager,
    private readonly groups: GroupsService,
    private readonly events: DomainEventBus,
  ) {}

  /** Moves the chats of the group to the default group. @throws Problem not_found; conflict for the default group */
  async removeGroup(organizationId: string, groupId: string): Promise<void> {
    // The group's row is locked before any chat's, as in a transfer.
    await transaction(this.manager, async (tx) => {
      await this.groups.lockToRemove(tx, organizationId, groupId);
      const chats = await moveChatsToDefault(tx, organizationId, groupId);
      const chatIds = chats.map(({ id }) => id);
      const offers = await withdrawOffers(tx, organizationId, chatIds);
      const load = offers.map(({ agentId }) => ({ agentId, chats: 0, offers: -1 }));
      await addLoad(tx, organizationId, load, new Date());
      for (const offer of offers) {
        this.events.emit('chatOffer.ended', { organizationId, ...offer, reason: 'WITHDRAWN' }, tx);
      }
      await this.groups.remove(tx, organizationId, groupId);
      if (chats.length === 0) return;
      this.events.emit('chats.changed', { organizationId, previousGroupId: groupId, chats }, tx);
      this.events.emit('queue.changed', { organizationId }, tx);
    });
  }
}
