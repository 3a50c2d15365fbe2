import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { EntityManager } from 'typeorm';
import type { AskedAttribute } from '../../attributes/attribute-filters.js';
import { AttributeKeysService } from '../../attributes/attribute-keys.service.js';
import { GroupsService } from '../../groups/groups.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { HeavyReads } from '../../platform/database/pools/heavy-reads.js';
import { POOL } from '../../platform/database/pool.js';
import { encodePosition } from '../../platform/lib/cursor.js';
import { knownTimeZone } from '../../platform/locale/time-zone.js';
import { type Page, toPage } from '../../platform/validation/paging.js';
import { TagsService } from '../../tags/tags.service.js';
import { type AgentReport, findAgentReports } from './agent-report.queries.js';
import { type ExportedChat, findExportedChats } from './chat-export.queries.js';
import { findRatings, type RatingFilter, type ReportedRating } from './rating-report.queries.js';
import type { ReportRange } from './report-range.js';
import { findReport, type ReportDay } from './reports.queries.js';

/** A report, with the time zone of its days. */
export interface Report {
  days: ReportDay[];
  timeZone: string;
}

/** The range of a request: without a time zone, the organization's. `findTimeZone` finds a given one. */
export type AskedRange = Omit<ReportRange, 'timeZone' | 'tags' | 'attributes'> & {
  timeZone?: string;
  tag?: readonly string[];
  attributes?: readonly AskedAttribute[];
};

/** Reports (CONTRACT: Agent API). Retention and erasing remove rows, and so change past days. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly manager: EntityManager,
    @Inject(POOL) private readonly pool: Pool,
    private readonly organizations: OrganizationsService,
    private readonly groups: GroupsService,
    private readonly heavy: HeavyReads,
    private readonly tags: TagsService,
    private readonly keys: AttributeKeysService,
  ) {}

  /** @throws Problem not_found for an unknown group; validation_failed for an attribute key without a filter; not_ready */
  async get(organizationId: string, asked: AskedRange): Promise<Report> {
    const range = await this.resolve(organizationId, asked);
    const days = await this.heavy.run(organizationId, () => findReport(this.manager, organizationId, range));
    return { days, timeZone: range.timeZone };
  }

  /** What each agent did, a page of agents by id. @throws Problem as `get` */
  async listAgents(
    organizationId: string,
    { limit, after, ...asked }: AskedRange & { limit: number; after?: string },
  ): Promise<Page<AgentReport> & { timeZone: string }> {
    const range = await this.resolve(organizationId, asked);
    const rows = await this.heavy.run(organizationId, () =>
      findAgentReports(this.pool, organizationId, range, { after, limit: limit + 1 }),
    );
    return { ...toPage(rows, limit, (row) => row), timeZone: range.timeZone };
  }

  /** The ratings that visitors gave, newest first. @throws Problem as `get` */
  async listRatings(
    organizationId: string,
    { limit, before, agentId, hasComment, ...asked }: AskedRange & Omit<RatingFilter, keyof ReportRange>,
  ): Promise<Page<ReportedRating> & { timeZone: string }> {
    const range = await this.resolve(organizationId, asked);
    const { timeZone } = range;
    const { ratings, end } = await this.heavy.run(organizationId, () =>
      findRatings(this.pool, organizationId, { ...range, limit, before, agentId, hasComment }),
    );
    return { items: ratings, nextCursor: end && encodePosition(end), timeZone };
  }

  /** The chats that began in the range, oldest first, in pages. @throws Problem as `get` */
  async *exportChats(organizationId: string, asked: AskedRange): AsyncGenerator<ExportedChat[], void> {
    const range = await this.resolve(organizationId, asked);
    yield* this.heavy.inTurns(organizationId, findExportedChats(this.pool, organizationId, range));
  }

  private async resolve(
    organizationId: string,
    { from, to, timeZone, groupId, tag, attributes: asked }: AskedRange,
  ): Promise<ReportRange> {
    if (groupId !== undefined) await this.groups.get(organizationId, groupId);
    const zone = timeZone ?? (await this.organizations.get(organizationId)).timeZone;
    const tags = await this.tags.filterBy(organizationId, tag);
    const attributes = await this.keys.filterBy(organizationId, asked);
    return { from, to, groupId, tags, attributes, timeZone: knownTimeZone(zone) };
  }
}
