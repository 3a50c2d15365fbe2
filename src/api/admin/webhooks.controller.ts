import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { recordedAddress } from '../../auth/audit/audit-changes.js';
import { AuditService } from '../../auth/audit/audit.service.js';
import type { RequestContext } from '../../auth/context/request-context.js';
import { AdminContext } from './admin-context.decorator.js';
import type { Precondition } from '../../platform/http/responses/etag.js';
import { IfMatch } from '../versioned.js';
import { WEBHOOK } from './audit-subjects.js';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { RouteLimits } from '../../platform/http/requests/route-limits.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { PageQuery } from '../../platform/validation/paging.js';
import { Traceparent } from '../../platform/telemetry/trace.js';
import { Organization } from './organization.pipe.js';
import {
  CreateWebhookDto,
  NewWebhookResponse,
  PingResponse,
  toWebhookResponse,
  UpdateWebhookDto,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from './webhooks.dto.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';

@AdminApi('/:organizationId/webhooks', 'Webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @Describes('createWebhook', 201, NewWebhookResponse, {
    summary: 'Create a webhook',
    description: 'The secret is returned only this once. An organization has at most 50 webhooks.',
    problems: [...BODY, 'not_found', 'conflict'],
    isVersioned: true,
  })
  async create(@AdminContext() context: RequestContext, @Body() body: CreateWebhookDto) {
    const watch = this.audit.hooks(context, WEBHOOK);
    const { row, secret } = await this.webhooks.create(context.organizationId, body, watch);
    return { ...toWebhookResponse(row), secret };
  }

  @Get()
  @Describes('listWebhooks', 200, WebhooksResponse, {
    summary: 'List the webhooks',
    description: 'Without their secrets.',
    problems: ['validation_failed', 'not_found'],
  })
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.webhooks.list(organizationId, query, toWebhookResponse);
    return { webhooks: items, nextCursor };
  }

  @Get(':webhookId')
  @Describes('getWebhook', 200, WebhookResponse, {
    summary: 'Get a webhook',
    description: "`ETag` is the webhook's version, for `If-Match`.",
    isVersioned: true,
  })
  async get(@Organization() organizationId: string, @Id('webhookId') id: string) {
    return toWebhookResponse(await this.webhooks.get(organizationId, id));
  }

  @Patch(':webhookId')
  @Describes('updateWebhook', 200, WebhookResponse, {
    summary: 'Change a webhook',
    description:
      'Omitted fields stay as they are. Enabling a disabled webhook does not bring back the events it missed.',
    problems: [...BODY, 'not_found'],
    isVersioned: true,
  })
  async update(
    @AdminContext() context: RequestContext,
    @Id('webhookId') id: string,
    @IfMatch() precondition: Precondition | null,
    @Body() body: UpdateWebhookDto,
  ) {
    const watch = this.audit.hooks(context, WEBHOOK, precondition);
    return toWebhookResponse(await this.webhooks.update(context.organizationId, id, body, watch));
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @Describes('deleteWebhook', 204, null, {
    summary: 'Delete a webhook',
    description: 'Its pending deliveries are dropped.',
  })
  delete(@AdminContext() context: RequestContext, @Id('webhookId') id: string): Promise<void> {
    return this.webhooks.delete(context.organizationId, id, this.audit.hooks(context, WEBHOOK));
  }

  @Post(':webhookId/rotate-secret')
  @HttpCode(200)
  @Describes('rotateSecret', 200, WebhookSecretResponse, {
    summary: 'Rotate the secret of a webhook',
    description: 'Events are signed with the old and the new secret for 24 hours.',
    problems: [...BODY, 'not_found'],
  })
  rotateSecret(@AdminContext() context: RequestContext, @Id('webhookId') id: string): Promise<{ secret: string }> {
    return this.webhooks.rotateSecret(context.organizationId, id, (tx, webhook) =>
      this.audit.record(
        context,
        { action: 'webhook.secret_rotated', target: id, targetName: recordedAddress(webhook.url) },
        tx,
      ),
    );
  }

  @Post(':webhookId/ping')
  @HttpCode(200)
  @RouteLimits({ deadlineMs: null })
  @Describes('pingWebhook', 200, PingResponse, {
    summary: 'Send a test event and return the response',
    description: 'The event has the type `ping`, is not stored, and is not retried.',
    problems: [...BODY, 'not_found'],
  })
  async ping(
    @Organization() organizationId: string,
    @Id('webhookId') id: string,
    @Traceparent() traceparent: string | null,
  ) {
    const { status, durationMs, error } = await this.webhooks.ping(organizationId, id, traceparent);
    return { status, durationMs, error };
  }
}
