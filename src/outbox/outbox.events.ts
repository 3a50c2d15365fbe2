/** Deliveries were queued in these lanes, each written as `organizationId/webhookId`, separated by spaces. */
export interface DeliveriesQueued {
  lanes: string;
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'deliveries.queued': DeliveriesQueued;
  }
}
