import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { GroupsService } from '../groups/groups.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { findReport, type ReportDay, type ReportRange } from './reports.queries.js';

/** A report with the time zone in which its days begin. */
export interface Report {
  days: ReportDay[];
  timeZone: string;
}

/** What happened each day (CONTRACT section 10). Retention and erasing remove rows, and so change the past. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly manager: EntityManager,
    private readonly organizations: OrganizationsService,
    private readonly groups: GroupsService,
  ) {}

  /** @throws Problem not_found for an unknown group */
  async get(organizationId: string, range: ReportRange): Promise<Report> {
    if (range.groupId !== undefined) await this.groups.get(organizationId, range.groupId);
    const { timeZone } = await this.organizations.get(organizationId);
    return { days: await findReport(this.manager, organizationId, range, timeZone), timeZone };
  }
}
