import { IsBoolean, IsOptional } from 'class-validator';
import { MAX_SEQ } from '../../chats/chat-state.js';
import { ReadDto, TypingDto } from '../signals.dto.js';
import { MAX_METADATA_BYTES, Metadata, Nested, Text, WholeNumber } from '../../platform/http/validators.js';
import { MessageContent } from '../messages.dto.js';
import { MAX_MESSAGES, type ReplyTo } from '../../messages/message.js';

/** What a site may say of its visitor. */
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

  /** A JWT the customer's own server signed with the organization's identity secret. */
  @Text(1, 8192, { optional: true })
  identity?: string;

  /** Whether the person of the identity takes along the open chats of the anonymous visitor whose token comes with it. */
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

  /** Kept when this makes the chat. */
  @Metadata()
  metadata?: Record<string, unknown>;
}

/** The choice that a message is the answer to. */
export class ReplyToDto implements ReplyTo {
  @Text(1, 64)
  messageId!: string;

  /** A value may be empty, and is as long as metadata lets it be. */
  @Text(0, MAX_METADATA_BYTES)
  value!: string;
}

/** The body of `POST /api/visitor/chats/{id}/messages`. */
export class VisitorMessageDto extends MessageContent {
  /** The client's own name for the message: the same never makes a second one. */
  @Text(1, 64, { optional: true })
  clientMessageId?: string;

  @Nested(() => ReplyToDto, { optional: true })
  replyTo?: ReplyToDto;
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
