import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type Colleague, listColleagues } from '../agents/colleagues.queries.js';
import { GroupsService } from '../groups/groups.service.js';
import type { Availability } from '../handoff/availability.js';
import { AvailabilityService } from '../handoff/availability.service.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';

/** A group that chats can be transferred to. */
export interface GroupOverview {
  id: string;
  name: string;
  isDefault: boolean;
  availability: Availability;
  /** The members who are ONLINE. */
  onlineAgents: number;
  /** At most 1,000. */
  waitingChats: number;
  /** Seconds until a waiting chat is unanswered, unless its transfer says otherwise; 0: never. */
  maxWaitSeconds: number;
  /** Whether it's within the group's office hours. */
  isOpen: boolean;
  /** When it opens; null while it's open, and if it never opens. */
  nextOpening: string | null;
}

/** The groups and colleagues that an agent can transfer a chat to (CONTRACT: Agent API). */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly manager: EntityManager,
    private readonly groups: GroupsService,
    private readonly availability: AvailabilityService,
  ) {}

  /** Every group of the organization, by name. */
  async listGroups(organizationId: string): Promise<GroupOverview[]> {
    const groups = await this.groups.listWithAgentCount(organizationId);
    const found = new Map((await this.availability.list(organizationId)).map((group) => [group.groupId, group]));
    return groups.map(({ id, name, isDefault, maxWaitSeconds }) => {
      const { availability = 'OFFLINE', onlineAgents = 0, waitingChats = 0 } = found.get(id) ?? {};
      const { isOpen = true, nextOpening = null } = found.get(id) ?? {};
      return { id, name, isDefault, availability, onlineAgents, waitingChats, maxWaitSeconds, isOpen, nextOpening };
    });
  }

  /** The enabled agents of the organization. */
  async listColleagues(organizationId: string, { limit, cursor }: PageQuery): Promise<Page<Colleague>> {
    const rows = await listColleagues(this.manager, organizationId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, (row) => row);
  }
}
