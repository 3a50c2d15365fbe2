import type { Channel } from '../chats/model/channel.js';
import { type Owner, ownerOf } from '../chats/model/chat-owner.js';
import { type Named, type ReadState, toReadState } from '../chats/reading/chat-state.js';
import type { ChatStatus } from '../chats/model/chat-status.js';
import type { LastMessage, StoredRow } from './rows.queries.js';

/** An offer of the chat that waits for the agent's answer. */
export interface PendingOffer {
  agentId: string;
  expiresAt: string;
}

/**
 * A chat in a list of agents (CONTRACT section 10). It is read in one statement, so that `rev` and `messageCount` belong to
 * one moment: of two rows of a chat the newer one is lower in neither and higher in one.
 */
export interface InboxRow {
  id: string;
  status: ChatStatus;
  owner: Owner;
  channel: Channel;
  group: Named;
  assignedTo: Named | null;
  /** The agent who had it last, also after its end; null when the agent was removed. */
  lastAgent: Named | null;
  /** `isVerified`: name and email come from a signed identity. */
  visitor: { id: string; name: string | null; email: string | null; isVerified: boolean };
  lastMessage: LastMessage | null;
  messageCount: number;
  /** Whether the visitor wrote after the agents' read mark. */
  isUnread: boolean;
  /** How far each side has read; all agents have one mark. */
  read: ReadState & { agents: number };
  /** The visitor's first message that neither a bot nor an agent answered. */
  waitingSince: string | null;
  /** Since when it waits, while its owner is QUEUE. */
  queuedAt: string | null;
  createdAt: string;
  lastMessageAt: string | null;
  closedAt: string | null;
  /** Rises with every change that is no message. */
  rev: number;
  /** The visitor's rating, 1 to 5; null: none. */
  score: number | null;
  offer: PendingOffer | null;
}

export function toInboxRow(row: StoredRow): InboxRow {
  const { id, status, channel, messageCount, isUnread, rev, score } = row;
  return {
    id,
    status,
    owner: ownerOf(status, row.agentId),
    channel,
    group: { id: row.groupId, name: row.groupName },
    assignedTo: named(row.agentId, row.agentName),
    lastAgent: named(row.lastAgentId, row.lastAgentName),
    visitor: toVisitor(row),
    lastMessage: row.lastMessage,
    messageCount,
    isUnread,
    read: { ...toReadState(row), agents: row.readByAgents },
    waitingSince: row.waitingSince?.toISOString() ?? null,
    queuedAt: row.queuedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
    rev,
    score,
    offer: toOffer(row),
  };
}

function toVisitor({ visitorId, visitorName, visitorEmail, visitorIsVerified }: StoredRow): InboxRow['visitor'] {
  return { id: visitorId, name: visitorName, email: visitorEmail, isVerified: visitorIsVerified };
}

function named(id: string | null, name: string | null): Named | null {
  return id === null ? null : { id, name: name ?? '' };
}

function toOffer({ offeredTo, offerExpiresAt }: StoredRow): PendingOffer | null {
  return offeredTo === null || offerExpiresAt === null
    ? null
    : { agentId: offeredTo, expiresAt: offerExpiresAt.toISOString() };
}
