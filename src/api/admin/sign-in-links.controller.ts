import { Body, Delete, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../../auth/context/request-context.js';
import { SignInLinksService } from '../../auth/sign-in/sign-in-links.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { InvitationsService } from '../../mail/kinds/invitations.service.js';
import { CreateSignInLinkDto, SignInLinkResponse } from './agents.dto.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { AdminContext } from './admin-context.decorator.js';

@AdminApi('/:organizationId/agents/:agentId/sign-in-links', 'Agents')
export class SignInLinksController {
  constructor(
    private readonly links: SignInLinksService,
    private readonly invitations: InvitationsService,
  ) {}

  @Post()
  @Describes('createSignInLink', 201, SignInLinkResponse, {
    summary: 'Create a sign-in link for an agent',
    description:
      'It works once, for 72 hours, and is returned only now. A newer link revokes the older one. With `send`, it’s also mailed to the agent.',
    problems: [...BODY, 'not_found', 'conflict', 'mail_off'],
  })
  async create(
    @AdminContext() context: RequestContext,
    @Id('agentId') agentId: string,
    @Req() request: Request,
    @Body() { send }: CreateSignInLinkDto,
  ) {
    const creator = send ? this.invitations : this.links;
    const { token, id, expiresAt } = await creator.create(context, agentId);
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
