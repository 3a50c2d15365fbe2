/** Whether a group's agents can take a chat: one has room, all are full, or none is online and accepting. */
export const AVAILABILITIES = ['AVAILABLE', 'BUSY', 'OFFLINE'] as const;
export type Availability = (typeof AVAILABILITIES)[number];
