import { Injectable } from '@nestjs/common';
import { EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { Config } from '../platform/config/config.js';
import type { ChangeHooks } from '../platform/database/change-hooks.js';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { transaction } from '../platform/database/transaction.js';
import { notFound, Problem } from '../platform/errors/problem.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { Organization } from './organization.entity.js';
import { restartAbsences } from './organization-deletion.queries.js';
import './organizations.events.js';

const DAY_MS = 24 * 60 * 60 * 1000;

type Recorded = Pick<ChangeHooks<Organization>, 'record'>;

/**
 * Deletes organizations, and restores them (CONTRACT: Admin API). A deleted organization is invisible, and its data stays for
 * DELETED_ORGANIZATION_DAYS. Then `src/privacy` removes it. The organization's row is the fence: restoring and the beginning of the
 * removal lock it.
 */
@Injectable()
export class OrganizationDeletion {
  constructor(
    private readonly manager: EntityManager,
    private readonly events: DomainEventBus,
    private readonly config: Config,
  ) {}

  /**
   * Deletes an organization. When this returns, its tokens are refused, its webhooks get no further event, and it's invisible.
   * @param isNow whether its data is removed immediately; this also applies to an organization that is already deleted
   * @throws Problem not_found, even when it exists: it's deleted already and `isNow` is false, or its removal has begun
   */
  async delete(id: string, isNow: boolean, { record }: Recorded): Promise<void> {
    const now = new Date();
    const days = isNow ? 0 : this.config.DELETED_ORGANIZATION_DAYS;
    const removeAt = new Date(now.getTime() + days * DAY_MS);
    await transaction(this.manager, async (tx) => {
      const before = await this.lock(tx, id);
      if (before.deletedAt && !(isNow && isRestorable(before))) notFound('Organization');
      const after = { ...before, deletedAt: before.deletedAt ?? now, removeAt };
      await tx.update(Organization, { id }, { deletedAt: after.deletedAt, removeAt });
      await record(tx, before, after);
    });
    this.events.emit('organization.deleted', { organizationId: id, isDue: days === 0 });
    this.events.emit('organization.widgetChanged', { organizationId: id });
  }

  /**
   * Restores a deleted organization with everything in it.
   * @throws Problem not_found; conflict if it isn't deleted, or its removal has begun
   */
  async restore(id: string, { record }: Recorded): Promise<Organization> {
    const organization = await transaction(this.manager, async (tx) => {
      const before = await this.lock(tx, id);
      if (!before.deletedAt) throw new Problem('conflict', "The organization isn't deleted");
      if (!isRestorable(before)) throw new Problem('conflict', 'The removal of the organization has begun');
      await tx.update(Organization, { id }, { deletedAt: null, removeAt: null });
      await restartAbsences(tx, id);
      const after = { ...before, deletedAt: null, removeAt: null };
      await record(tx, before, after);
      return after;
    });
    this.events.emit('organization.widgetChanged', { organizationId: id });
    return organization;
  }

  /** The deleted organizations that still have data, in the order of their ids. */
  async list<T>({ limit, cursor = '' }: PageQuery, map: (row: Organization) => T): Promise<Page<T>> {
    const where = { id: MoreThan(cursor), deletedAt: Not(IsNull()) };
    const rows = await this.manager.find(Organization, { where, order: { id: 'ASC' }, take: limit + 1 });
    return toPage(rows, limit, map);
  }

  private async lock(tx: EntityManager, id: string): Promise<Organization> {
    const lock = { mode: 'for_no_key_update' } as const;
    return (await tx.findOne(Organization, { where: { id }, lock })) ?? notFound('Organization');
  }
}

/** Whether a deleted organization can be restored. One that a node of the previous release deleted has lost its tokens and webhooks. */
export function isRestorable({ removeAt, removalBeganAt }: Organization): boolean {
  return removeAt !== null && removalBeganAt === null;
}
