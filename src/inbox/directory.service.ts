import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type Availability, findAvailability } from '../agents/availability.queries.js';
import { type Colleague, listColleagues } from '../agents/colleagues.queries.js';
import { type Page, type PageQuery, toPage } from '../platform/lib/paging.js';
import { listWaitingGroups, type WaitingGroup } from './directory.queries.js';

/** A group to which a chat can be transferred. */
export interface GroupOverview extends WaitingGroup {
  availability: Availability;
  /** The members who are ONLINE. */
  onlineAgents: number;
}

/** The groups and the colleagues that an agent can give a chat to (CONTRACT section 10). */
@Injectable()
export class DirectoryService {
  constructor(private readonly manager: EntityManager) {}

  /** Every group of the organization, by name. */
  async listGroups(organizationId: string): Promise<GroupOverview[]> {
    const groups = await listWaitingGroups(this.manager, organizationId);
    const found = await findAvailability(this.manager, organizationId);
    const byGroup = new Map(found.map((group) => [group.groupId, group]));
    return groups.map((group) => {
      const { availability = 'OFFLINE', onlineAgents = 0 } = byGroup.get(group.id) ?? {};
      return { ...group, availability, onlineAgents };
    });
  }

  /** The enabled agents of the organization. */
  async listColleagues(organizationId: string, { limit, cursor }: PageQuery): Promise<Page<Colleague>> {
    const rows = await listColleagues(this.manager, organizationId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, (row) => row);
  }
}
