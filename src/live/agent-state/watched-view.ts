import { isAtLeast, type Role } from '../../agents/role.js';
import { maySee, type Rights } from '../../chats/model/chat-rights.js';
import { type ChatStatus, isOpen } from '../../chats/model/chat-status.js';
import type { InboxRow } from '../../inbox/views/inbox-row.js';
import type { View } from '../../inbox/views/views.queries.js';

/** A view that a socket watches. */
export interface Watched {
  view: View;
  /** Only chats of this group. */
  groupId?: string;
}

/** The state of a chat that decides which agents get its row, and whether the row has changed. */
export interface TrackedChat {
  organizationId: string;
  id: string;
  status: ChatStatus;
  groupId: string;
  agentId: string | null;
  visitorId: string;
  rev: number;
  messageCount: number;
}

export function toTrackedChat(organizationId: string, row: InboxRow): TrackedChat {
  const { id, status, rev, messageCount } = row;
  const agentId = row.assignedTo?.id ?? null;
  return { organizationId, id, status, rev, messageCount, agentId, groupId: row.group.id, visitorId: row.visitor.id };
}

/** Intersects old and new permissions, so that revocations apply before the agent is reloaded. */
export function intersectRights(
  before: Rights,
  { role, groupIds }: { role: Role; groupIds: readonly string[] },
): Rights {
  return {
    agentId: before.agentId,
    role: isAtLeast(before.role, role) ? role : before.role,
    groupIds: new Set(groupIds.filter((groupId) => before.groupIds.has(groupId))),
  };
}

/** Whether an agent gets a chat's rows without following it: the agent has it, it waits, or the watched view shows it. */
export function isShownTo(rights: Rights, watched: Watched | null, chat: TrackedChat): boolean {
  if (!maySee(rights, chat)) return false;
  return chat.agentId === rights.agentId || chat.status === 'QUEUED' || (watched !== null && isIn(watched, chat));
}

function isIn({ view, groupId }: Watched, chat: TrackedChat): boolean {
  return (groupId === undefined || groupId === chat.groupId) && SHOWS[view](chat);
}

const isEnded = ({ status }: TrackedChat) => !isOpen(status);

/** What each view shows beyond the chats whose rows an agent always gets. */
const SHOWS: Record<View, (chat: TrackedChat) => boolean> = {
  MINE: () => false,
  SNOOZED: () => false,
  WAITING: ({ status }) => status === 'QUEUED',
  BOT: ({ status, agentId }) => status === 'ACTIVE' && agentId === null,
  OPEN: (chat) => !isEnded(chat),
  CLOSED: isEnded,
};

/** The views whose chats an agent's sockets get anyway. */
const ALWAYS_SENT: readonly View[] = ['MINE', 'SNOOZED', 'WAITING'];

/** Whether this view may show chats other than waiting ones and the agent's own. */
export function watchesMore(watched: Watched | null): boolean {
  return watched !== null && !ALWAYS_SENT.includes(watched.view);
}
