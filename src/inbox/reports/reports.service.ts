import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { GroupsService } from '../../groups/groups.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { findReport, type ReportDay, type ReportRange } from './reports.queries.js';

/** A report, with the time zone of its days. */
export interface Report {
  days: ReportDay[];
  timeZone: string;
}

/** Daily reports (CONTRACT section 10). Retention and erasing remove rows, and so change past days. */
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
