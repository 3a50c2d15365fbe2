/** Deliveries were queued: the lanes they wait in, each as `organizationId/webhookId`, separated by spaces. */
export interface DeliveriesQueued {
  lanes: string;
}

declare module '../platform/lib/domain-events.js' {
  interface DomainEvents {
    'deliveries.queued': DeliveriesQueued;
  }
}
