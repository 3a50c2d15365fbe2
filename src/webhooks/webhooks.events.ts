/** A webhook was deleted. Its waiting deliveries are yet to be removed. */
export interface WebhookDeleted {
  organizationId: string;
  webhookId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'webhook.deleted': WebhookDeleted;
  }
}
