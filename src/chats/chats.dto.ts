import { ApiProperty } from '@nestjs/swagger';
import type { ChatStatus } from './chat-status.js';
import type { ChatRow } from './chats.queries.js';

export class NamedResponse {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;
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
}

export function toChatState(row: ChatRow): ChatState {
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
  };
}

/** The agent who has a chat. */
export function toAssignee({ agentId, agentName }: ChatRow): NamedResponse | null {
  return agentId === null ? null : { id: agentId, name: agentName ?? '' };
}
