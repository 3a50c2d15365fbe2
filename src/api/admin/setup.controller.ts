import { Get } from '@nestjs/common';
import { type Setup, SetupService } from '../../organizations/setup.service.js';
import { Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { Organization } from './organization.pipe.js';
import { SetupResponse } from './setup.dto.js';

/** What is set up already, for the first administrator of an organization (CONTRACT: Admin API). */
@AdminApi('/:organizationId/setup', 'Organizations')
export class SetupController {
  constructor(private readonly setup: SetupService) {}

  @Get()
  @Describes('getSetup', 200, SetupResponse, {
    summary: 'Get what is set up already',
    description: 'For a checklist of the first administrator.',
    problems: ['not_found'],
  })
  get(@Organization() organizationId: string): Promise<Setup> {
    return this.setup.get(organizationId);
  }
}
