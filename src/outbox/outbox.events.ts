/** Deliveries were queued in these lanes, each written as `organizationId/webhookId`, separated by spaces. */
export interface DeliveriesQueued {
  lanes: string;
}

/** The lanes whose deliveries are sent to a URL. */
export function lanesOfWebhooks({ lanes }: DeliveriesQueued): string[] {
  const all = lanes.split(' ');
  return lanes.includes(OF_BOT) ? all.filter((lane) => !lane.includes(OF_BOT)) : all;
}

/** The lanes whose deliveries wait until a bot fetches them. */
export function lanesOfBots({ lanes }: DeliveriesQueued): string[] {
  return lanes.includes(OF_BOT) ? lanes.split(' ').filter((lane) => lane.includes(OF_BOT)) : [];
}

const OF_BOT = '/sub_';

declare module '../platform/database/domain-events.js' {
  interface DomainEvents {
    'deliveries.queued': DeliveriesQueued;
  }
}
