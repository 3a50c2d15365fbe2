import { Body, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CreateAccessTokenDto, toAccessTokenResponse } from './access-tokens.dto.js';
import { AccessTokensService } from '../../auth/access-tokens.service.js';
import { AdminApi } from './admin-api.decorator.js';
import { BotsService } from '../../bots/bots.service.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { Organization } from './organization.pipe.js';

@AdminApi('/:organizationId/bots/:botId/tokens')
export class TokensAdminController {
  constructor(
    private readonly bots: BotsService,
    private readonly tokens: AccessTokensService,
  ) {}

  @Post()
  async create(
    @Organization() organizationId: string,
    @Id('botId') botId: string,
    @Body() { name, expiresAt }: CreateAccessTokenDto,
  ) {
    const bot = await this.bots.get(organizationId, botId);
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    const { token, row } = await this.tokens.create(organizationId, bot.id, name ?? null, expiry);
    return { ...toAccessTokenResponse(row), token };
  }

  @Get()
  async list(@Organization() organizationId: string, @Id('botId') botId: string, @Query() query: PageQuery) {
    const bot = await this.bots.get(organizationId, botId);
    const { items, nextCursor } = await this.tokens.list(organizationId, bot.id, query, toAccessTokenResponse);
    return { tokens: items, nextCursor };
  }

  @Get(':tokenId')
  async get(@Organization() organizationId: string, @Id('botId') botId: string, @Id('tokenId') id: string) {
    return toAccessTokenResponse(await this.tokens.get(organizationId, botId, id));
  }

  @Delete(':tokenId')
  @HttpCode(204)
  revoke(@Organization() organizationId: string, @Id('botId') botId: string, @Id('tokenId') id: string): Promise<void> {
    return this.tokens.revoke(organizationId, botId, id);
  }
}
