/** Where a chat's visitor writes. */
export const CHANNELS = ['WIDGET'] as const;

export type Channel = (typeof CHANNELS)[number];
