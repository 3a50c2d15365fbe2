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
  MOVED_AT_ONCE,
  type MovedChat,
  moveChatsToDefault,
  moveSomeChatsToDefault,
} from './chat-transitions.queries.js';
import '../model/chats.events.js';

/** Removes groups, after moving their chats. */
@Injectable()
export class RemovalService {
  constructor(
    private readonly manager: EntityManager,
    private readonly groups: GroupsService,
    private readonly offers: ChatOffers,
    private readonly events: DomainEventBus,
  ) {}

  /**
   * Moves the chats of the group to the default group. Most go in transactions of their own: a group may have had very many, and what
   * is said in them must not wait. @throws Problem not_found; conflict for the default group
   */
  async removeGroup(organizationId: string, groupId: string, hooks: ChangeHooks<Group> = NO_HOOKS): Promise<void> {
    await transaction(this.manager, (tx) => this.groups.lockToRemove(tx, organizationId, groupId));
    for (let moved = MOVED_AT_ONCE; moved === MOVED_AT_ONCE;) {
      moved = await transaction(this.manager, (tx) => this.moveSome(tx, organizationId, groupId));
    }
    // The group's row is locked before any chat's, as in a transfer.
    await transaction(this.manager, async (tx) => {
      const group = await this.groups.lockToRemove(tx, organizationId, groupId);
      const chats = await moveChatsToDefault(tx, organizationId, groupId);
      await this.withdrawOffers(tx, organizationId, chats);
      await this.groups.remove(tx, organizationId, groupId);
      await hooks.record(tx, group, null);
      this.tell(tx, organizationId, groupId, chats);
      if (chats.some(({ isOpen }) => isOpen)) this.events.emit('queue.changed', { organizationId }, tx);
    });
  }

  private async moveSome(tx: EntityManager, organizationId: string, groupId: string): Promise<number> {
    const chats = await moveSomeChatsToDefault(tx, organizationId, groupId);
    this.tell(tx, organizationId, groupId, chats);
    return chats.length;
  }

  private async withdrawOffers(tx: EntityManager, organizationId: string, chats: readonly MovedChat[]): Promise<void> {
    const chatIds = chats.filter(({ isOpen }) => isOpen).map(({ id }) => id);
    await addLoad(tx, organizationId, await this.offers.withdraw(tx, organizationId, chatIds), new Date());
  }

  private tell(tx: EntityManager, organizationId: string, groupId: string, moved: readonly MovedChat[]): void {
    const chats = moved
      .filter(({ isOpen }) => isOpen)
      .map(({ id, groupId: newId, agentId }) => ({ id, groupId: newId, agentId }));
    if (chats.length > 0) this.events.emit('chats.changed', { organizationId, previousGroupId: groupId, chats }, tx);
  }
}
