import { ApiProperty } from '@nestjs/swagger';
import { CHAT_STATUSES, type ChatStatus } from '../../chats/model/chat-status.js';
import { ChatResponse } from '../chats.dto.js';
import { Nested, OneOf, Text } from '../../platform/validation/validators.js';

export class NewVisitorDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @Text(1, 320, { optional: true })
  email?: string;
}

export class CreateChatDto {
  @Nested(() => NewVisitorDto, { optional: true })
  visitor?: NewVisitorDto;

  /** The group's id; omitted: the default group. */
  @Text(1, 64, { optional: true })
  groupId?: string;
}

export class UpdateChatDto {
  @OneOf(CHAT_STATUSES)
  status!: ChatStatus;
}

export class NewChatResponse extends ChatResponse {
  @ApiProperty({ description: 'Opens the chat as its visitor' })
  visitorToken!: string;
}
