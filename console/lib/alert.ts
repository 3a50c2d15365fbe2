import type { Row } from '../api/types.js';

export const ALERT_KINDS = ['offers', 'assigned', 'woken', 'messages', 'followed', 'mentions', 'waiting'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Changes older than this, in milliseconds, cause no alert. */
const FRESH_FOR_MS = 15_000;

/**
 * The alert that a changed row causes: the chat was assigned to the agent, is no longer snoozed, its visitor wrote, or it
 * started waiting; or the visitor of a followed chat wrote.
 * @param before the previous row; undefined for a new chat
 * @param now the service's time, in milliseconds
 * @param isFollowed whether the agent follows the chat
 */
export function alertOf(
  before: Row | undefined,
  row: Row,
  agentId: string,
  now: number,
  isFollowed = false,
): AlertKind | null {
  const isFresh = (at: string | null) => at !== null && now - Date.parse(at) < FRESH_FOR_MS;
  const { lastMessage } = row;
  const isSaid = lastMessage?.sender.type === 'VISITOR' && isFresh(lastMessage.createdAt);
  const isNew = isSaid && lastMessage.seq > (before?.lastMessage?.seq ?? 0);
  if (isOf(row, agentId)) {
    // Read at the start, so that its return is noticed.
    if (!before && row.snooze) return null;
    if (before ? !isOf(before, agentId) : lastMessage?.sender.type === 'SYSTEM' && isFresh(lastMessage.createdAt))
      return 'assigned';
    // The message that wakes a chat has its own alert, whether it comes with the same row or came before it.
    if (before?.snooze && !row.snooze && !isSaid) return 'woken';
    return isNew ? 'messages' : null;
  }
  const waitsNow = row.owner === 'QUEUE' && before?.owner !== 'QUEUE' && isFresh(row.queuedAt);
  if (waitsNow && row.offer === null) return 'waiting';
  return isFollowed && isNew ? 'followed' : null;
}

function isOf({ owner, assignedTo }: Row, agentId: string): boolean {
  return owner === 'AGENT' && assignedTo?.id === agentId;
}
