import type { Lane } from './lane.js';

/** Deliveries were queued in these lanes. */
export interface DeliveriesQueued {
  lanes: readonly Lane[];
}

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'deliveries.queued': DeliveriesQueued;
  }
}
