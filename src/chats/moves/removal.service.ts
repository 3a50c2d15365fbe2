import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { Group } from '../../groups/group.entity.js';
import { GroupsService } from '../../groups/groups.service.js';
import { type ChangeHooks, NO_HOOKS } from '../../platform/database/change-hooks.js';
import { transaction } from '../../platform/database/transaction.js';
import { DomainEventBus } from '../../platform/database/domain-events.js';
import { ChatOffers } from './chat-offers.service.js';
import {
  addLoad,
  MOVE_BATCH,
  type MovedChat,
  moveChatsToDefault,
  moveSomeChatsToDefault,
} from './chat-transitions.queries.js';
import '../model/chats.events.js';

/** Removes groups after moving their chats. */
@Injectable()
export class RemovalService {
  constructor(
    private readonly manager: EntityManager,
    private readonly groups: GroupsService,
    private readonly offers: ChatOffers,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Moves the group's chats to the default group, and removes the group. Most chats move in separate transactions: there may be
   * very many, and their messages must not wait. @throws Problem not_found; conflict for the default group
   */
  async removeGroup(organizationId: string, groupId: string, hooks: ChangeHooks<Group> = NO_HOOKS): Promise<void> {
    await transaction(this.manager, (tx) => this.groups.lockToRemove(tx, organizationId, groupId));
    for (let moved = MOVE_BATCH; moved === MOVE_BATCH;) {
      moved = await transaction(this.manager, (tx) => this.moveSome(tx, organizationId, groupId));
    }
    // Locks the group before any chat, as a transfer does.
    await transaction(this.manager, async (tx) => {
      const group = await this.groups.lockToRemove(tx, organizationId, groupId);
      const chats = await moveChatsToDefault(tx, organizationId, groupId);
      await this.withdrawOffers(tx, organizationId, chats);
      await this.groups.remove(tx, organizationId, groupId);
      await hooks.record(tx, group, null);
      this.publish(tx, organizationId, groupId, chats);
      if (chats.some(({ isOpen }) => isOpen)) this.events.emit('queue.changed', { organizationId }, tx);
    });
  }

  private async moveSome(tx: EntityManager, organizationId: string, groupId: string): Promise<number> {
    const chats = await moveSomeChatsToDefault(tx, organizationId, groupId);
    this.publish(tx, organizationId, groupId, chats);
    return chats.length;
  }

  private async withdrawOffers(tx: EntityManager, organizationId: string, chats: readonly MovedChat[]): Promise<void> {
    const chatIds = chats.filter(({ isOpen }) => isOpen).map(({ id }) => id);
    await addLoad(tx, organizationId, await this.offers.withdraw(tx, organizationId, chatIds), new Date());
  }

  private publish(tx: EntityManager, organizationId: string, groupId: string, moved: readonly MovedChat[]): void {
    const chats = moved
      .filter(({ isOpen }) => isOpen)
      .map(({ id, groupId: newId, agentId }) => ({ id, groupId: newId, agentId }));
    if (chats.length > 0) this.events.emit('chats.changed', { organizationId, previousGroupId: groupId, chats }, tx);
  }
}
