import type { SenderType } from '../messages/message.js';
import { EVENT_TYPES, type EventType } from '../receivers/event-type.js';

/** The filters of a subscription. */
export interface Filters {
  /** Null: every type, including types of later releases. */
  events: EventType[] | null;
  /** The senders whose `message.created` is queued. */
  senderTypes: SenderType[];
}

/** The default: all events except messages of bots. */
export const DEFAULT_FILTERS: Filters = { events: null, senderTypes: ['VISITOR', 'AGENT', 'SYSTEM'] };

/** A stored subscription. */
export interface SubscriptionRow {
  id: string;
  /** Null: every type, including types of later releases. */
  events: EventType[] | null;
  senderTypes: SenderType[];
  createdAt: Date;
  lastPolledAt: Date | null;
  /** How many events aren't acknowledged. */
  pending: number;
  /** The time of the oldest of them. */
  oldestAt: Date | null;
}

/** A subscription as bots see it (CONTRACT: Polling for events). */
export interface SubscriptionView {
  events: readonly EventType[];
  senderTypes: readonly SenderType[];
  createdAt: Date;
  lastPolledAt: Date | null;
  pending: number;
}

export function toSubscriptionView(row: SubscriptionRow): SubscriptionView {
  const { events, senderTypes, createdAt, lastPolledAt, pending } = row;
  return { events: events ?? EVENT_TYPES, senderTypes, createdAt, lastPolledAt, pending };
}
