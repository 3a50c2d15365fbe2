/** The states of a chat (CONTRACT section 2). */
export const CHAT_STATUSES = ['QUEUED', 'ACTIVE', 'CLOSED', 'ARCHIVED'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Whether the chat is ACTIVE or QUEUED. */
export function isOpen(status: ChatStatus): boolean {
  return status === 'ACTIVE' || status === 'QUEUED';
}
