/** The states of a chat (CONTRACT: Who has a chat). */
export const CHAT_STATUSES = ['QUEUED', 'ACTIVE', 'CLOSED', 'ARCHIVED'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Whether the chat is ACTIVE or QUEUED. */
export function isOpen(status: ChatStatus): boolean {
  return status === 'ACTIVE' || status === 'QUEUED';
}

/** Who is expected to answer in a chat (CONTRACT: Who has a chat). */
export const OWNERS = ['BOT', 'QUEUE', 'AGENT', 'NOBODY'] as const;
export type Owner = (typeof OWNERS)[number];

/** The owner is derived from the status and the agent; it isn't stored. */
export function ownerOf(status: ChatStatus, agentId: string | null): Owner {
  if (status === 'QUEUED') return 'QUEUE';
  if (status !== 'ACTIVE') return 'NOBODY';
  return agentId === null ? 'BOT' : 'AGENT';
}

/** The same in SQL, for a row of `chats`. @param chat its alias with a dot, if other tables have these columns too */
export const sqlOwner = (chat = 'c.') => `
  CASE ${chat}status WHEN 'QUEUED' THEN 'QUEUE' WHEN 'ACTIVE' THEN CASE WHEN ${chat}agent_id IS NULL THEN 'BOT' ELSE 'AGENT' END
    ELSE 'NOBODY' END`;
