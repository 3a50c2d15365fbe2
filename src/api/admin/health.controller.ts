import { Get } from '@nestjs/common';
import { HealthService } from '../../inbox/health.service.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { HealthResponse } from './health.dto.js';
import { Organization } from './organization.pipe.js';

/** What keeps visitors from getting answers (CONTRACT: Admin API). */
@AdminApi('/:organizationId/health', 'Organizations')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Describes('getHealth', 200, HealthResponse, {
    summary: 'List what needs an administrator',
    description:
      'Webhooks that fail, silent bots, connections that fail or are paused, groups with waiting chats where no one is online, and e-mails that can’t be sent. Exact to 2 s.',
    problems: ['not_found'],
  })
  async list(@Organization() organizationId: string): Promise<HealthResponse> {
    return { troubles: await this.health.list(organizationId) };
  }
}
