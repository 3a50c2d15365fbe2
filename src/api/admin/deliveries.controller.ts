import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { Id } from '../../platform/http/id.pipe.js';
import { Organization } from './organization.pipe.js';
import { DeliveriesQuery, RedeliverDto, toDeliveryResponse } from './deliveries.dto.js';
import { DeliveriesService } from '../../webhooks/deliveries.service.js';

@AdminApi('/:organizationId/webhooks/:webhookId/deliveries')
export class DeliveriesAdminController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  async list(
    @Organization() organizationId: string,
    @Id('webhookId') webhookId: string,
    @Query() { status, type, cursor, limit }: DeliveriesQuery,
  ) {
    const filter = { status, type, before: cursor, limit };
    const { items, nextCursor } = await this.deliveries.list(organizationId, webhookId, filter, toDeliveryResponse);
    return { deliveries: items, nextCursor };
  }

  @Post('redeliver')
  @HttpCode(202)
  async redeliverDead(
    @Organization() organizationId: string,
    @Id('webhookId') webhookId: string,
    @Body() { since }: RedeliverDto,
  ): Promise<{ count: number }> {
    return { count: await this.deliveries.redeliverDead(organizationId, webhookId, new Date(since)) };
  }

  @Get(':deliveryId')
  async get(@Organization() organizationId: string, @Id('webhookId') webhookId: string, @Id('deliveryId') id: string) {
    const row = await this.deliveries.get(organizationId, webhookId, id);
    return { ...toDeliveryResponse(row), payload: row.payload };
  }

  @Post(':deliveryId/redeliver')
  @HttpCode(202)
  async redeliver(
    @Organization() organizationId: string,
    @Id('webhookId') webhookId: string,
    @Id('deliveryId') id: string,
  ) {
    await this.deliveries.redeliver(organizationId, webhookId, id);
    return toDeliveryResponse(await this.deliveries.get(organizationId, webhookId, id));
  }
}
