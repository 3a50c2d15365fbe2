import { IsBoolean, IsOptional } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../outbox/event-type.js';
import { SomeOf, Text } from '../../platform/http/validators.js';
import { SENDER_TYPES, type SenderType } from '../../messages/message.js';
import type { NewWebhook, WebhookChange } from '../../webhooks/webhooks.service.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';

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

/** A webhook as administrators see it. Its secret is shown only when it is created or rotated. */
export function toWebhookResponse(row: Webhook) {
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
