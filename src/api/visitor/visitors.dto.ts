import { IsBoolean, IsOptional } from 'class-validator';
import type { GivenRating } from '../../chats/moves/ratings.service.js';
import { MAX_SEQ } from '../../chats/reading/chat-state.js';
import { ReadDto, TypingDto } from '../signals.dto.js';
import { Sized, sizeOfBytes } from '../../platform/validation/body-size.js';
import { MAX_METADATA_BYTES, Metadata, Nested, Text, WholeNumber } from '../../platform/validation/validators.js';
import { MessageContent } from '../messages.dto.js';
import { MAX_MESSAGES, type ReplyTo } from '../../messages/message.js';

/** The visitor's unsigned profile from the page. */
export class VisitorDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @Text(1, 320, { optional: true })
  email?: string;

  @Metadata()
  metadata?: Record<string, unknown>;
}

/** The body of `POST /api/visitor/sessions` (CONTRACT section 3). */
export class CreateSessionDto {
  @Text(1, 64)
  widgetKey!: string;

  @Nested(() => VisitorDto, { optional: true })
  visitor?: VisitorDto;

  /** A JWT that the customer's server signed with the organization's identity secret. */
  @Text(1, 8192, { optional: true })
  identity?: string;

  /** Whether the person of the identity takes over the open chats of the anonymous visitor of the sent token. */
  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  merge?: boolean;
}

/** `chat:open`, and the body of `POST /api/visitor/chats`. */
export class OpenChatDto {
  @Text(1, 64, { optional: true })
  chatId?: string;

  @WholeNumber(0, MAX_SEQ, { optional: true })
  afterSeq?: number;

  /** Stored only if this request creates the chat. */
  @Metadata()
  metadata?: Record<string, unknown>;
}

/** The choice that a message answers. */
export class ReplyToDto implements ReplyTo {
  @Text(1, 64)
  messageId!: string;

  /** May be empty; at most as long as metadata, which has it. */
  @Sized(sizeOfBytes(MAX_METADATA_BYTES))
  @Text(0, MAX_METADATA_BYTES)
  value!: string;
}

/** The body of `POST /api/visitor/chats/{id}/messages`. */
export class VisitorMessageDto extends MessageContent {
  /** The client's own id of the message: a repeated one never stores a second message. */
  @Text(1, 64, { optional: true })
  clientMessageId?: string;

  @Nested(() => ReplyToDto, { optional: true })
  replyTo?: ReplyToDto;
}

/** The body of `POST /api/visitor/chats/{id}/rating` (CONTRACT section 13). */
export class RateDto implements GivenRating {
  @WholeNumber(1, 5)
  score!: number;

  @Text(0, 1_000, { optional: true })
  comment?: string;
}

/** `message:send`. */
export class SendVisitorMessageDto extends VisitorMessageDto {
  @Text(1, 64)
  chatId!: string;
}

/** `sync`. */
export class SyncDto {
  @Text(1, 64)
  chatId!: string;

  @WholeNumber(0, MAX_SEQ)
  afterSeq!: number;

  @WholeNumber(1, MAX_MESSAGES, { optional: true })
  limit?: number;
}

/** `typing`. */
export class VisitorTypingDto extends TypingDto {
  @Text(1, 64)
  chatId!: string;
}

/** `read`. */
export class VisitorReadDto extends ReadDto {
  @Text(1, 64)
  chatId!: string;
}

/** `chat:close` */
export class CloseChatDto {
  @Text(1, 64)
  chatId!: string;
}
