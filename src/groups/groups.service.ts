import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { DomainEventBus } from '../platform/database/domain-events.js';
import { newId } from '../platform/lib/ids.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { invalid, notFound, Problem } from '../platform/errors/problem.js';
import { type ChangeHooks, NO_HOOKS } from '../platform/database/change-hooks.js';
import { transaction } from '../platform/database/transaction.js';
import { violatedConstraint } from '../platform/database/database-problem.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { type GivenHours, toOfficeHours } from '../organizations/office-hours.js';
import { storeOpening } from '../organizations/office-hours.queries.js';
import { Group } from './group.entity.js';
import './groups.events.js';
import { type GroupRow, listGroups } from './groups.queries.js';

/** The settings of a group's queue (CONTRACT: Routing). Omitted ones keep their values, or get the defaults in a new group. */
export type QueueSettings = Partial<
  Pick<
    Group,
    'routing' | 'offerSeconds' | 'maxPendingOffers' | 'maxWaitSeconds' | 'onUnanswered' | 'offlineReassignSeconds'
  >
>;

export interface NewGroup extends QueueSettings {
  name: string;
  isDefault?: boolean;
  /** Null: the organization's. */
  officeHours?: GivenHours | null;
  /** The only bot that gets the group's chats; null: every bot does. */
  botId?: string | null;
}

export type GroupChange = Partial<NewGroup>;

/** Groups of agents. An organization has exactly one default group at any moment (CONTRACT: Bot API). */
@Injectable()
export class GroupsService {
  constructor(
    @InjectRepository(Group) private readonly groups: Repository<Group>,
    private readonly organizations: OrganizationsService,
    private readonly events: DomainEventBus,
  ) {}

  /** Every group, sorted by name. */
  listWithAgentCount(organizationId: string): Promise<GroupRow[]> {
    return listGroups(this.groups.manager, organizationId);
  }

  async list<T>(organizationId: string, { limit, cursor = '' }: PageQuery, map: (row: Group) => T): Promise<Page<T>> {
    const where = { organizationId, id: MoreThan(cursor) };
    return toPage(await this.groups.find({ where, order: { id: 'ASC' }, take: limit + 1 }), limit, map);
  }

  async get(organizationId: string, id: string): Promise<Group> {
    return (await this.groups.findOneBy({ organizationId, id })) ?? notFound('Group');
  }

  /** @throws Problem validation_failed for an unknown bot */
  async create(
    organizationId: string,
    { isDefault = false, officeHours, ...group }: NewGroup,
    hooks: ChangeHooks<Group> = NO_HOOKS,
  ): Promise<Group> {
    const id = newId('grp');
    const own = officeHours ? toOfficeHours(officeHours) : null;
    return transaction(this.groups.manager, async (tx) => {
      const organization = await this.organizations.lock(tx, organizationId);
      if (isDefault) await unsetDefault(tx, organizationId, hooks);
      const created = { ...group, officeHours: own, organizationId, id, isDefault, createdAt: new Date() };
      await tx.insert(Group, created).catch(throwUnknownBot);
      await storeOpening(tx, organizationId, own ?? organization.officeHours, id);
      this.events.emit('group.changed', { organizationId, groupId: id }, tx);
      const row = await tx.findOneByOrFail(Group, { organizationId, id });
      await hooks.record(tx, null, row);
      return row;
    });
  }

  /** Changes a group's settings, or makes it the default. @throws Problem not_found; conflict if no group would be the default; validation_failed for an unknown bot */
  async update(
    organizationId: string,
    id: string,
    change: GroupChange,
    hooks: ChangeHooks<Group> = NO_HOOKS,
  ): Promise<Group> {
    const { isDefault, officeHours: hours } = change;
    const officeHours = hours && toOfficeHours(hours);
    return transaction(this.groups.manager, async (tx) => {
      const organization = await this.organizations.lock(tx, organizationId);
      const group = (await tx.findOneBy(Group, { organizationId, id })) ?? notFound('Group');
      hooks.before(group);
      if (isDefault === false && group.isDefault) throw defaultNeeded();
      if (isDefault && !group.isDefault) await unsetDefault(tx, organizationId, hooks);
      // As in every PATCH, null leaves a setting unchanged, except for one that can be null.
      const settings = Object.entries(change).filter(([name, value]) => value != null && name !== 'officeHours');
      const cleared = {
        ...(officeHours !== undefined && { officeHours }),
        ...(change.botId === null && { botId: null }),
      };
      const given = { ...Object.fromEntries(settings), ...cleared };
      if (Object.keys(given).length > 0) await tx.update(Group, { organizationId, id }, given).catch(throwUnknownBot);
      if (officeHours !== undefined)
        await storeOpening(tx, organizationId, officeHours ?? organization.officeHours, id);
      this.events.emit('group.changed', { organizationId, groupId: id }, tx);
      // The widget says when the default group opens.
      if (isDefault || officeHours !== undefined)
        this.events.emit('organization.widgetChanged', { organizationId }, tx);
      const changed = { ...group, ...given };
      await hooks.record(tx, group, changed);
      return changed;
    });
  }

  /**
   * Locks a group before it's removed, until the transaction ends, so that no chat can be moved into it.
   * @throws Problem not_found; conflict for the default group
   */
  async lockToRemove(tx: EntityManager, organizationId: string, id: string): Promise<Group> {
    await this.organizations.lock(tx, organizationId);
    const where = { organizationId, id };
    const group = (await tx.findOne(Group, { where, lock: { mode: 'pessimistic_write' } })) ?? notFound('Group');
    if (group.isDefault) throw defaultNeeded();
    return group;
  }

  /** Removes a group in the transaction `tx`. The group must have no chats left. Its saved replies become everyone's. */
  async remove(tx: EntityManager, organizationId: string, id: string): Promise<void> {
    await tx.query(RELEASE_REPLIES, [organizationId, id]);
    await tx.delete(Group, { organizationId, id });
    this.events.emit('group.changed', { organizationId, groupId: id }, tx);
  }
}

const RELEASE_REPLIES = `
  UPDATE canned_replies SET group_id = NULLIF(group_id, $2), action_group_id = NULLIF(action_group_id, $2),
    action = CASE WHEN action_group_id = $2 THEN NULL ELSE action END
  WHERE organization_id = $1 AND (group_id = $2 OR action_group_id = $2)`;

// The caller holds the organization's lock, so that only one default changes at a time.
async function unsetDefault(tx: EntityManager, organizationId: string, hooks: ChangeHooks<Group>): Promise<void> {
  const group = await tx.findOneBy(Group, { organizationId, isDefault: true });
  if (!group) return;
  await tx.update(Group, { organizationId, id: group.id }, { isDefault: false });
  await hooks.record(tx, group, { ...group, isDefault: false });
}

function throwUnknownBot(error: unknown): never {
  if (violatedConstraint(error) !== 'fk_groups_bot') throw error;
  throw invalid('/botId', 'must be the ID of a bot in this organization');
}

function defaultNeeded(): Problem {
  return new Problem('conflict', 'An organization needs a default group; make another one the default first');
}
