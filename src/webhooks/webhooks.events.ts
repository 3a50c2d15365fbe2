/** A webhook was deleted; its waiting deliveries are still to be removed. */
export interface WebhookDeleted {
  organizationId: string;
  webhookId: string;
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'webhook.deleted': WebhookDeleted;
  }
}
