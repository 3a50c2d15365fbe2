import { Body, HttpCode, Post } from '@nestjs/common';
import { recordedAddress } from '../../auth/audit/audit-changes.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { SecretRotation } from '../../bot-connections/connections/secret-rotation.service.js';
import { RequestPreviews } from '../../bot-connections/engine/previews.service.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { BODY, Describes } from '../describes.js';
import { AdminApi } from './admin-api.decorator.js';
import { AdminContext } from './admin-context.decorator.js';
import {
  ConnectionPreviewResponse,
  ConnectionSecretResponse,
  PreviewConnectionDto,
} from './bot-connection-actions.dto.js';
import { Organization } from './organization.pipe.js';

/** What can be done with a bot's connection (CONTRACT: Connections). */
@AdminApi('/:organizationId/bots/:botId/connection', 'Bots')
export class BotConnectionActionsController {
  constructor(
    private readonly rotation: SecretRotation,
    private readonly previews: RequestPreviews,
    private readonly audit: AuditService,
  ) {}

  @Post('rotate-secret')
  @HttpCode(200)
  @Describes('rotateConnectionSecret', 200, ConnectionSecretResponse, {
    summary: "Rotate the secret of a bot's connection",
    description: 'Requests are signed with the old and the new secret for 24 hours. 409 for kinds without signatures.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  rotateSecret(@AdminContext() context: RequestContext, @Id('botId') botId: string): Promise<ConnectionSecretResponse> {
    return this.rotation.rotate(context.organizationId, botId, (tx, { id, url }) =>
      this.audit.record(
        context,
        { action: 'connection.secret_rotated', target: id, targetName: recordedAddress(url) },
        tx,
      ),
    );
  }

  @Post('preview')
  @HttpCode(200)
  @Describes('previewBotConnection', 200, ConnectionPreviewResponse, {
    summary: "Show a chat's next request",
    description: 'What the endpoint would get if the visitor wrote nothing more. Sends nothing. 409 for a script.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  preview(
    @Organization() organizationId: string,
    @Id('botId') botId: string,
    @Body() { chatId }: PreviewConnectionDto,
  ): Promise<ConnectionPreviewResponse> {
    return this.previews.preview(organizationId, botId, chatId);
  }
}
