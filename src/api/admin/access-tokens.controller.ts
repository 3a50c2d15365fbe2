import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  AccessTokenResponse,
  AccessTokensResponse,
  CreateAccessTokenDto,
  NewAccessTokenResponse,
  toAccessTokenResponse,
} from './access-tokens.dto.js';
import { AccessTokensService } from '../../auth/bots/access-tokens.service.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import { tokenOf } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { BotsService } from '../../bots/bots.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/bots/:botId/tokens', 'Bots')
export class AccessTokensController {
  constructor(
    private readonly bots: BotsService,
    private readonly tokens: AccessTokensService,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @Describes('createToken', 201, NewAccessTokenResponse, {
    summary: 'Create an access token for a bot',
    description: 'The token is returned only this once.',
    problems: [...BODY, 'not_found'],
  })
  async create(
    @AdminContext() context: RequestContext,
    @Id('botId') botId: string,
    @Body() { name, expiresAt, scopes }: CreateAccessTokenDto,
  ) {
    const bot = await this.bots.get(context.organizationId, botId);
    const fields = { name, scopes, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) };
    const watch = this.audit.hooks(context, tokenOf(bot));
    const { token, row } = await this.tokens.create(context.organizationId, bot.id, fields, watch);
    return { ...toAccessTokenResponse(row), token };
  }

  @Get()
  @Describes('listTokens', 200, AccessTokensResponse, {
    summary: 'List the access tokens of a bot',
    description: 'The tokens themselves are never shown, only their last four characters.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Id('botId') botId: string, @Query() query: PageQuery) {
    const bot = await this.bots.get(organizationId, botId);
    const { items, nextCursor } = await this.tokens.list(organizationId, bot.id, query, toAccessTokenResponse);
    return { tokens: items, nextCursor };
  }

  @Get(':tokenId')
  @Describes('getToken', 200, AccessTokenResponse, {
    summary: 'Get an access token',
    description: 'Shows when the token was last used, exact to a few seconds.',
  })
  async get(@Organization() organizationId: string, @Id('botId') botId: string, @Id('tokenId') id: string) {
    return toAccessTokenResponse(await this.tokens.get(organizationId, botId, id));
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Describes('revokeToken', 204, null, {
    summary: 'Revoke an access token',
    description: 'Takes effect immediately, on every node.',
  })
  async revoke(@AdminContext() context: RequestContext, @Id('botId') botId: string, @Id('tokenId') id: string) {
    const bot = await this.bots.get(context.organizationId, botId);
    await this.tokens.revoke(context.organizationId, bot.id, id, this.audit.hooks(context, tokenOf(bot)));
  }
}
