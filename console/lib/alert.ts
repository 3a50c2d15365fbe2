import type { Row } from '../api/types.js';

/** What an agent can be alerted of. */
export const ALERT_KINDS = ['offers', 'assigned', 'messages', 'waiting'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** A row says for this long that something has just happened, in milliseconds: older news were there before. */
const NEWS_FOR = 15_000;

/**
 * What a newer row of a chat alerts of: it was given to the agent, its visitor has written to the agent, or it has begun to wait.
 * @param before the row that was known; undefined: none
 * @param now the service's time, in milliseconds
 */
export function alertOf(before: Row | undefined, row: Row, agentId: string, now: number): AlertKind | null {
  const isFresh = (at: string | null) => at !== null && now - Date.parse(at) < NEWS_FOR;
  const { lastMessage } = row;
  if (isOf(row, agentId)) {
    const isSaid = lastMessage?.sender.type === 'VISITOR' && isFresh(lastMessage.createdAt);
    if (before ? !isOf(before, agentId) : lastMessage?.sender.type === 'SYSTEM' && isFresh(lastMessage.createdAt))
      return 'assigned';
    return isSaid && lastMessage.seq > (before?.lastMessage?.seq ?? 0) ? 'messages' : null;
  }
  const waitsNow = row.owner === 'QUEUE' && before?.owner !== 'QUEUE' && isFresh(row.queuedAt);
  return waitsNow && row.offer === null ? 'waiting' : null;
}

function isOf({ owner, assignedTo }: Row, agentId: string): boolean {
  return owner === 'AGENT' && assignedTo?.id === agentId;
}
