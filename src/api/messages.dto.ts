import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_SEQ } from '../chats/reading/chat-state.js';
import { Sized, sizeOfText } from '../platform/validation/body-size.js';
import { FileIds, FileResponse } from './files.dto.js';
import { findOffersFault } from '../messages/offers/offers.js';
import { Check, findTextFault, Metadata, OneOf, QueryInteger, Text } from '../platform/validation/validators.js';
import {
  MAX_MESSAGES,
  MESSAGE_TYPES,
  type MessageBody,
  type MessagePage,
  type MessageType,
  type MessageView,
  type ReplyTo,
  type Sender,
  SENDER_TYPES,
} from '../messages/message.js';

// A message of files needs no words.
function findContentFault(content: unknown, message: object): string | null {
  const { files, type } = message as { files?: unknown; type?: unknown };
  const mayBeEmpty =
    Array.isArray(files) && files.length > 0 && (type === undefined || type === 'TEXT' || type === 'IMAGE');
  return mayBeEmpty && (content === undefined || content === '') ? null : findTextFault(content, 1, 5000);
}

/** The fields of every sent message. */
export class MessageContent implements MessageBody {
  @Check('content', findContentFault)
  @Sized(sizeOfText(5000))
  @ApiPropertyOptional({
    type: String,
    maxLength: 5000,
    example: 'Hello! How can I help you?',
    description: 'What is said, in Unicode code points. Empty or omitted only with `files`, in a `TEXT` or an `IMAGE`',
  })
  content?: string;

  @OneOf(MESSAGE_TYPES, { optional: true, description: 'Omitted: `TEXT`' })
  type?: MessageType;

  @Metadata({
    description:
      'Arbitrary JSON object, at most 10,240 bytes of `JSON.stringify(metadata)`. ' +
      'A `QUICK_REPLY` needs `options`: a non-empty array of `{label, value}`. A `BUTTON` may have `options`, `cards`, or a `form`',
    example: { options: [{ label: 'Yes', value: 'yes' }] },
  })
  @Check('offers', (metadata, message) => findOffersFault((message as { type?: unknown }).type, metadata))
  metadata?: Record<string, unknown>;

  @FileIds('The ids of completed uploads of the sender in this chat')
  files?: string[];
}

/** The body of `POST /api/bot/messages` (CONTRACT: Messages). */
export class SendMessageDto extends MessageContent {
  @Text(1, 64, { example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @OneOf(['BOT'], {
    optional: true,
    description:
      'Send only if the bots have the chat; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`',
  })
  ifOwner?: 'BOT';
}

export class SentMessageResponse {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ enum: ['sent'] })
  status!: 'sent';
}

/** The query of a chat's messages. */
export class MessagesQuery {
  @QueryInteger(0, MAX_SEQ, { default: 0, description: 'Only messages after this `seq`' })
  afterSeq: number = 0;

  @QueryInteger(1, MAX_MESSAGES, { default: 50, description: 'How many to answer at most' })
  limit: number = 50;
}

export class SenderResponse implements Sender {
  @ApiProperty({ enum: [...SENDER_TYPES] })
  type!: Sender['type'];

  @ApiProperty({ type: String, nullable: true })
  id!: string | null;

  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  @ApiPropertyOptional({ description: 'Whether a bot was an AI when it sent this. Absent for others' })
  isAi?: boolean;
}

export class ReplyToResponse implements ReplyTo {
  @ApiProperty()
  messageId!: string;

  @ApiProperty()
  value!: string;
}

/** A message in REST, sockets and webhooks (CONTRACT: Messages). */
export class MessageResponse implements MessageView {
  @ApiProperty({ example: 'msg_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'cht_01h455vb4pex5vsknk084sn02q' })
  chatId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'The count in its chat: 1, 2, 3 …, without a gap' })
  seq!: number;

  @ApiProperty({ enum: [...MESSAGE_TYPES] })
  type!: MessageType;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: '`{}` when none was sent' })
  metadata!: Record<string, unknown>;

  @ApiProperty({ type: () => SenderResponse })
  sender!: SenderResponse;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiPropertyOptional({ type: () => ReplyToResponse })
  replyTo?: ReplyToResponse;

  @ApiPropertyOptional({ type: () => [FileResponse], description: 'Absent without any' })
  files?: FileResponse[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When the message was deleted. It keeps its `seq`, and its content is empty',
  })
  deletedAt?: string;
}

export class MessagesResponse implements MessagePage {
  @ApiProperty({ type: () => [MessageResponse], description: 'Up to `limit` and about 1 MB, at least one' })
  messages!: MessageResponse[];

  @ApiProperty({ type: 'integer', description: 'The highest `seq` of the chat' })
  latestSeq!: number;

  @ApiProperty({ description: 'Whether there are messages after the last of these' })
  hasMore!: boolean;
}

/** The answer to a message that was sent by a visitor or an agent. */
export class StoredMessageResponse {
  @ApiProperty({ type: () => MessageResponse })
  message!: MessageResponse;
}
