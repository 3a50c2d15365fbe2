import { Injectable, Logger } from '@nestjs/common';
import { EntityManager, type FindOptionsWhere, LessThan } from 'typeorm';
import type { ChangeHooks } from '../../platform/database/change-hooks.js';
import { afterCommit } from '../../platform/database/transaction.js';
import { newId } from '../../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../../platform/validation/paging.js';
import type { RequestContext } from '../context/request-context.js';
import type { EntryDetails, InstallationAction } from './installation-action.js';
import { InstallationEntry } from './installation-entry.entity.js';

export interface InstallationRecord {
  action: InstallationAction;
  target: string;
  targetName: string | null;
  details?: EntryDetails;
}

export type InstallationFilter = { action?: InstallationAction; target?: string };

/** Records what happens to organizations as a whole, in a log that stays when they're removed. Entries stay three years. */
@Injectable()
export class InstallationAudit {
  private readonly logger = new Logger(InstallationAudit.name);

  constructor(private readonly manager: EntityManager) {}

  /** Adds an entry in the transaction of the action, and a line to the service's log once it's committed. */
  async record(tx: EntityManager, { actor }: Pick<RequestContext, 'actor'>, record: InstallationRecord): Promise<void> {
    const { action, target, targetName, details = null } = record;
    const who = { actorType: actor.type, actorId: actor.id, actorName: actor.name };
    await tx.insert(InstallationEntry, {
      id: newId('aud'),
      at: new Date(),
      ...who,
      action,
      target,
      targetName,
      details,
    });
    // No log line has a name or an address.
    const line = { action, target, actorType: actor.type, actorId: actor.id, ...details };
    afterCommit(tx, () => this.logger.log(line, `audit: ${action}`));
  }

  /** Hooks that record what happens to an organization or an operator. */
  hooks<R extends { id: string; name: string | null }>(
    context: Pick<RequestContext, 'actor'>,
    action: InstallationAction,
    detailsOf: (row: R) => EntryDetails | undefined = () => undefined,
  ): Pick<ChangeHooks<R>, 'record'> {
    return {
      record: (tx, before, after) => {
        const row = (after ?? before)!;
        return this.record(tx, context, { action, target: row.id, targetName: row.name, details: detailsOf(row) });
      },
    };
  }

  /** The details of the newest of these entries. */
  async findDetails(tx: EntityManager, where: Required<InstallationFilter>): Promise<EntryDetails | undefined> {
    return (await tx.findOne(InstallationEntry, { where, order: { id: 'DESC' } }))?.details ?? undefined;
  }

  /** The entries, newest first. */
  async list<T>(
    { limit, cursor, ...filter }: PageQuery & InstallationFilter,
    map: (row: InstallationEntry) => T,
  ): Promise<Page<T>> {
    const where: FindOptionsWhere<InstallationEntry> = {
      ...filter,
      ...(cursor !== undefined && { id: LessThan(cursor) }),
    };
    const rows = await this.manager.find(InstallationEntry, { where, order: { id: 'DESC' }, take: limit + 1 });
    return toPage(rows, limit, map);
  }
}
