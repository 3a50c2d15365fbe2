import { ApiProperty } from '@nestjs/swagger';
import type { ChatStatus } from './chat-status.js';
import type { ChatRow, ChatStateRow } from './chats.queries.js';
import type { ReadRow } from './reads.queries.js';

/** The highest `seq` a chat can reach. */
export const MAX_SEQ = 2_147_483_647;

export class NamedResponse {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;
}

/** The `seq` up to which each side has read; 0 when it has read nothing. */
export class ReadMarks {
  @ApiProperty({ type: 'integer' })
  visitor!: number;

  @ApiProperty({ type: 'integer', description: 'Bots and agents together' })
  organization!: number;
}

/** A chat as its visitor sees it: the `chat` of the socket's events (CONTRACT section 3). */
export interface ChatState {
  id: string;
  status: ChatStatus;
  channel: 'WIDGET';
  group: NamedResponse | null;
  assignedTo: NamedResponse | null;
  createdAt: string;
  lastMessageAt: string | null;
  messageCount: number;
  metadata: Record<string, unknown>;
  read: ReadMarks;
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
    read: toReadMarks(row),
  };
}

export function toReadMarks({ readByVisitor, readByOrganization }: ReadRow): ReadMarks {
  return { visitor: readByVisitor, organization: readByOrganization };
}

/** The agent who has a chat. */
export function toAssignee({ agentId, agentName }: ChatRow): NamedResponse | null {
  return agentId === null ? null : { id: agentId, name: agentName ?? '' };
}
