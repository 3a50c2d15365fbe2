/** The types of webhook events (CONTRACT section 4). */
export const EVENT_TYPES = ['message.created', 'chat.created', 'chat.transferred', 'chat.closed'] as const;

export type EventType = (typeof EVENT_TYPES)[number];
