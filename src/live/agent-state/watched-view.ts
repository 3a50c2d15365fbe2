import { isAtLeast, type Role } from '../../agents/role.js';
import { maySee, type Rights } from '../../chats/model/chat-rights.js';
import { type ChatStatus, isOpen } from '../../chats/model/chat-status.js';
import type { InboxRow } from '../../inbox/inbox-row.js';
import type { View } from '../../inbox/views.queries.js';

/** A view that a socket watches. */
export interface Watched {
  view: View;
  /** Only chats of this group. */
  groupId?: string;
}

/** What decides who gets a chat's rows, and whether they have changed. */
export interface ChatPlace {
  organizationId: string;
  id: string;
  status: ChatStatus;
  groupId: string;
  agentId: string | null;
  visitorId: string;
  rev: number;
  messageCount: number;
}

export function placeOf(organizationId: string, row: InboxRow): ChatPlace {
  const { id, status, rev, messageCount } = row;
  const agentId = row.assignedTo?.id ?? null;
  return { organizationId, id, status, rev, messageCount, agentId, groupId: row.group.id, visitorId: row.visitor.id };
}

/** The rights that an agent had before and has still: what may be taken at once, before the agent is read again. */
export function narrow(before: Rights, { role, groupIds }: { role: Role; groupIds: readonly string[] }): Rights {
  return {
    agentId: before.agentId,
    role: isAtLeast(before.role, role) ? role : before.role,
    groupIds: new Set(groupIds.filter((groupId) => before.groupIds.has(groupId))),
  };
}

/** Whether an agent gets the rows of a chat without following it: it has the chat, it waits, or its view shows it. */
export function concerns(rights: Rights, watched: Watched | null, place: ChatPlace): boolean {
  if (!maySee(rights, place)) return false;
  return place.agentId === rights.agentId || place.status === 'QUEUED' || (watched !== null && isIn(watched, place));
}

function isIn({ view, groupId }: Watched, place: ChatPlace): boolean {
  return (groupId === undefined || groupId === place.groupId) && SHOWS[view](place);
}

const isEnded = ({ status }: ChatPlace) => !isOpen(status);

/** What each view shows beside the chats that an agent gets in any case. */
const SHOWS: Record<View, (place: ChatPlace) => boolean> = {
  MINE: () => false,
  WAITING: ({ status }) => status === 'QUEUED',
  BOT: ({ status, agentId }) => status === 'ACTIVE' && agentId === null,
  OPEN: (place) => !isEnded(place),
  CLOSED: isEnded,
};

/** Whether a socket with this view must be asked about every chat of the organization. */
export function watchesMore(watched: Watched | null): boolean {
  return watched !== null && watched.view !== 'MINE' && watched.view !== 'WAITING';
}
