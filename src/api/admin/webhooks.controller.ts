import { Body, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { NoDeadline } from '../../platform/http/deadline.js';
import { Id } from '../../platform/http/id.pipe.js';
import { PageQuery } from '../../platform/lib/paging.js';
import { Traceparent } from '../../platform/telemetry/trace.js';
import { Organization } from './organization.pipe.js';
import { CreateWebhookDto, toWebhookResponse, UpdateWebhookDto } from './webhooks.dto.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';

@AdminApi('/:organizationId/webhooks')
export class WebhooksAdminController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  async create(@Organization() organizationId: string, @Body() body: CreateWebhookDto) {
    const { row, secret } = await this.webhooks.create(organizationId, body);
    return { ...toWebhookResponse(row), secret };
  }

  @Get()
  async list(@Organization() organizationId: string, @Query() query: PageQuery) {
    const { items, nextCursor } = await this.webhooks.list(organizationId, query, toWebhookResponse);
    return { webhooks: items, nextCursor };
  }

  @Get(':webhookId')
  async get(@Organization() organizationId: string, @Id('webhookId') id: string) {
    return toWebhookResponse(await this.webhooks.get(organizationId, id));
  }

  @Patch(':webhookId')
  async update(@Organization() organizationId: string, @Id('webhookId') id: string, @Body() body: UpdateWebhookDto) {
    return toWebhookResponse(await this.webhooks.update(organizationId, id, body));
  }

  @Delete(':webhookId')
  @HttpCode(204)
  delete(@Organization() organizationId: string, @Id('webhookId') id: string): Promise<void> {
    return this.webhooks.delete(organizationId, id);
  }

  @Post(':webhookId/rotate-secret')
  @HttpCode(200)
  rotateSecret(@Organization() organizationId: string, @Id('webhookId') id: string): Promise<{ secret: string }> {
    return this.webhooks.rotateSecret(organizationId, id);
  }

  @Post(':webhookId/ping')
  @HttpCode(200)
  @NoDeadline()
  async ping(
    @Organization() organizationId: string,
    @Id('webhookId') id: string,
    @Traceparent() traceparent: string | null,
  ) {
    const { status, durationMs, error } = await this.webhooks.ping(organizationId, id, traceparent);
    return { status, durationMs, error };
  }
}
