import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { transaction } from '../platform/database/transaction.js';
import { removeIdleVisitors } from './retention.queries.js';
import { RetentionService } from './retention.service.js';
import {
  findChatsOf,
  findOldAnonymous,
  findOrganizations,
  keepVisitors,
  type OldAnonymous,
} from './silent-visitors.queries.js';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes anonymous visitors who came long ago and never said anything, with their chats, so that nobody fills the
 * database by coming again and again. One whom the customer made for somebody is no stranger, and stays.
 */
@Injectable()
export class SilentVisitorsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly retention: RetentionService,
    private readonly config: Config,
  ) {}

  /** One pass over all organizations. Several nodes share it: what one holds, the others pass over. */
  async run(now: Date, isLate: () => boolean): Promise<void> {
    const { ANONYMOUS_RETENTION_DAYS: days } = this.config;
    if (days === 0) return;
    const before = new Date(now.getTime() - days * DAY);
    for (let after = ''; !isLate();) {
      const organizations = await findOrganizations(this.manager, after);
      for (const id of organizations) await this.clean(id, before, isLate);
      if (organizations.length === 0) return;
      after = organizations.at(-1)!;
    }
  }

  private async clean(organizationId: string, before: Date, isLate: () => boolean): Promise<void> {
    for (let after = ''; !isLate();) {
      const visitors = await findOldAnonymous(this.manager, organizationId, after, before);
      if (visitors.length === 0) return;
      const spoken = idsOf(visitors, ({ hasSpoken }) => hasSpoken);
      if (spoken.length > 0) await keepVisitors(this.manager, organizationId, spoken);
      const silent = idsOf(visitors, ({ hasSpoken, isAwaited }) => !hasSpoken && !isAwaited);
      if (silent.length > 0) await this.remove(organizationId, silent, before, isLate);
      after = visitors.at(-1)!.id;
    }
  }

  // A chat in which something is said meanwhile stays, and a visitor who has a chat does.
  private async remove(organizationId: string, ids: string[], before: Date, isLate: () => boolean): Promise<void> {
    const chats = await findChatsOf(this.manager, organizationId, ids);
    await this.retention.removeChats(organizationId, chats, before, isLate, ids);
    if (!isLate()) await transaction(this.manager, (tx) => removeIdleVisitors(tx, organizationId, ids));
  }
}

function idsOf(visitors: readonly OldAnonymous[], isWanted: (visitor: OldAnonymous) => boolean): string[] {
  return visitors.filter(isWanted).map(({ id }) => id);
}
