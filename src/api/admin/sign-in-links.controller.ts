import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SignInLinksService } from '../../auth/sign-in-links.service.js';
import { Config } from '../../platform/config/config.js';
import { Id } from '../../platform/http/id.pipe.js';
import { AdminApi } from './admin-api.decorator.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/agents/:agentId/sign-in-links')
export class SignInLinksAdminController {
  constructor(
    private readonly links: SignInLinksService,
    private readonly config: Config,
  ) {}

  @Post()
  async create(@Req() request: Request, @Organization() organizationId: string, @Id('agentId') agentId: string) {
    const { token, id, expiresAt } = await this.links.create(organizationId, agentId);
    const base = this.config.PUBLIC_URL ?? `${request.protocol}://${request.headers.host}`;
    return { id, url: `${base.replace(/\/+$/, '')}/console/link#${token}`, expiresAt };
  }
}
