import { Get } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { RequestContext } from '../../auth/context/request-context.js';
import { FilesService } from '../../files/files.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { FilesSummaryResponse } from './files.dto.js';

/** What an organization's files take (CONTRACT: Uploads). */
@AdminApi('/:organizationId/files', 'Organizations')
export class FilesController {
  constructor(
    private readonly files: FilesService,
    private readonly organizations: OrganizationsService,
  ) {}

  @Get()
  @ApiParam({ name: 'organizationId' })
  @Describes('getFiles', 200, FilesSummaryResponse, {
    summary: "Get what an organization's files take",
    description: 'The completed files, unfinished uploads, and the quota.',
  })
  async get(@AdminContext() { organizationId }: RequestContext): Promise<FilesSummaryResponse> {
    const { fileQuota: quota } = await this.organizations.get(organizationId);
    return { ...(await this.files.summarize(organizationId)), quota };
  }
}
