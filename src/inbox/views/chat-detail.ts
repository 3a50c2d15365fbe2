import type { MessageRating } from '../../chats/reading/message-ratings.queries.js';
import type { Rating } from '../../chats/reading/ratings.queries.js';
import type { AddressStatus } from '../../visitors/address-status.queries.js';
import type { StoredAttributes } from '../../visitors/visitors.queries.js';
import type { VisitorBlock } from '../../visitors/visitor-blocks.queries.js';
import type { FileLinks } from '../../files/file-links.js';
import type { ChatMissedMail, EarlierChat, HandoffSummary, StoredDetail } from './detail.queries.js';
import { type InboxRow, toInboxRow } from './inbox-row.js';
import { type MailToCheck, toMailsToCheck } from './mails-to-check.js';

/** A chat with what an agent needs to answer it (CONTRACT: Agent API). */
export interface ChatDetail extends InboxRow {
  visitor: InboxRow['visitor'] & {
    metadata: Record<string, unknown>;
    attributes: NonNullable<StoredAttributes>;
    /** What the signed identity says. */
    verifiedAttributes: NonNullable<StoredAttributes>;
    createdAt: string;
    block: VisitorBlock | null;
  } & {
    /** Null without an address, or if this installation sends no mail. */
    mailStatus: AddressStatus | null;
  };
  metadata: Record<string, unknown>;
  attributes: NonNullable<StoredAttributes>;
  /** The title that a bot or an agent gave the chat. */
  title: string | null;
  /** The latest stay in the queue, running or ended; null if it never waited. */
  handoff: HandoffSummary | null;
  /** Earlier chats of the same visitor that the agent may see, latest first. */
  earlierChats: EarlierChat[];
  rating: Rating | null;
  /** The ratings of bots' messages, the newest 200, in the order of the messages. */
  messageRatings: MessageRating[];
  /** E-mails that agents are to check, oldest first, at most 50. */
  mails: MailToCheck[];
  /** Whether an agent can send the visitor a transcript. */
  canSendTranscript: boolean;
  /** Null without one. */
  missedMail: ChatMissedMail | null;
}

export function toChatDetail(stored: StoredDetail, links: FileLinks, mailStatus: AddressStatus | null): ChatDetail {
  const row = toInboxRow(stored);
  const { handoff, earlierChats, rating, messageRatings, visitorMetadata, visitorCreatedAt } = stored;
  return {
    ...row,
    visitor: {
      ...row.visitor,
      metadata: visitorMetadata ?? {},
      attributes: stored.visitorAttributes ?? {},
      verifiedAttributes: stored.visitorVerifiedAttributes ?? {},
      createdAt: visitorCreatedAt.toISOString(),
      block: stored.block,
      mailStatus,
    },
    metadata: stored.metadata ?? {},
    attributes: stored.attributes ?? {},
    title: stored.title,
    handoff,
    earlierChats,
    rating,
    messageRatings,
    mails: toMailsToCheck(stored.mails, links),
    canSendTranscript: mailStatus === 'ACTIVE' && stored.sendsTranscripts,
    missedMail: stored.missedMail,
  };
}
