import { CHAT_STATUSES, type ChatStatus } from '../../chats/chat-status.js';
import { Nested, OneOf, Text } from '../../platform/http/validators.js';

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
