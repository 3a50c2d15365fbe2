import { Body, Delete, Get, HttpCode, Patch, Put } from '@nestjs/common';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { ConnectionsService } from '../../bot-connections/connections/connections.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { BODY, Describes } from '../describes.js';
import { IfMatch } from '../versioned.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import { CONNECTION } from './audit-subjects.js';
import { ConnectionResponse, PutConnectionResponse, toConnectionResponse } from './bot-connection-responses.dto.js';
import { PutConnectionDto, UpdateConnectionDto } from './bot-connections.dto.js';
import { Organization } from './organization.pipe.js';

/** The address of the endpoint that answers for a bot (CONTRACT: Bots by address). */
@AdminApi('/:organizationId/bots/:botId/connection', 'Bots')
export class BotConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly audit: AuditService,
  ) {}

  @Put()
  @Describes('putBotConnection', 200, PutConnectionResponse, {
    summary: 'Connect a bot to an address',
    description: 'Replaces its connection. Omitted fields have their default; a key and headers that you omit stay.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  async put(
    @AdminContext() context: RequestContext,
    @Id('botId') botId: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: PutConnectionDto,
  ): Promise<PutConnectionResponse> {
    const watch = this.audit.hooks(context, CONNECTION, precondition);
    const { row, secret } = await this.connections.put(context.organizationId, botId, body, watch);
    return { ...toConnectionResponse(row), ...(secret !== null && { secret }) };
  }

  @Get()
  @Describes('getBotConnection', 200, ConnectionResponse, {
    summary: "Get a bot's connection",
    description: 'Without its secrets. 404 while the bot has none. `ETag` is its version without `health`.',
    isVersioned: true,
  })
  async get(@Organization() organizationId: string, @Id('botId') botId: string): Promise<ConnectionResponse> {
    return toConnectionResponse(await this.connections.get(organizationId, botId));
  }

  @Patch()
  @Describes('updateBotConnection', 200, ConnectionResponse, {
    summary: "Change a bot's connection",
    description:
      'Omitted fields stay as they are; null resets a field to its default. `{"isEnabled": false}` pauses it.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  async update(
    @AdminContext() context: RequestContext,
    @Id('botId') botId: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateConnectionDto,
  ): Promise<ConnectionResponse> {
    const watch = this.audit.hooks(context, CONNECTION, precondition);
    const { kind: _, ...fields } = body;
    return toConnectionResponse(await this.connections.update(context.organizationId, botId, fields, watch));
  }

  @Delete()
  @HttpCode(204)
  @Describes('deleteBotConnection', 204, null, {
    summary: "Delete a bot's connection",
    description: 'Its secrets and transcripts are deleted too. Turns that have not ended are handed over.',
  })
  delete(@AdminContext() context: RequestContext, @Id('botId') botId: string): Promise<void> {
    return this.connections.delete(context.organizationId, botId, this.audit.hooks(context, CONNECTION));
  }
}
