import type { ChatStatus } from './chat-status.js';
import type { ChatRow, ChatStateRow } from './chats.queries.js';
import type { ReadRow } from './reads.queries.js';

/** The highest `seq` a chat can reach. */
export const MAX_SEQ = 2_147_483_647;

/** A group or an agent of a chat. */
export interface Named {
  id: string;
  name: string;
}

/** The `seq` up to which each side has read; 0 for nothing. */
export interface ReadState {
  visitor: number;
  /** Bots and agents together. */
  organization: number;
}

/** A chat as its visitor sees it: the `chat` of the socket's events (CONTRACT section 3). */
export interface ChatState {
  id: string;
  status: ChatStatus;
  channel: 'WIDGET';
  group: Named | null;
  assignedTo: Named | null;
  createdAt: string;
  lastMessageAt: string | null;
  messageCount: number;
  metadata: Record<string, unknown>;
  read: ReadState;
}

export function toChatState(row: ChatStateRow): ChatState {
  return {
    id: row.id,
    status: row.status,
    channel: 'WIDGET',
    group: { id: row.groupId, name: row.groupName },
    assignedTo: toAssignee(row),
    createdAt: row.createdAt.toISOString(),
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    messageCount: row.messageCount,
    metadata: row.metadata ?? {},
    read: toReadState(row),
  };
}

export function toReadState({ readByVisitor, readByOrganization }: ReadRow): ReadState {
  return { visitor: readByVisitor, organization: readByOrganization };
}

/** The agent who has a chat. */
export function toAssignee({ agentId, agentName }: ChatRow): Named | null {
  return agentId === null ? null : { id: agentId, name: agentName ?? '' };
}
