import { Nested, Metadata, Text, WholeNumber } from '../common/validators.js';
import { MAX_SEQ, MessageContent } from '../messages/messages.dto.js';

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

/** The body of `POST /api/visitor/chats/{id}/messages`. */
export class VisitorMessageDto extends MessageContent {
  /** The client's own name for the message: the same never makes a second one. */
  @Text(1, 64, { optional: true })
  clientMessageId?: string;
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
}
