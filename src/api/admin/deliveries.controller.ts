import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { AdminApi } from './admin-api.decorator.js';
import { BODY, Describes } from '../describes.js';
import { Id } from '../../platform/http/requests/id.pipe.js';
import { Organization } from './organization.pipe.js';
import {
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryResponse,
  RedeliverDto,
  RedeliveriesResponse,
  SentDeliveryResponse,
  toDeliveryResponse,
} from './deliveries.dto.js';
import { DeliveriesService } from '../../webhooks/deliveries.service.js';

@AdminApi('/:organizationId/webhooks/:webhookId/deliveries', 'Webhooks')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @Describes('listDeliveries', 200, DeliveriesResponse, {
    summary: 'List the deliveries of a webhook',
    description: 'Newest first, with every attempt.',
    problems: ['validation_failed', 'not_found'],
  })
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
  @Describes('redeliverDead', 202, RedeliveriesResponse, {
    summary: 'Redeliver dead deliveries',
    description: 'Queues every dead delivery that was created at `since` or later.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async redeliverDead(
    @Organization() organizationId: string,
    @Id('webhookId') webhookId: string,
    @Body() { since }: RedeliverDto,
  ): Promise<{ count: number }> {
    return { count: await this.deliveries.redeliverDead(organizationId, webhookId, new Date(since)) };
  }

  @Get(':deliveryId')
  @Describes('getDelivery', 200, SentDeliveryResponse, {
    summary: 'Get a delivery',
    description: 'With the body that is sent.',
  })
  async get(@Organization() organizationId: string, @Id('webhookId') webhookId: string, @Id('deliveryId') id: string) {
    const row = await this.deliveries.get(organizationId, webhookId, id);
    return { ...toDeliveryResponse(row), payload: row.payload };
  }

  @Post(':deliveryId/redeliver')
  @HttpCode(202)
  @Describes('redeliver', 202, DeliveryResponse, {
    summary: 'Redeliver one delivery',
    description: 'Queues a delivered or dead delivery again. 409 while it is pending or in flight.',
    problems: [...BODY, 'not_found', 'conflict'],
  })
  async redeliver(
    @Organization() organizationId: string,
    @Id('webhookId') webhookId: string,
    @Id('deliveryId') id: string,
  ) {
    await this.deliveries.redeliver(organizationId, webhookId, id);
    return toDeliveryResponse(await this.deliveries.get(organizationId, webhookId, id));
  }
}
