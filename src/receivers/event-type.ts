/** The types of webhook events (CONTRACT: Webhooks and CONTRACT: Who has a chat). */
export const EVENT_TYPES = [
  'message.created',
  'chat.created',
  'chat.transferred',
  'chat.assigned',
  'chat.unassigned',
  'chat.returned',
  'chat.unanswered',
  'chat.reopened',
  'chat.closed',
  'chat.rated',
  'chat.tagged',
  'chat.updated',
  'visitor.updated',
  'message.rated',
  'handoff.requested',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** The events of a chat that comes back to the bots. `chat.unanswered` may also mean that it keeps waiting. */
export const RETURNS: readonly EventType[] = ['chat.returned', 'chat.unanswered'];

export const isReturn = (type: unknown): boolean => RETURNS.includes(type as EventType);

/** The id of a delivery's event. */
export function eventIdOf(deliveryId: string): string {
  return deliveryId.replace('dlv', 'evt');
}
