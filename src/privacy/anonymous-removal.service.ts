import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { attemptEach } from '../platform/database/due-rows.js';
import { transaction } from '../platform/database/transaction.js';
import { removeIdleVisitors } from './retention.queries.js';
import { noRows, RemovalRecord, type RemovedRows } from './removal-record.js';
import { RetentionService } from './retention.service.js';
import {
  findChatsOf,
  findOldAnonymous,
  findOrganizations,
  keepVisitors,
  type OldAnonymous,
} from './anonymous-removal.queries.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes anonymous visitors who were created long ago and never wrote a message, with their chats, so that no client can fill the
 * database with new visitors. Keeps visitors that the customer created.
 */
@Injectable()
export class AnonymousRemovalService {
  private readonly logger = new Logger(AnonymousRemovalService.name);

  constructor(
    private readonly manager: EntityManager,
    private readonly retention: RetentionService,
    private readonly config: Config,
    private readonly record: RemovalRecord,
  ) {}

  /**
   * Runs one pass over all organizations. Several nodes can run it at the same time: each skips rows that another has locked.
   */
  async run(now: Date, shouldStop: () => boolean): Promise<void> {
    const { ANONYMOUS_RETENTION_DAYS: days } = this.config;
    if (days === 0) return;
    const before = new Date(now.getTime() - days * DAY_MS);
    const { manager: database, logger } = this;
    const nameOf = (organizationId: string) => ({ organizationId });
    const attempts = { database, logger, failure: 'unused anonymous visitors were not removed', nameOf, shouldStop };
    for (let after = ''; !shouldStop();) {
      const organizations = await findOrganizations(database, after);
      await attemptEach(attempts, organizations, (id) => this.cleanAndRecord(id, before, shouldStop));
      if (organizations.length === 0) return;
      after = organizations.at(-1)!;
    }
  }

  private async cleanAndRecord(organizationId: string, before: Date, shouldStop: () => boolean): Promise<void> {
    const rows = noRows();
    try {
      await this.clean(organizationId, before, shouldStop, rows);
    } finally {
      await this.record.add(organizationId, 'anonymous.removed', rows);
    }
  }

  private async clean(
    organizationId: string,
    before: Date,
    shouldStop: () => boolean,
    rows: RemovedRows,
  ): Promise<void> {
    for (let after = ''; !shouldStop();) {
      const visitors = await findOldAnonymous(this.manager, organizationId, after, before);
      if (visitors.length === 0) return;
      const writers = idsOf(visitors, ({ hasWritten }) => hasWritten);
      if (writers.length > 0) await keepVisitors(this.manager, organizationId, writers);
      const unused = idsOf(visitors, ({ hasWritten, isAwaited }) => !hasWritten && !isAwaited);
      if (unused.length > 0) await this.remove(organizationId, unused, before, shouldStop, rows);
      after = visitors.at(-1)!.id;
    }
  }

  // A chat that has got a message since is kept, and so is a visitor who still has a chat.
  private async remove(
    organizationId: string,
    ids: string[],
    before: Date,
    shouldStop: () => boolean,
    rows: RemovedRows,
  ): Promise<void> {
    const chats = await findChatsOf(this.manager, organizationId, ids);
    await this.retention.removeChats(organizationId, chats, before, shouldStop, ids, rows);
    if (shouldStop()) return;
    rows.visitors += await transaction(this.manager, (tx) => removeIdleVisitors(tx, organizationId, ids));
  }
}

function idsOf(visitors: readonly OldAnonymous[], isWanted: (visitor: OldAnonymous) => boolean): string[] {
  return visitors.filter(isWanted).map(({ id }) => id);
}
