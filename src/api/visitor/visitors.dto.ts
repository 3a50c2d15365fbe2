import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { MESSAGE_RATINGS, type MessageRatingValue } from '../../chats/model/message-rating-row.entity.js';
import type { GivenMessageRating } from '../../chats/moves/message-ratings.service.js';
import type { GivenRating } from '../../chats/moves/ratings.service.js';
import { MAX_SEQ } from '../../chats/reading/chat-state.js';
import { NamedVisitorResponse } from '../chats.dto.js';
import { ReadDto, TypingDto } from '../signals.dto.js';
import { Sized, sizeOfBytes } from '../../platform/validation/body-size.js';
import {
  MAX_METADATA_BYTES,
  Metadata,
  Nested,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/validation/validators.js';
import { VisitorUploadsResponse } from './chats.dto.js';
import { MessageContent } from '../messages.dto.js';
import { MAX_MESSAGES, type ReplyTo } from '../../messages/message.js';

/** The most characters of a BCP 47 tag. */
const MAX_LOCALE_LENGTH = 35;

/** The visitor's unsigned profile from the page. */
export class VisitorDto {
  @Text(1, 200, { optional: true })
  name?: string;

  @Text(1, 320, { optional: true })
  email?: string;

  @Metadata()
  metadata?: Record<string, unknown>;

  @Text(1, 4_096, {
    optional: true,
    description: 'What the captcha gave the page, for a new visitor of an organization that has one. It is not stored',
  })
  captcha?: string;
}

class SessionVisitorResponse extends NamedVisitorResponse {}

export class VisitorSessionResponse {
  @ApiProperty({ description: 'A JWT, for `Authorization: Bearer` and for the socket' })
  token!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  expiresAt!: string;

  @ApiProperty({ type: () => SessionVisitorResponse })
  visitor!: SessionVisitorResponse;

  @ApiProperty({ description: 'Whether the agent who has a chat sees what the visitor is writing' })
  typingPreview!: boolean;

  @ApiProperty({ type: () => VisitorUploadsResponse, nullable: true, description: 'Null: visitors may send no files' })
  visitorUploads!: VisitorUploadsResponse | null;
}

/** The body of `POST /api/visitor/sessions` (CONTRACT: Visitors). */
export class CreateSessionDto {
  @Text(1, 64, { description: "The organization's public key, `prl_wk_…`" })
  widgetKey!: string;

  @Nested(() => VisitorDto, { optional: true })
  visitor?: VisitorDto;

  @Text(1, 8192, {
    optional: true,
    description: "A JWT (HS256) that your server signed with the organization's identity secret",
  })
  identity?: string;

  @ApiPropertyOptional({
    description: 'With `identity` and the token of an anonymous visitor: the signed person takes over its open chats',
  })
  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  merge?: boolean;
}

/** `chat:open`, and the body of `POST /api/visitor/chats`. */
export class OpenChatDto {
  @Text(1, 64, { optional: true, description: "Omitted: the visitor's open chat, or a new one" })
  chatId?: string;

  @ApiPropertyOptional({
    description:
      'Without `chatId`: a new chat beside the open ones, or an open one without a message. At most 20 are open',
  })
  @IsOptional()
  @IsBoolean({ message: 'must be a boolean' })
  isNew?: boolean;

  @WholeNumber(0, MAX_SEQ, { optional: true, description: 'Only messages after this `seq`; omitted: 0' })
  afterSeq?: number;

  @Metadata({ description: 'Stored only if this request creates the chat' })
  metadata?: Record<string, unknown>;

  @Text(1, MAX_LOCALE_LENGTH, {
    optional: true,
    description:
      'The BCP 47 tag of the language that the client shows its words in. If this request creates the chat, the words of `aiDisclosure` in it are recorded',
  })
  locale?: string;
}

/** The choice that a message answers. */
export class ReplyToDto implements ReplyTo {
  @Text(1, 64, { description: 'A `QUICK_REPLY` or `BUTTON` message in the same chat' })
  messageId!: string;

  /** May be empty. At most as long as the metadata that contains it. */
  @Sized(sizeOfBytes(MAX_METADATA_BYTES))
  @Text(0, MAX_METADATA_BYTES, { description: 'The `value` of one of its options' })
  value!: string;
}

/** The body of `POST /api/visitor/chats/{id}/messages`. */
export class VisitorMessageDto extends MessageContent {
  @Text(1, 64, { optional: true, description: 'Your id for the message: the same id never stores a second one' })
  clientMessageId?: string;

  @Nested(() => ReplyToDto, { optional: true, description: 'The choice that this message takes' })
  replyTo?: ReplyToDto;
}

/** The body of `POST /api/visitor/chats/{id}/rating` (CONTRACT: Ratings). */
export class RateDto implements GivenRating {
  @WholeNumber(1, 5, { description: '5 is the best' })
  score!: number;

  @Text(0, 1_000, { optional: true, description: 'Empty: none' })
  comment?: string;
}

/** The body of `PUT /api/visitor/chats/{id}/messages/{id}/rating` (CONTRACT: Ratings). */
export class RateMessageDto implements GivenMessageRating {
  @OneOf(MESSAGE_RATINGS)
  rating!: MessageRatingValue;

  @Text(0, 1_000, { optional: true, description: 'Empty: none' })
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
