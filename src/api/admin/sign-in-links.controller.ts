import { Delete, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../../auth/context/request-context.js';
import { SignInLinksService } from '../../auth/sign-in/sign-in-links.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { SignInLinkResponse } from './agents.dto.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { AdminContext } from './admin-context.decorator.js';

@AdminApi('/:organizationId/agents/:agentId/sign-in-links', 'Agents')
export class SignInLinksController {
  constructor(private readonly links: SignInLinksService) {}

  @Post()
  @Describes('createSignInLink', 201, SignInLinkResponse, {
    summary: 'Create a sign-in link for an agent',
    description: 'It works once, for 72 hours, and is returned only now. A newer link revokes the older one.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async create(@AdminContext() context: RequestContext, @Id('agentId') agentId: string, @Req() request: Request) {
    const { token, id, expiresAt } = await this.links.create(context, agentId);
    return { id, url: this.links.urlOf(token, `${request.protocol}://${request.headers.host}`), expiresAt };
  }

  @Delete(':linkId')
  @HttpCode(204)
  @Describes('revokeSignInLink', 204, null, {
    summary: 'Revoke an unused sign-in link',
    description: 'A link that was used already is 404.',
  })
  revoke(@AdminContext() context: RequestContext, @Id('agentId') agentId: string, @Id('linkId') id: string) {
    return this.links.revoke(context, agentId, id);
  }
}
