import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import '../visitors/visitors.events.js';
import { DomainEventBus } from '../platform/lib/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import { MAX_CHATS, removeChats } from './chat-removal.queries.js';
import { buryOld, findOldChats, findOldVisitors, findRetaining, removeIdleVisitors } from './retention.queries.js';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes what organizations do not want to keep: chats in which nothing was said for so many days, whole; of the others
 * the messages that are older, which become tombstones; and visitors who came before that and have no chat.
 */
@Injectable()
export class RetentionService {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
  ) {}

  /** One pass over all organizations. Several nodes share it: what one holds, the others pass over. */
  async run(now: Date, isLate: () => boolean): Promise<void> {
    for (let after = ''; ;) {
      const organizations = await findRetaining(this.manager, after);
      for (const { id, days } of organizations) await this.clean(id, new Date(now.getTime() - days * DAY), isLate);
      if (organizations.length === 0 || isLate()) return;
      after = organizations.at(-1)!.id;
    }
  }

  /** Removes chats of which nothing is younger than `before`, all when it is null; see `removeChats`. */
  async removeChats(
    organizationId: string,
    ids: readonly string[],
    before: Date | null,
    isLate: () => boolean,
    ofVisitors: readonly string[] | null = null,
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += MAX_CHATS) {
      const some = ids.slice(from, from + MAX_CHATS);
      for (let hasMore = true; hasMore && !isLate();) {
        const step = await transaction(this.manager, (tx) => removeChats(tx, organizationId, some, before, ofVisitors));
        if (step.removed.length > 0) this.events.emit('chats.removed', { chatIds: step.removed });
        hasMore = step.hasMore;
      }
    }
  }

  private async clean(organizationId: string, before: Date, isLate: () => boolean): Promise<void> {
    for (let after = ''; ;) {
      const chats = await findOldChats(this.manager, organizationId, after, before);
      const over = chats.filter(({ isOver }) => isOver).map(({ id }) => id);
      await this.removeChats(organizationId, over, before, isLate);
      for (const { id, isOver, hasOld } of chats) {
        if (hasOld && !isOver) await this.buryOld(organizationId, id, before, isLate);
      }
      if (chats.length === 0 || isLate()) break;
      after = chats.at(-1)!.id;
    }
    await this.removeVisitors(organizationId, before, isLate);
  }

  private async buryOld(organizationId: string, id: string, before: Date, isLate: () => boolean): Promise<void> {
    for (let hasMore = true; hasMore && !isLate();) {
      hasMore = await transaction(this.manager, (tx) => buryOld(tx, organizationId, id, before));
    }
  }

  private async removeVisitors(organizationId: string, before: Date, isLate: () => boolean): Promise<void> {
    for (let after = ''; !isLate();) {
      const visitors = await findOldVisitors(this.manager, organizationId, after, before);
      if (visitors.length === 0) return;
      const idle = visitors.filter(({ isIdle }) => isIdle).map(({ id }) => id);
      if (idle.length > 0) await transaction(this.manager, (tx) => removeIdleVisitors(tx, organizationId, idle));
      after = visitors.at(-1)!.id;
    }
  }
}
