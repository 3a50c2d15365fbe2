/** How a waiting chat finds an agent: it is claimed, offered to one after the other, or assigned at once. */
export const ROUTINGS = ['MANUAL', 'OFFER', 'AUTOMATIC'] as const;
export type Routing = (typeof ROUTINGS)[number];

/** What happens to a chat that nobody took in time: it goes on waiting, or goes back to the bot. */
export const ON_UNANSWERED = ['KEEP', 'RETURN_TO_BOT'] as const;
export type OnUnanswered = (typeof ON_UNANSWERED)[number];
