import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../chats/model/channel.js';
import { type Owner, OWNERS, CHAT_STATUSES, type ChatStatus } from '../chats/model/chat-status.js';
import type { ChatState } from '../chats/reading/chat-state.js';
import { NamedResponse } from '../platform/http/responses/problem.dto.js';
import { RatingResponse, ReadMarks } from './chats.dto.js';

class AssigneeResponse extends NamedResponse {
  @ApiProperty({ type: String, nullable: true })
  avatarUrl!: string | null;
}

class QueueResponse {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1_000 })
  position!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when too few chats were assigned lately to tell' })
  estimatedWaitSeconds!: number | null;

  @ApiProperty({ description: "Whether it's within the group's office hours" })
  isOpen!: boolean;

  @ApiProperty({ description: 'Whether an agent of the group is online' })
  isStaffed!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the group opens; null while it is open, and if it never opens',
  })
  nextOpening!: string | null;
}

/** A chat as its visitor sees it: `chat` of the socket (CONTRACT: Visitors). */
export class ChatStateResponse implements ChatState {
  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: [...CHAT_STATUSES] })
  status!: ChatStatus;

  @ApiProperty({ enum: [...OWNERS], description: 'Who is expected to answer' })
  owner!: Owner;

  @ApiProperty({ enum: [...CHANNELS] })
  channel!: Channel;

  @ApiProperty({ type: () => NamedResponse, nullable: true })
  group!: NamedResponse | null;

  @ApiProperty({ type: () => AssigneeResponse, nullable: true, description: 'The agent who has it' })
  assignedTo!: AssigneeResponse | null;

  @ApiProperty({ type: () => QueueResponse, nullable: true, description: 'Null while it does not wait for an agent' })
  queue!: QueueResponse | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastMessageAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'The highest `seq` of its messages' })
  messageCount!: number;

  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: Record<string, unknown>;

  @ApiProperty({ type: () => ReadMarks })
  read!: ReadMarks;

  @ApiProperty({ type: () => RatingResponse, nullable: true, description: "The visitor's rating" })
  rating!: RatingResponse | null;
}
