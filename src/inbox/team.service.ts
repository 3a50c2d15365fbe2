import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { POOL } from '../platform/database/pool.js';
import { type Page, type PageQuery, toPage } from '../platform/validation/paging.js';
import { DirectoryService, type GroupOverview } from './directory.service.js';
import { findLongestWaiting, listTeam, type LongestWaiting, type TeamMember } from './team.queries.js';

/** A group's queue. */
export interface TeamGroup extends Pick<
  GroupOverview,
  'id' | 'name' | 'onlineAgents' | 'waitingChats' | 'isOpen' | 'maxWaitSeconds'
> {
  longestWaiting: LongestWaiting | null;
}

/** Who works on what right now, for supervisors (CONTRACT: Agent API). */
@Injectable()
export class TeamService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly directory: DirectoryService,
  ) {}

  /** The enabled agents of the organization, by id. */
  async list(organizationId: string, { limit, cursor }: PageQuery): Promise<Page<TeamMember>> {
    const rows = await listTeam(this.pool, organizationId, { after: cursor, limit: limit + 1 });
    return toPage(rows, limit, (row) => row);
  }

  /** Every group of the organization, by name. */
  async listGroups(organizationId: string): Promise<TeamGroup[]> {
    const [groups, longest] = await Promise.all([
      this.directory.listGroups(organizationId),
      findLongestWaiting(this.pool, organizationId),
    ]);
    return groups.map(({ id, name, onlineAgents, waitingChats, isOpen, maxWaitSeconds }) => {
      const longestWaiting = longest.get(id) ?? null;
      return { id, name, onlineAgents, waitingChats, isOpen, maxWaitSeconds, longestWaiting };
    });
  }
}
