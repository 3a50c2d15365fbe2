import { IsBoolean } from 'class-validator';
import { MAX_SEQ } from '../../chats/reading/chat-state.js';
import { type View, VIEWS } from '../../inbox/views/views.queries.js';
import { MAX_MESSAGES } from '../../messages/message.js';
import { SCALAR, Sized } from '../../platform/validation/body-size.js';
import { Nullable } from '../../platform/validation/validation-rules.js';
import { Check, Text, WholeNumber } from '../../platform/validation/validators.js';
import { ReadDto, TypingDto } from '../signals.dto.js';
import { AgentMessageDto } from './actions.dto.js';

/** `chat:follow`. */
export class FollowDto {
  @Text(1, 64)
  chatId!: string;

  @WholeNumber(0, MAX_SEQ, { optional: true })
  afterSeq?: number;
}

/** `chat:unfollow`. */
export class UnfollowDto {
  @Text(1, 64)
  chatId!: string;
}

/** `view:watch`. */
export class WatchDto {
  /** Null ends it. */
  @Nullable()
  @Check('view', findViewFault)
  @Sized(SCALAR)
  view!: View | null;

  @Text(1, 64, { optional: true })
  groupId?: string;
}

/** `input`. It has no fields. */
export class InputDto {}

/** `visible`. */
export class VisibleDto {
  @IsBoolean({ message: 'must be a boolean' })
  isVisible!: boolean;
}

/** `message:send`. */
export class SendAgentMessageDto extends AgentMessageDto {
  @Text(1, 64)
  chatId!: string;
}

/** `sync`. */
export class AgentSyncDto {
  @Text(1, 64)
  chatId!: string;

  @WholeNumber(0, MAX_SEQ)
  afterSeq!: number;

  @WholeNumber(1, MAX_MESSAGES, { optional: true })
  limit?: number;
}

/** `typing`. */
export class AgentTypingDto extends TypingDto {
  @Text(1, 64)
  chatId!: string;
}

/** `read`. */
export class AgentReadDto extends ReadDto {
  @Text(1, 64)
  chatId!: string;
}

function findViewFault(value: unknown): string | null {
  return value === null || VIEWS.includes(value as View) ? null : `must be one of ${VIEWS.join(', ')}, or null`;
}
