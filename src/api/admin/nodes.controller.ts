import { Get } from '@nestjs/common';
import { RequireAdminToken } from '../../auth/agents/admin.guard.js';
import { Neighbors } from '../../platform/cluster/neighbors.js';
import { Describes } from '../describes.js';
import { InstallationApi } from './admin-api.decorator.js';
import { NodesResponse } from './nodes.dto.js';

/** The running nodes (CONTRACT: Admin API). */
@InstallationApi('nodes', 'Installation')
export class NodesController {
  constructor(private readonly neighbors: Neighbors) {}

  @Get()
  @RequireAdminToken()
  @Describes('listNodes', 200, NodesResponse, {
    summary: 'List the running nodes',
    description:
      'Needs `ADMIN_TOKEN`. With the version and commit of each, and how it differs from the node that answers.',
  })
  list(): NodesResponse {
    const { self, others } = this.neighbors;
    return { self, others };
  }
}
