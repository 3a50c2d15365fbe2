import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { ChatReleaseService } from '../chats/moves/chat-release.service.js';
import '../visitors/visitors.events.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import { RetentionLag } from './retention-lag.js';
import { Turns } from './turns.js';
import { noRows, RemovalRecord, type RemovedRows } from './removal-record.js';
import { MAX_CHATS, removeChats } from './chat-removal.queries.js';
import {
  tombstoneOld,
  findOldChats,
  findOldVisitors,
  findRetaining,
  removeIdleVisitors,
  removeOldAttributes,
  removeOldTurns,
} from './retention.queries.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Enforces the retention period of organizations. Removes chats whose last message is too old, turns old messages of other chats into
 * tombstones, and removes old visitors without chats.
 */
@Injectable()
export class RetentionService {
  private readonly logger = new Logger(RetentionService.name);

  constructor(
    private readonly manager: EntityManager,
    private readonly release: ChatReleaseService,
    private readonly events: DomainEventBus,
    private readonly record: RemovalRecord,
    private readonly lag: RetentionLag,
  ) {}

  /**
   * Runs one pass over all organizations. Several nodes can run it at the same time: each skips rows that another has locked.
   */
  async run(now: Date, shouldStop: () => boolean): Promise<void> {
    const { manager: database, logger } = this;
    const nameOf = ({ id }: { id: string }) => ({ organizationId: id });
    const attempts = { database, logger, failure: 'what is too old was not removed', nameOf, shouldStop };
    const turns = new Turns<{ id: string; days: number }>(attempts);
    try {
      for (let after = ''; ;) {
        const organizations = await findRetaining(database, after);
        await turns.add(organizations, ({ id, days }) =>
          this.cleanAndRecord(id, new Date(now.getTime() - days * DAY_MS), shouldStop),
        );
        if (organizations.length === 0 || shouldStop()) break;
        after = organizations.at(-1)!.id;
      }
      await turns.finish();
    } finally {
      await turns.close();
    }
    if (!shouldStop()) this.lag.onEnd(new Set(turns.failed.map(({ id }) => id)));
  }

  /**
   * Removes chats without messages since `before`, or all chats if it's null. See `removeChats`.
   * @param rows counts what is removed
   */
  async removeChats(
    organizationId: string,
    ids: readonly string[],
    before: Date | null,
    shouldStop: () => boolean,
    ofVisitors: readonly string[] | null = null,
    rows: RemovedRows = noRows(),
  ): Promise<void> {
    for (let from = 0; from < ids.length; from += MAX_CHATS) {
      const page = ids.slice(from, from + MAX_CHATS);
      for (let hasMore = true; hasMore && !shouldStop();) {
        const step = await transaction(this.manager, (tx) =>
          removeChats(tx, organizationId, page, before, ofVisitors, (chatIds) =>
            this.release.release(tx, organizationId, chatIds),
          ),
        );
        rows.chats += step.removed.length;
        rows.messages += step.messages;
        if (step.removed.length > 0) this.events.emit('chats.removed', { chatIds: step.removed });
        hasMore = step.hasMore;
      }
    }
  }

  private async *cleanAndRecord(organizationId: string, before: Date, shouldStop: () => boolean): AsyncGenerator<void> {
    const rows = noRows();
    try {
      yield* this.clean(organizationId, before, shouldStop, rows);
    } finally {
      await this.record.add(organizationId, 'retention.removed', rows);
    }
  }

  private async *clean(
    organizationId: string,
    before: Date,
    shouldStop: () => boolean,
    rows: RemovedRows,
  ): AsyncGenerator<void> {
    for (let after = ''; ;) {
      const chats = await findOldChats(this.manager, organizationId, after, before);
      this.lag.onPage(organizationId, chats);
      const ended = chats.filter(({ isOver }) => isOver).map(({ id }) => id);
      await this.removeChats(organizationId, ended, before, shouldStop, null, rows);
      for (const { id, isOver, hasOld } of chats) {
        if (hasOld && !isOver) await this.tombstoneOld(organizationId, id, before, shouldStop, rows);
      }
      if (chats.length === 0 || shouldStop()) break;
      yield;
      after = chats.at(-1)!.id;
    }
    while (!shouldStop() && (await removeOldTurns(this.manager, organizationId, before))) yield;
    yield* this.removeVisitors(organizationId, before, shouldStop, rows);
  }

  private async tombstoneOld(
    organizationId: string,
    id: string,
    before: Date,
    shouldStop: () => boolean,
    rows: RemovedRows,
  ): Promise<void> {
    for (let hasMore = true; hasMore && !shouldStop();) {
      const step = await transaction(this.manager, (tx) => tombstoneOld(tx, organizationId, id, before));
      rows.messages += step.messages;
      ({ hasMore } = step);
    }
  }

  private async *removeVisitors(
    organizationId: string,
    before: Date,
    shouldStop: () => boolean,
    rows: RemovedRows,
  ): AsyncGenerator<void> {
    for (let after = ''; !shouldStop();) {
      const visitors = await findOldVisitors(this.manager, organizationId, after, before);
      if (visitors.length === 0) return;
      const idle = visitors.filter(({ isIdle }) => isIdle).map(({ id }) => id);
      if (idle.length > 0)
        rows.visitors += await transaction(this.manager, (tx) => removeIdleVisitors(tx, organizationId, idle));
      const ids = visitors.map(({ id }) => id);
      await transaction(this.manager, (tx) => removeOldAttributes(tx, organizationId, ids, before));
      after = ids.at(-1)!;
      yield;
    }
  }
}
