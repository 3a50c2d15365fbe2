import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../receivers/event-type.js';
import { SomeOf, Text } from '../../platform/validation/validators.js';
import { SENDER_TYPES, type SenderType } from '../../messages/message.js';
import type { NewWebhook, WebhookChange } from '../../webhooks/webhooks.service.js';
import type { WebhookRow } from '../../webhooks/webhooks.queries.js';
import { NextCursor, TextOrNull, Time } from './response-fields.js';

const MAX_URL_LENGTH = 2_048;

class WebhookOptions {
  /** The event types; omitted: all. */
  @SomeOf(EVENT_TYPES)
  events?: EventType[];

  /** The senders whose `message.created` is sent; omitted: all. */
  @SomeOf(SENDER_TYPES)
  senderTypes?: SenderType[];

  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  @ApiPropertyOptional({ type: Boolean })
  isEnabled?: boolean;
}

export class CreateWebhookDto extends WebhookOptions implements NewWebhook {
  @Text(1, MAX_URL_LENGTH)
  url!: string;
}

export class UpdateWebhookDto extends WebhookOptions implements WebhookChange {
  @Text(1, MAX_URL_LENGTH, { optional: true })
  url?: string;
}

export class WebhookResponse {
  @ApiProperty({ example: 'whk_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty()
  url!: string;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] } })
  events!: readonly EventType[];

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...SENDER_TYPES] } })
  senderTypes!: readonly SenderType[];

  @ApiProperty()
  isEnabled!: boolean;

  @TextOrNull({ description: 'Why the service disabled it' })
  disabledReason!: string | null;

  @Time({ nullable: true, description: 'Until when events are signed with the secret before, too' })
  previousSecretExpiresAt!: Date | null;

  @Time()
  createdAt!: Date;
}

export class WebhookSecretResponse {
  @ApiProperty({ description: 'Signs the events. It is returned only this once' })
  secret!: string;
}

export class NewWebhookResponse extends WebhookResponse {
  @ApiProperty({ description: 'Signs the events. It is returned only this once' })
  secret!: string;
}

export class WebhooksResponse {
  @ApiProperty({ type: () => [WebhookResponse] })
  webhooks!: WebhookResponse[];

  @NextCursor()
  nextCursor!: string | null;
}

export class PingResponse {
  @ApiProperty({ type: 'integer', nullable: true, description: 'The status of the answer; null without an answer' })
  status!: number | null;

  @ApiProperty({ type: 'integer' })
  durationMs!: number;

  @TextOrNull()
  error!: string | null;
}

/** A webhook as administrators see it. Its secret is shown only when it is created or rotated. */
export function toWebhookResponse(row: WebhookRow): WebhookResponse {
  const { id, url, isEnabled, disabledReason, previousSecretExpiresAt, createdAt } = row;
  const isRotating = previousSecretExpiresAt !== null && previousSecretExpiresAt > new Date();
  return {
    id,
    url,
    events: row.events ?? EVENT_TYPES,
    senderTypes: row.senderTypes ?? SENDER_TYPES,
    isEnabled,
    disabledReason,
    previousSecretExpiresAt: isRotating ? previousSecretExpiresAt : null,
    createdAt,
  };
}
