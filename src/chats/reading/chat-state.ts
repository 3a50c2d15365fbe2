import { pictureIdOf } from '../../platform/lib/web-url.js';
import type { Channel } from '../model/channel.js';
import { type Owner, ownerOf, type ChatStatus } from '../model/chat-status.js';
import type { ChatRow, ChatStateRow } from './chats.queries.js';
import { estimateWait } from './queue-sql.js';
import type { Rating } from './ratings.queries.js';
import type { ReadRow } from './reads.queries.js';

/** The highest `seq` that a chat can reach. */
export const MAX_SEQ = 2_147_483_647;

/** A group or an agent of a chat. */
export interface Named {
  id: string;
  name: string;
}

/** The `seq` of the last message that each side has read; 0 for none. */
export interface ReadState {
  visitor: number;
  /** Bots and agents together. */
  organization: number;
}

/** The place of a waiting chat, and whether its group is within its office hours. */
export interface QueueState {
  position: number;
  estimatedWaitSeconds: number | null;
  isOpen: boolean;
  /** Whether an agent of the group is online. */
  isStaffed: boolean;
  /** When the group opens; null while it's open, and if it never opens. */
  nextOpening: string | null;
}

/** A chat as its visitor sees it: the `chat` of the socket's events (CONTRACT: Visitors). */
export interface ChatState {
  id: string;
  status: ChatStatus;
  channel: Channel;
  group: Named | null;
  /** The chat's agent. Visitors see the name. */
  assignedTo: (Named & { avatarUrl: string | null }) | null;
  owner: Owner;
  /** The position in the queue; null unless it waits. */
  queue: QueueState | null;
  createdAt: string;
  lastMessageAt: string | null;
  messageCount: number;
  metadata: Record<string, unknown>;
  read: ReadState;
  /** The visitor's rating, possible once it has ended. */
  rating: Rating | null;
}

export function toChatState(row: ChatStateRow): ChatState {
  const agent = toAssignee(row);
  return {
    id: row.id,
    status: row.status,
    channel: row.channel,
    group: { id: row.groupId, name: row.groupName },
    assignedTo: agent && { ...agent, avatarUrl: shownPicture(row.agentAvatarUrl) },
    owner: ownerOf(row.status, row.agentId),
    queue: toQueueState(row),
    createdAt: row.createdAt.toISOString(),
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    messageCount: row.messageCount,
    metadata: row.metadata ?? {},
    read: toReadState(row),
    rating: row.rating,
  };
}

// Another host would see the visitor's address. `PictureUpkeep` moves what an earlier release stored.
function shownPicture(address: string | null): string | null {
  return address !== null && pictureIdOf(address) !== null ? address : null;
}

function toQueueState({ position, pace, isOpen, isStaffed, nextOpening }: ChatStateRow): QueueState | null {
  if (position === null) return null;
  const estimatedWaitSeconds = estimateWait(position, isOpen ? pace : null);
  return { position, estimatedWaitSeconds, isOpen, isStaffed, nextOpening: nextOpening?.toISOString() ?? null };
}

export function toReadState({ readByVisitor, readByOrganization }: ReadRow): ReadState {
  return { visitor: readByVisitor, organization: readByOrganization };
}

/** The chat's agent. */
export function toAssignee({ agentId, agentName }: ChatRow): Named | null {
  return agentId === null ? null : { id: agentId, name: agentName ?? '' };
}
