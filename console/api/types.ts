import type { Message, MessageType, Sender } from '../../headless/types.js';

/** An id with the name that belongs to it. */
export interface Named {
  id: string;
  name: string;
}

export type Role = 'AGENT' | 'SUPERVISOR' | 'ADMIN';
export type Presence = 'ONLINE' | 'PAUSED' | 'OFFLINE';
export type Owner = 'BOT' | 'QUEUE' | 'AGENT' | 'NOBODY';
export type ViewName = 'MINE' | 'WAITING' | 'BOT' | 'OPEN' | 'CLOSED';

/** The signed-in agent (CONTRACT section 7). */
export interface Me extends Named {
  email: string;
  role: Role;
  capacity: number;
  avatarUrl: string | null;
  groups: Named[];
  isAccepting: boolean;
  presence: Presence;
  hasPassword: boolean;
}

export interface Session {
  agent: Me;
  organization: Named;
  expiresAt: string;
}

export interface OwnSession {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  userAgent: string | null;
  isCurrent: boolean;
}

interface LastMessage {
  id: string;
  seq: number;
  type: MessageType;
  content: string;
  sender: Sender;
  /** Of a message of the service; a node of the release before sends none. */
  metadata?: Record<string, unknown> | null;
  createdAt: string;
}

/** The `seq` up to which each side has read; all agents have one mark. */
export interface ReadMarks {
  visitor: number;
  organization: number;
  agents: number;
}

/** A chat in a view (CONTRACT section 10). */
export interface Row {
  id: string;
  status: 'ACTIVE' | 'QUEUED' | 'CLOSED' | 'ARCHIVED';
  owner: Owner;
  channel: string;
  group: Named | null;
  assignedTo: Named | null;
  lastAgent: Named | null;
  /** `isVerified`: name and email come from a signed identity. */
  visitor: { id: string; name: string | null; email: string | null; isVerified: boolean };
  lastMessage: LastMessage | null;
  messageCount: number;
  isUnread: boolean;
  read: ReadMarks;
  waitingSince: string | null;
  queuedAt: string | null;
  createdAt: string;
  lastMessageAt: string | null;
  closedAt: string | null;
  rev: number;
  /** The visitor's rating, 1 to 5. */
  score: number | null;
  offer: { agentId: string; expiresAt: string } | null;
}

/** A chat that the agent may not see any more. */
export interface GoneRow {
  id: string;
  rev: number;
  isGone: true;
}

export interface EarlierChat {
  id: string;
  status: Row['status'];
  createdAt: string;
  closedAt: string | null;
  messageCount: number;
}

/** What an agent needs to answer a chat. */
export interface Detail extends Row {
  visitor: Row['visitor'] & { metadata: Record<string, unknown>; createdAt: string };
  metadata: Record<string, unknown>;
  handoff: { id: string; reason: string | null; summary: string | null; queuedAt: string } | null;
  viewers: Named[];
  earlierChats: EarlierChat[];
  rating: Rating | null;
}

/** What the visitor says of a chat that has ended. */
export interface Rating {
  score: number;
  comment: string | null;
  ratedAt: string;
  changedAt: string | null;
}

/** A part of a conversation as REST and the socket answer it. */
export interface Batch {
  messages: Message[];
  latestSeq: number;
  hasMore: boolean;
}

export interface Note {
  id: string;
  content: string;
  author: Named;
  /** The chat's highest `seq` when it was written. */
  afterSeq: number;
  createdAt: string;
}

export interface Offer {
  id: string;
  chat: Row;
  expiresAt: string;
}

export interface Colleague extends Named {
  avatarUrl: string | null;
  role: Role;
  groupIds: string[];
  presence: Presence;
  openChats: number;
}

export interface Group extends Named {
  isDefault: boolean;
  availability: 'AVAILABLE' | 'BUSY' | 'OFFLINE';
  onlineAgents: number;
  waitingChats: number;
  /** After how long a waiting chat is unanswered; 0: never. */
  maxWaitSeconds: number;
}

export interface Reply {
  id: string;
  shortcut: string;
  content: string;
}

export interface Counts {
  mine: number;
  mineUnread: number;
  waiting: number;
  bot: number;
}

export type EndReason = 'SIGNED_OUT' | 'EXPIRED' | 'PASSWORD_CHANGED' | 'DISABLED' | 'DELETED';
