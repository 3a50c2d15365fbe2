/** Why agents pause, as they say it themselves. */
export const BREAKS = ['BREAK', 'LUNCH', 'MEETING'] as const;
export type Break = (typeof BREAKS)[number];

/** Why an agent is PAUSED. MISSED_OFFERS: routing paused them. AWAY: they accept chats, but have made no input for a while. */
export const PAUSE_REASONS = [...BREAKS, 'MISSED_OFFERS', 'AWAY'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];
