import type { Channel } from '../../chats/model/channel.js';
import { type Owner, ownerOf, type ChatStatus } from '../../chats/model/chat-status.js';
import { type Named, type ReadState, toReadState } from '../../chats/reading/chat-state.js';
import type { LastMessage, StoredRow } from './rows.queries.js';

/** The chat's pending offer. */
export interface PendingOffer {
  agentId: string;
  expiresAt: string;
}

/** The chat's agent snoozes it. */
export interface SnoozeState {
  /** When it wakes; null: when the visitor writes. */
  until: string | null;
}

/**
 * A chat in an agent's list (CONTRACT: Agent API). One statement reads it, so that `rev` and `messageCount` belong to the same
 * moment: of two rows of a chat, the newer one is higher in at least one of them, and lower in neither.
 */
export interface InboxRow {
  id: string;
  status: ChatStatus;
  owner: Owner;
  channel: Channel;
  group: Named;
  assignedTo: Named | null;
  /** The last agent, even after the chat's end; null if the agent was removed. */
  lastAgent: Named | null;
  /** `isVerified`: name and email come from a signed identity. */
  visitor: { id: string; name: string | null; email: string | null; isVerified: boolean };
  lastMessage: LastMessage | null;
  /** If `lastMessage` is the service's own: what a person or a bot wrote before it; otherwise null. */
  lastWords: LastMessage | null;
  messageCount: number;
  /** The visitor wrote after the agents' read mark. */
  isUnread: boolean;
  /** Each side's read mark. All agents share one. */
  read: ReadState & { agents: number };
  /** The time of the visitor's first message without an answer from a bot or an agent. */
  waitingSince: string | null;
  /** Since when its bots haven't taken the visitor's message, once that's noticed; null if they have, or don't have the chat. */
  botSilentSince: string | null;
  /** Since when it waits, if its owner is QUEUE. */
  queuedAt: string | null;
  createdAt: string;
  lastMessageAt: string | null;
  closedAt: string | null;
  /** Rises with every change other than a message. */
  rev: number;
  /** The visitor's rating, 1 to 5; null: none. */
  score: number | null;
  /** By name. */
  tags: string[];
  /** How many e-mails agents are to check. */
  mailsToCheck: number;
  offer: PendingOffer | null;
  snooze: SnoozeState | null;
}

/** The last row of a chat that the agent can no longer see (CONTRACT: Agent API). */
export interface GoneRow {
  id: string;
  rev: number;
  isGone: true;
  /** The chat was erased, or removed after its time. Without it, the chat may come back. */
  isRemoved?: true;
}

export function toInboxRow(row: StoredRow): InboxRow {
  const { id, status, channel, messageCount, isUnread, rev, score, mailsToCheck } = row;
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
    lastWords: row.lastWords,
    messageCount,
    isUnread,
    read: { ...toReadState(row), agents: row.readByAgents },
    waitingSince: row.waitingSince?.toISOString() ?? null,
    botSilentSince: row.botSilentSince?.toISOString() ?? null,
    queuedAt: row.queuedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
    rev,
    score,
    tags: row.tags ?? [],
    mailsToCheck,
    offer: toOffer(row),
    snooze: row.isSnoozed ? { until: row.snoozedUntil?.toISOString() ?? null } : null,
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
