/** How a waiting chat finds an agent: agents claim it, it's offered to one agent after the other, or it's assigned immediately. */
export const ROUTINGS = ['MANUAL', 'OFFER', 'AUTOMATIC'] as const;
export type Routing = (typeof ROUTINGS)[number];

/** What happens to a chat that no agent took in time: it keeps waiting, or returns to the bot. */
export const ON_UNANSWERED = ['KEEP', 'RETURN_TO_BOT'] as const;
export type OnUnanswered = (typeof ON_UNANSWERED)[number];
