import type { Rating } from '../../chats/reading/ratings.queries.js';
import type { EarlierChat, HandoffSummary, StoredDetail } from './detail.queries.js';
import { type InboxRow, toInboxRow } from './inbox-row.js';

/** A chat with what an agent needs to answer it (CONTRACT section 10). */
export interface ChatDetail extends InboxRow {
  visitor: InboxRow['visitor'] & { metadata: Record<string, unknown>; createdAt: string };
  metadata: Record<string, unknown>;
  /** The latest stay in the queue, running or ended; null if it never waited. */
  handoff: HandoffSummary | null;
  /** Earlier chats of the same visitor that the agent may see, latest first. */
  earlierChats: EarlierChat[];
  rating: Rating | null;
}

export function toChatDetail(stored: StoredDetail): ChatDetail {
  const row = toInboxRow(stored);
  const { handoff, earlierChats, rating, visitorMetadata, visitorCreatedAt } = stored;
  return {
    ...row,
    visitor: { ...row.visitor, metadata: visitorMetadata ?? {}, createdAt: visitorCreatedAt.toISOString() },
    metadata: stored.metadata ?? {},
    handoff,
    earlierChats,
    rating,
  };
}
